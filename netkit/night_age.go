package netkit

import (
	"math"
	"slices"
	"sort"
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
// and notes the next date on which the agent has to be judged.
func (s *state) age(i uint32, date Day) {
	a := &s.parties.change(i).agent
	evidenceSpans, answerSpans, verdictSpans, incidentSpans := s.law.spans()
	a.evidence = fresh(a.evidence, evidenceDay, date, evidenceSpans)
	next := turn(a.evidence, evidenceDay, date, evidenceSpans)
	if s.parties.at(i).extra != 0 {
		x := s.changeExtra(i)
		x.answers = fresh(x.answers, answerDay, date, answerSpans)
		x.verdicts = fresh(x.verdicts, verdictDay, date, verdictSpans)
		x.incidents = slices.DeleteFunc(slices.Clone(x.incidents), func(was incident) bool { return int(date-was.day) >= slices.Max(incidentSpans) })
		next = min(next, turn(x.answers, answerDay, date, answerSpans), turn(x.verdicts, verdictDay, date, verdictSpans))
		for _, was := range x.incidents {
			next = min(next, turn([]incident{was}, incidentDay, date, incidentSpans))
		}
	}
	if next == math.MaxInt32 {
		next = 0
	}
	s.agenda.change(i).judge = next
}

func evidenceDay(e *evidence) Day  { return e.day }
func answerDay(a *answer) Day      { return a.day }
func verdictDay(v *verdictRow) Day { return v.day }
func incidentDay(x *incident) Day  { return x.day }

// spans lists after how many days a row of each sort counts differently. The
// longest is how far back anything looks.
func (c *Constitution) spans() (evidence, answers, verdicts, incidents []int) {
	sc := &c.Scores
	evidence = []int{0, sc.DiversityDays, sc.FullDays, sc.HalfDays, sc.ExpiredDays}
	answers, verdicts = []int{0}, []int{0}
	incidents = []int{0, sc.FullDays, sc.HalfDays}
	for i := range c.Badges {
		r := &c.Badges[i]
		incidents = append(incidents, r.CleanDays)
		switch r.Name {
		case FieldAgent:
			evidence = append(evidence, r.Window)
		case SeniorCorrespondent:
			evidence = append(evidence, r.Window)
			answers = append(answers, r.Window, r.FirstEventDays)
		case DisputeMaster:
			verdicts = append(verdicts, r.Window)
		}
	}
	return evidence, answers, verdicts, incidents
}

// fresh returns the rows that still count after date. Rows are sorted by day. What
// is left of a cut list is copied, so that the rest can be collected.
func fresh[T any](rows []T, dayOf func(*T) Day, date Day, spans []int) []T {
	oldest := date - Day(slices.Max(spans)) // counts no more
	k := sort.Search(len(rows), func(k int) bool { return dayOf(&rows[k]) > oldest })
	if k == 0 {
		return rows
	}
	return slices.Clone(rows[k:])
}

// turn returns the first day after date on which a row counts differently.
func turn[T any](rows []T, dayOf func(*T) Day, date Day, spans []int) Day {
	next := Day(math.MaxInt32)
	for _, span := range spans {
		k := sort.Search(len(rows), func(k int) bool { return dayOf(&rows[k])+Day(span) > date })
		if k < len(rows) {
			next = min(next, dayOf(&rows[k])+Day(span))
		}
	}
	return next
}
