package netkit

import (
	"context"
	"math"
	"slices"
	"sort"

	"github.com/agentnet/netctl/netkit/code"
)

// CloseNight closes every date that is over and was not closed yet, up to
// in.Date if that is given, and issues the badges earned. It goes on where an
// earlier call stopped; other commands run between its steps. An operator
// calls it; a server's own timer acts as [NetworkActor].
func (n *Network) CloseNight(ctx context.Context, by Caller, in CloseNight) (NightReport, error) {
	by.Key = "" // a date is closed once, whatever is retried
	dates, err := n.nightDates(ctx, by, in.Date)
	if err != nil {
		return NightReport{}, err
	}
	if in.DryRun {
		return n.dryNight(ctx, dates)
	}
	out := NightReport{Closed: []Day{}, Issued: []BadgeIssue{}}
	for _, date := range dates {
		if err := n.closeDate(ctx, by, date, &out); err != nil {
			return out, err
		}
		out.Closed = append(out.Closed, date)
	}
	last, err := n.LastNight(ctx)
	out.Open, out.AsOf = last.Open, last.AsOf
	return out, err
}

// nightDates lists the dates to close.
func (n *Network) nightDates(ctx context.Context, by Caller, until *Day) ([]Day, error) {
	now := n.Now()
	return view(ctx, n, func(s *state) ([]Day, error) {
		if err := nightWorker(s, &call{by: by}); err != nil {
			return nil, err
		}
		open := s.openNights(s.today(now))
		switch {
		case until == nil:
			return open, nil
		case *until < s.nextNight():
			return nil, conflict(code.DateClosed, "the date is closed already or before the network began", "a date is closed once")
		case *until >= s.today(now):
			return nil, invalid("date", code.DateNotOver, "is not over yet", "close yesterday or earlier")
		}
		return open[:min(len(open), int(*until-s.nextNight())+1)], nil
	})
}

// closeDate takes the steps of one date.
func (n *Network) closeDate(ctx context.Context, by Caller, date Day, out *NightReport) error {
	for done := false; !done; {
		var first uint64
		step, err := run(ctx, n, by, &nightStep{date}, nil, func(e *Entry) NightStepped {
			if e == nil {
				return NightStepped{Last: true}
			}
			first = e.Seq
			return *e.Fact.(*NightStepped)
		})
		if err != nil {
			return err
		}
		for k := range uint64(step.Issued) {
			e, err := n.Entry(ctx, first+1+k)
			if err != nil {
				return err
			}
			f := e.Fact.(*BadgeIssued)
			out.Issued = append(out.Issued, BadgeIssue{f.Agent, f.Badge, f.Date})
		}
		out.Judged += uint64(step.Judged)
		out.IssuedCount += uint64(step.Issued)
		done = step.Last
	}
	return nil
}

// LastNight tells what the last night did and which dates are still open.
func (n *Network) LastNight(ctx context.Context) (NightReport, error) {
	now := n.Now()
	return view(ctx, n, func(s *state) (NightReport, error) { return s.lastNight(now), nil })
}

func (s *state) lastNight(now Millis) NightReport {
	out := NightReport{Closed: []Day{}, Open: s.openNights(s.today(now)), Issued: []BadgeIssue{},
		Judged: s.night.last.judged, IssuedCount: s.night.last.issued, AsOf: s.asOf(now)}
	if s.night.closed != 0 {
		out.Closed = append(out.Closed, s.night.closed)
	}
	return out
}

// dryNight judges as a night would and records nothing. It looks at a few
// agents at a time, so that commands go on.
func (n *Network) dryNight(ctx context.Context, dates []Day) (NightReport, error) {
	out := NightReport{Closed: dates, Open: dates, Issued: []BadgeIssue{}, DryRun: true}
	var err error
	if out.AsOf, err = view(ctx, n, func(s *state) (AsOf, error) { return s.asOf(s.root.at), nil }); err != nil {
		return out, err
	}
	seen := map[BadgeIssue]bool{} // without a date
	for _, date := range dates {
		for from, end := uint32(0), false; !end; {
			var to, judged uint32
			issues, err := view(ctx, n, func(s *state) ([]BadgeIssued, error) {
				var issues []BadgeIssued
				to, judged = s.walkNight(from, date, func(i uint32, p *party) { issues, _ = s.judge(i, p, date, issues) })
				end, out.AsOf = to == s.parties.Len(), s.asOf(s.root.at)
				return issues, nil
			})
			if err != nil {
				return out, err
			}
			from, out.Judged = to, out.Judged+uint64(judged)
			for _, f := range issues {
				if key := (BadgeIssue{Agent: f.Agent, Badge: f.Badge}); !seen[key] {
					seen[key] = true
					out.Issued = append(out.Issued, BadgeIssue{f.Agent, f.Badge, f.Date})
				}
			}
		}
	}
	out.IssuedCount = uint64(len(out.Issued))
	return out, nil
}

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
	a := &s.parties.Change(i).agent
	evidenceSpans, answerSpans, verdictSpans, incidentSpans := s.law.spans()
	a.evidence = mergeCleared(fresh(a.evidence, evidenceDay, date, evidenceSpans), s.clearedUntil(i, lastMoment(date)))
	next := min(turn(a.evidence, evidenceDay, date, evidenceSpans), nextClearing(a.evidence, date))
	if s.parties.At(i).extra != 0 {
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
	s.agenda.Change(i).judge = next
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

// nextClearing returns the first day after date on which one of the rows clears.
func nextClearing(rows []evidence, date Day) Day {
	next := Day(math.MaxInt32)
	for k := range rows {
		if d := rows[k].clears.millis().Day(); d > date {
			next = min(next, d)
		}
	}
	return next
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
