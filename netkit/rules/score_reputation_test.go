package rules

import (
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/rulestest"
)

func TestReputation(t *testing.T) {
	const today = netkit.Day(20_600)
	clean := func(with uint32, n uint32, age netkit.Day) Evidence {
		return Evidence{With: with, Day: today - age, Stands: n}
	}
	for _, c := range []struct {
		name      string
		evidence  []Evidence
		incidents []Incident
		status    netkit.Status
		want      netkit.Percent
	}{
		{name: "nothing", want: 0},
		{name: "76 clean successes", evidence: []Evidence{clean(1, 26, 0), clean(2, 25, 0), clean(3, 25, 0)}, want: 9500},
		{name: "75 are less", evidence: []Evidence{clean(1, 25, 0), clean(2, 25, 0), clean(3, 25, 0)}, want: netkit.Percent(rulestest.WilsonBP(75_000, 0))},
		{name: "one counterparty is capped", evidence: []Evidence{clean(1, 500, 0)}, want: 8823},
		{name: "full weight to the 90th day", evidence: []Evidence{clean(1, 20, 89)}, want: netkit.Percent(rulestest.WilsonBP(20_000, 0))},
		{name: "half from then on", evidence: []Evidence{clean(1, 20, 90)}, want: netkit.Percent(rulestest.WilsonBP(10_000, 0))},
		{name: "half to the 180th", evidence: []Evidence{clean(1, 20, 179)}, want: netkit.Percent(rulestest.WilsonBP(10_000, 0))},
		{name: "nothing then", evidence: []Evidence{clean(1, 20, 180)}, want: 0},
		{name: "tomorrow does not count", evidence: []Evidence{clean(1, 20, -1)}, want: 0},
		{name: "a request left to expire", evidence: []Evidence{{With: 1, Day: today, Stands: 20, Expired: 3}}, want: netkit.Percent(rulestest.WilsonBP(20_000, 150))},
		{name: "answers", evidence: []Evidence{{With: 1, Day: today, Answered: 7}}, want: netkit.Percent(rulestest.WilsonBP(700, 0))},
		{name: "a suspension that is over", evidence: []Evidence{clean(1, 25, 0)}, incidents: []Incident{{today, 20_000, 7}}, want: netkit.Percent(rulestest.WilsonBP(25_000, 20_000))},
		{name: "penalties are outside the cap", evidence: []Evidence{clean(1, 500, 0)}, incidents: []Incident{{today, 5000, 7}}, want: netkit.Percent(rulestest.WilsonBP(30_000, 5000))},
		{name: "two incidents add up", evidence: []Evidence{clean(1, 25, 0)}, incidents: []Incident{{today, 5000, 7}, {today, 5000, 9}}, want: netkit.Percent(rulestest.WilsonBP(25_000, 10_000))},
		{name: "an old incident counts half", evidence: []Evidence{clean(1, 25, 0)}, incidents: []Incident{{today - 90, 5000, 7}}, want: netkit.Percent(rulestest.WilsonBP(25_000, 2500))},
		{name: "while suspended", evidence: []Evidence{clean(1, 25, 0)}, status: netkit.Suspended, want: 0},
		{name: "while listed", evidence: []Evidence{clean(1, 25, 0)}, status: netkit.Rogue, want: 0},
	} {
		s := NewState()
		s.law = netkit.Version1()
		s.enrol(Party{Slug: "ada", Status: c.status, Agent: AgentRow{Evidence: c.evidence}})
		s.changeExtra(0).Incidents = c.incidents
		if got := s.Reputation(0, LastMoment(today)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestOneIncidentCostsItsLargestPenalty(t *testing.T) {
	s := NewState()
	s.law = netkit.Version1()
	i := s.parties.Len()
	s.enrol(Party{Slug: "ada"})
	s.Commit()
	before := s.extra(s.parties.At(i)).Incidents
	s.penalize(i, 7, 5000, 3)
	s.penalize(i, 7, 20_000, 3)
	s.penalize(i, 7, 5000, 4)
	s.penalize(i, 9, 5000, 4)
	got := s.extra(s.parties.At(i)).Incidents
	if len(got) != 2 || got[0] != (Incident{4, 20_000, 7}) || got[1] != (Incident{4, 5000, 9}) {
		t.Errorf("got %+v, want 20.000 for incident 7 and 5.000 for incident 9", got)
	}
	s.forgive(i, 7)
	if got := s.extra(s.parties.At(i)).Incidents; len(got) != 1 || got[0].Of != 9 {
		t.Errorf("after the appeal: got %+v, want incident 9 alone", got)
	}
	s.Rollback()
	if got := s.extra(s.parties.At(i)).Incidents; len(got) != len(before) {
		t.Errorf("after a lost batch: got %+v, want none", got)
	}
}
