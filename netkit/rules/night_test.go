package rules

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
)

// The nights that judge only whom they have to issue the same badges on the
// same dates as judging every agent every night would.
func TestNightsJudgeAllTheyHaveTo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewState()
		law := netkit.Version1()
		// Small numbers, so that badges are won and windows end within a run.
		law.Scores.PayerShare = rapid.SampledFrom([]netkit.Ratio{0, 5000}).Draw(t, "share")
		law.Scores.DiversityDays, law.Scores.FullDays, law.Scores.HalfDays, law.Scores.ExpiredDays = 9, 5, 19, 4
		law.Badges = []netkit.BadgeRule{
			{Name: netkit.FieldAgent, Window: 13, Diversity: 3000, Events: 2, Counterparties: 1, LargestShare: 10_000, ActiveDays: 1, CleanDays: 7},
			{Name: netkit.SeniorCorrespondent, Window: 8, Diversity: 1000, Reputation: 100, Events: 2, Counterparties: 1, LargestShare: 10_000, ActiveWeeks: 1, FirstEventDays: 3, Wilson: 1000, MedianDeadline: 5000, CleanDays: 7},
			{Name: netkit.DisputeMaster, Window: 10, Diversity: 1000, Reputation: 2000, Events: 2, Counterparties: 1, Reported: 1, Wilson: 1000, MedianHours: 72, CleanDays: 7},
		}
		s.law = law
		const agents = 4
		for k := range uint32(agents) {
			s.enrol(Party{Slug: fmt.Sprintf("agent-%d", k), since: netkit.FullDay})
		}
		for date := netkit.Day(10); date < 34; date++ {
			for range rapid.IntRange(-8, 4).Draw(t, "events") {
				happen(t, s, date, agents)
			}
			var want, got []BadgeIssued
			for i := range s.parties.Len() {
				want = append(want, s.judge(i, date).Issues...)
			}
			var again []uint32
			due, _ := s.walkNight(0, date)
			for _, i := range due {
				found := s.judge(i, date)
				if got = append(got, found.Issues...); found.waits {
					again = append(again, i)
				}
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(BadgeIssued{})); diff != "" {
				t.Fatalf("%s: -all +due\n%s", date, diff)
			}
			(&NightStepped{Date: date, To: agents, Again: again}).Apply(s, &Entry{})
			for k := range got {
				got[k].Apply(s, &Entry{Seq: uint64(date)})
			}
		}
	})
}

// happen lets something befall an agent, today or just after midnight.
func happen(t *rapid.T, s *State, date netkit.Day, agents uint32) {
	e := &Entry{At: netkit.Millis(date+netkit.Day(rapid.IntRange(0, 1).Draw(t, "late"))) * netkit.FullDay}
	i := rapid.Uint32Range(0, agents-1).Draw(t, "agent")
	j := rapid.Uint32Range(0, agents-1).Draw(t, "with")
	d := e.At.Day()
	switch rapid.IntRange(0, 7).Draw(t, "kind") {
	case 0, 1, 2:
		ev := s.EvidenceOf(i, j, d)
		ev.Stands++
		in := netkit.Credits(rapid.IntRange(1, 40).Draw(t, "in")) * netkit.Credit
		ev.In += in
		s.addPaid(j, i, d, in)
		s.addPaid(rapid.Uint32Range(0, agents-1).Draw(t, "payer"), i, d, netkit.Credits(rapid.IntRange(0, 40).Draw(t, "others"))*netkit.Credit)
		s.EvidenceOf(j, i, d).Out += netkit.Credits(rapid.IntRange(0, 9).Draw(t, "out")) * netkit.Credit
	case 3:
		s.EvidenceOf(i, j, d).Answered++
		x := s.changeExtra(i)
		x.Answers = append(x.Answers, Answer{d, j, netkit.Hour, 2 * netkit.Hour})
		slices.SortStableFunc(x.Answers, func(a, b Answer) int { return int(a.Day - b.Day) })
	case 4:
		s.EvidenceOf(i, j, d).Expired++
	case 5:
		x := s.changeExtra(i)
		x.Verdicts = append(x.Verdicts, VerdictRow{d, j, i, true, netkit.Hour})
		slices.SortStableFunc(x.Verdicts, func(a, b VerdictRow) int { return int(a.Day - b.Day) })
		s.Touch(i, d)
	case 6:
		s.penalize(i, uint64(d), 5000, d)
	case 7:
		s.stand(i, rapid.SampledFrom([]netkit.Status{netkit.Active, netkit.Suspended, netkit.Rogue}).Draw(t, "standing"), 1, e)
	}
}
