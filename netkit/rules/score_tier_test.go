package rules

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/score"
)

// What is known of an agent's past changes no score: whatever happened, what
// flowed is what a look at every row adds up to.
func TestFlowsAreTheSumOfAllRows(t *testing.T) {
	used := false
	rapid.Check(t, func(t *rapid.T) {
		const parties = 30
		s := NewState()
		s.law = netkit.Version1()
		s.law.Scores.DiversityDays, s.law.Scores.FullDays, s.law.Scores.HalfDays = 12, 6, 12
		for k := range uint32(parties) {
			s.enrol(Party{Slug: fmt.Sprintf("party-%d", k), Kind: []netkit.PartyKind{netkit.AgentParty, netkit.SponsorParty}[k%2]})
		}
		s.Commit()
		today := netkit.Day(100)
		for range rapid.IntRange(20, 60).Draw(t, "steps") {
			today += lives(t, s, today, parties)
			at := netkit.Millis(today)*netkit.FullDay + netkit.Millis(rapid.Int64Range(-int64(2*netkit.FullDay), int64(netkit.FullDay)).Draw(t, "moment"))
			got := map[uint32]score.Edge{}
			s.edges(0, at, func(j uint32, e *score.Edge) {
				s.weigh(j, e, at.Day())
				got[j] = *e
			})
			if diff := cmp.Diff(s.refEdges(0, at), got); diff != "" {
				t.Fatalf("%s: -all rows +known\n%s", at.Day(), diff)
			}
			_, from, to := s.past.of(0, today-11, today+1)
			used = used || from < to
		}
	})
	if !used {
		t.Error("nothing was ever known of an agent's past")
	}
}

// lives lets something happen that agent 0's scores rest on, and returns how
// many dates pass.
func lives(t *rapid.T, s *State, today netkit.Day, parties uint32) netkit.Day {
	j := rapid.Uint32Range(1, parties-1).Draw(t, "with")
	d := today - netkit.Day(rapid.IntRange(0, 3).Draw(t, "ago"))
	switch rapid.IntRange(0, 10).Draw(t, "happens") {
	case 0:
		s.Commit()
	case 1:
		s.Rollback()
	case 2:
		x := Earned{Day: today - netkit.Day(rapid.IntRange(0, 13).Draw(t, "overturned")), Counted: netkit.Credit}
		if row := s.FindEvidence(0, j, x.Day, ClearTime{}); row != nil && row.In > netkit.Credit {
			s.takeBack(0, j, &x)
		}
	case 3:
		s.stand(j, rapid.SampledFrom([]netkit.Status{netkit.Active, netkit.Rogue}).Draw(t, "standing"), 1, &Entry{At: netkit.Millis(today) * netkit.FullDay})
	case 4:
		s.stand(0, rapid.SampledFrom([]netkit.Status{netkit.Active, netkit.Suspended}).Draw(t, "own"), 1, &Entry{At: netkit.Millis(today) * netkit.FullDay})
	case 10: // the dark of a crisis that began at midnight
		s.clocks.Edit(s.clock).follow(netkit.Millis(today)*netkit.FullDay, netkit.Millis(today)*netkit.FullDay+netkit.Millis(rapid.IntRange(0, 90).Draw(t, "dark"))*netkit.Hour)
	case 5:
		law := *s.law
		law.Scores.DiversityDays = rapid.IntRange(8, 12).Draw(t, "window")
		s.law = &law
	case 6, 7:
		(&NightStepped{Date: today, To: parties}).Apply(s, &Entry{})
		rows := s.parties.At(0).Agent.Evidence
		if all, _ := mergeCleared(rows, 0, s.clearedUntil(0, LastMoment(today))); !slices.Equal(all, rows) {
			t.Fatalf("%s: %d rows of %d had cleared and were not summed up", today, len(rows)-len(all), len(rows))
		}
		return netkit.Day(rapid.IntRange(1, 2).Draw(t, "days"))
	default:
		for k := range rapid.Uint32Range(1, 40).Draw(t, "rows") {
			var clears ClearTime
			if rapid.Bool().Draw(t, "waits") {
				clears.clears = quarterAt(netkit.Millis(d+3) * netkit.FullDay)
				if rapid.Bool().Draw(t, "market") {
					clears.market = clears.clears.Millis() - s.clock.suppressed(netkit.Millis(today)*netkit.FullDay)
				}
			}
			ev := s.evidenceRow(0, 1+(j+k)%(parties-1), d, clears)
			ev.In += netkit.Credits(k+1) * netkit.Credit
			ev.Out += netkit.Credits(k%3) * netkit.Credit
			s.addPaid(ev.With, 0, countsFrom(d, clears.clears), netkit.Credits(k+1)*netkit.Credit)
		}
	}
	return 0
}

// refEdges looks at every row.
func (s *State) refEdges(i uint32, at netkit.Millis) map[uint32]score.Edge {
	all := map[uint32]score.Edge{}
	for _, ev := range s.parties.At(i).Agent.Evidence {
		if score.InWindow(int64(at.Day()), int64(ev.Day), int64(s.law.Scores.DiversityDays)) && ev.cleared(s.clearedUntil(i, at)) && (ev.In != 0 || ev.Out != 0) {
			e := all[ev.With]
			e.In += int64(ev.In)
			e.Out += int64(ev.Out)
			all[ev.With] = e
		}
	}
	for j, e := range all {
		e.Listed = s.parties.At(j).Status == netkit.Rogue
		e.Others = int64(s.PaidIn(j, at.Day(), s.law.Scores.DiversityDays)) - e.In
		all[j] = e
	}
	return all
}
