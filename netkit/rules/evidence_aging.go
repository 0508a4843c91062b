package rules

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/agentnet/netctl/netkit"
)

// Which agents a night judges. A judgement rests on rows that each have a day,
// and on nothing else that time alone can change. A row enters a window on its
// own day and changes its weight, or counts for something more, a known number
// of days later. So whenever an agent was judged, the first later day on which
// any of its rows does so is known, and until then, unless something is added,
// it would be judged the same. That one number an agent is all that the night
// keeps: it is exact, and what a night costs grows with the agents whose
// judgement may have changed.

// age drops the rows of an agent that no rule looks at any more after date,
// and notes the next date on which the agent has to be judged. What has cleared
// of the treasury's shares is its income from at on.
func (s *State) age(i uint32, date netkit.Day, in *netkit.Spans, at netkit.Millis) {
	a := &s.parties.Change(i).Agent
	was := a.Evidence
	rows := fresh(was, evidenceDay, date, in.Evidence)
	open := s.past.open(i, rows)
	rows, shares := mergeCleared(rows, open, s.clearedUntil(i, LastMoment(date)))
	s.earnShare(shares, at.Day())
	s.past.sum(i, was, rows, open, date, s.law.Scores.DiversityDays)
	a.Evidence = rows
	next := min(turn(rows, evidenceDay, date, in.Evidence), s.nextClearing(rows[open:], date, at))
	if s.parties.At(i).extra != 0 {
		x := s.changeExtra(i)
		x.Answers = fresh(x.Answers, answerDay, date, in.Answers)
		x.Verdicts = fresh(x.Verdicts, verdictDay, date, in.Verdicts)
		x.Incidents = slices.DeleteFunc(slices.Clone(x.Incidents), func(was Incident) bool { return int(date-was.Day) >= slices.Max(in.Incidents) })
		next = min(next, turn(x.Answers, answerDay, date, in.Answers), turn(x.Verdicts, verdictDay, date, in.Verdicts))
		for _, was := range x.Incidents {
			next = min(next, turn([]Incident{was}, incidentDay, date, in.Incidents))
		}
	}
	if next == math.MaxInt32 {
		next = 0
	}
	s.agenda.Change(i).Judge = next
}

func evidenceDay(e *Evidence) netkit.Day { return e.Day }

func answerDay(a *Answer) netkit.Day { return a.Day }

func verdictDay(v *VerdictRow) netkit.Day { return v.Day }

func incidentDay(x *Incident) netkit.Day { return x.Day }

// fresh returns the rows that still count after date. Rows are sorted by day. What
// is left is copied each time that it falls below a power of two, so that the
// rest can be collected.
func fresh[T any](rows []T, dayOf func(*T) netkit.Day, date netkit.Day, spans []int) []T {
	oldest := date - netkit.Day(slices.Max(spans)) // counts no more
	k := sort.Search(len(rows), func(k int) bool { return dayOf(&rows[k]) > oldest })
	if rows = rows[k:]; bits.Len(uint(len(rows))) == bits.Len(uint(len(rows)+k)) {
		return rows
	}
	return slices.Clone(rows)
}

// nextClearing returns the first day after date on which one of the rows can clear,
// as known at a moment: a crisis that runs then may be resolved before its term.
func (s *State) nextClearing(rows []Evidence, date netkit.Day, at netkit.Millis) netkit.Day {
	next, over := netkit.Day(math.MaxInt32), s.instant(LastMoment(date))
	for k := range rows {
		t := rows[k].deadline()
		if t.Reached(over) {
			continue
		}
		if t.market != 0 {
			t.real = s.clock.Earliest(t.market, at)
		}
		next = min(next, max(date+1, t.real.Day()))
	}
	return next
}

// turn returns the first day after date on which a row counts differently.
func turn[T any](rows []T, dayOf func(*T) netkit.Day, date netkit.Day, spans []int) netkit.Day {
	next := netkit.Day(math.MaxInt32)
	for _, span := range spans {
		k := sort.Search(len(rows), func(k int) bool { return dayOf(&rows[k])+netkit.Day(span) > date })
		if k < len(rows) {
			next = min(next, dayOf(&rows[k])+netkit.Day(span))
		}
	}
	return next
}
