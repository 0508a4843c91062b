package netkit

import "testing"

func TestReputation(t *testing.T) {
	const today = Day(20_600)
	clean := func(with uint32, n uint32, age Day) evidence {
		return evidence{with: with, day: today - age, stands: n}
	}
	for _, c := range []struct {
		name      string
		evidence  []evidence
		incidents []incident
		status    Status
		want      Percent
	}{
		{name: "nothing", want: 0},
		{name: "76 clean successes", evidence: []evidence{clean(1, 26, 0), clean(2, 25, 0), clean(3, 25, 0)}, want: 9500},
		{name: "75 are less", evidence: []evidence{clean(1, 25, 0), clean(2, 25, 0), clean(3, 25, 0)}, want: Percent(wilsonBP(75_000, 0))},
		{name: "one counterparty is capped", evidence: []evidence{clean(1, 500, 0)}, want: 8823},
		{name: "full weight to the 90th day", evidence: []evidence{clean(1, 20, 89)}, want: Percent(wilsonBP(20_000, 0))},
		{name: "half from then on", evidence: []evidence{clean(1, 20, 90)}, want: Percent(wilsonBP(10_000, 0))},
		{name: "half to the 180th", evidence: []evidence{clean(1, 20, 179)}, want: Percent(wilsonBP(10_000, 0))},
		{name: "nothing then", evidence: []evidence{clean(1, 20, 180)}, want: 0},
		{name: "tomorrow does not count", evidence: []evidence{clean(1, 20, -1)}, want: 0},
		{name: "a request left to expire", evidence: []evidence{{with: 1, day: today, stands: 20, expired: 3}}, want: Percent(wilsonBP(20_000, 150))},
		{name: "answers", evidence: []evidence{{with: 1, day: today, answered: 7}}, want: Percent(wilsonBP(700, 0))},
		{name: "a suspension that is over", evidence: []evidence{clean(1, 25, 0)}, incidents: []incident{{today, 20_000, 7}}, want: Percent(wilsonBP(25_000, 20_000))},
		{name: "penalties are outside the cap", evidence: []evidence{clean(1, 500, 0)}, incidents: []incident{{today, 5000, 7}}, want: Percent(wilsonBP(30_000, 5000))},
		{name: "two incidents add up", evidence: []evidence{clean(1, 25, 0)}, incidents: []incident{{today, 5000, 7}, {today, 5000, 9}}, want: Percent(wilsonBP(25_000, 10_000))},
		{name: "an old incident counts half", evidence: []evidence{clean(1, 25, 0)}, incidents: []incident{{today - 90, 5000, 7}}, want: Percent(wilsonBP(25_000, 2500))},
		{name: "while suspended", evidence: []evidence{clean(1, 25, 0)}, status: Suspended, want: 0},
		{name: "while listed", evidence: []evidence{clean(1, 25, 0)}, status: Rogue, want: 0},
	} {
		s := newState()
		s.law = Version1()
		s.enrol(party{slug: "ada", status: c.status, agent: agentRow{evidence: c.evidence}})
		s.changeExtra(0).incidents = c.incidents
		if got := s.reputation(0, lastMoment(today)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestOneIncidentCostsItsLargestPenalty(t *testing.T) {
	s := newState()
	s.law = Version1()
	i := s.parties.Len()
	s.enrol(party{slug: "ada"})
	s.commit()
	before := s.extra(s.parties.At(i)).incidents
	s.penalize(i, 7, 5000, 3)
	s.penalize(i, 7, 20_000, 3)
	s.penalize(i, 7, 5000, 4)
	s.penalize(i, 9, 5000, 4)
	got := s.extra(s.parties.At(i)).incidents
	if len(got) != 2 || got[0] != (incident{4, 20_000, 7}) || got[1] != (incident{4, 5000, 9}) {
		t.Errorf("got %+v, want 20.000 for incident 7 and 5.000 for incident 9", got)
	}
	s.forgive(i, 7)
	if got := s.extra(s.parties.At(i)).incidents; len(got) != 1 || got[0].of != 9 {
		t.Errorf("after the appeal: got %+v, want incident 9 alone", got)
	}
	s.rollback()
	if got := s.extra(s.parties.At(i)).incidents; len(got) != len(before) {
		t.Errorf("after a lost batch: got %+v, want none", got)
	}
}
