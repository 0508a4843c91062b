package rules

import (
	"iter"
	"strconv"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/score"
)

// checks yields the conditions of a badge, with windows that end on date; see
// Economy in the package documentation. What is cheap to find out comes first.
func (s *State) checks(i uint32, r *netkit.BadgeRule, at netkit.Millis) iter.Seq[netkit.Check] {
	return func(yield func(netkit.Check) bool) {
		p, date := s.parties.At(i), at.Day()
		var own iter.Seq[netkit.Check]
		switch r.Name {
		case netkit.FieldAgent:
			own = p.Agent.field(r, s.instant(at))
		case netkit.SeniorCorrespondent:
			own = s.extra(p).senior(p.Agent.Evidence, r, wilsonZ(&s.law.Scores), date)
		case netkit.DisputeMaster:
			own = s.extra(p).dispute(r, wilsonZ(&s.law.Scores), date)
		default:
			yield(netkit.Check{Name: "known_to_this_version", Need: 1})
			return
		}
		if !yield(netkit.Check{Name: "good_standing", Have: netkit.OneIf(p.Status == netkit.Active), Need: 1}) || !yield(s.extra(p).clean(r, date)) {
			return
		}
		if s.law.Detectors.CirculationCaseDays > 0 && !yield(netkit.Check{Name: "no_open_case_of_circulation", Have: netkit.OneIf(!s.awaitsCirculationVerdict(i)), Need: 1}) {
			return
		}
		for k := range own {
			if !yield(k) {
				return
			}
		}
		if yield(netkit.Check{Name: netkit.DiversityCheck, Have: int64(s.Diversity(i, at)), Need: int64(r.Diversity), Unit: netkit.Shares}) && r.Reputation > 0 {
			yield(netkit.Check{Name: "reputation_score", Have: int64(s.Reputation(i, at)), Need: int64(r.Reputation), Unit: netkit.Points})
		}
	}
}

// firstLack returns the name of the first condition that is not met; ok is that
// all are.
func (s *State) firstLack(i uint32, r *netkit.BadgeRule, at netkit.Millis) (name string, ok bool) {
	for k := range s.checks(i, r, at) {
		if !k.Met() {
			return k.Name, false
		}
	}
	return "", true
}

// inBadgeWindow reports whether a day lies in the badge's look-back.
func inBadgeWindow(r *netkit.BadgeRule, date, d netkit.Day) bool {
	return score.InWindow(int64(date), int64(d), int64(r.Window))
}

// clean counts the days since the latest revocation or upheld report, up to
// as many as are asked for.
func (x *Extra) clean(r *netkit.BadgeRule, date netkit.Day) netkit.Check {
	k := netkit.Check{Name: "days_without_revocation_or_upheld_report", Have: int64(r.CleanDays), Need: int64(r.CleanDays)}
	for _, was := range x.Incidents {
		k.Have = max(0, min(k.Have, int64(date-was.Day)))
	}
	return k
}

// shareOf is the part of total in basis points, rounded up, so that it keeps
// to a limit exactly when the part does.
func shareOf(part, total int64) int64 {
	if total == 0 {
		return 0
	}
	return (part*score.One + total - 1) / total
}

// field is what FIELD_AGENT asks of executions that stand.
func (a *AgentRow) field(r *netkit.BadgeRule, at Instant) iter.Seq[netkit.Check] {
	return func(yield func(netkit.Check) bool) {
		var by score.Tally[int64]
		var events, days int64
		last := netkit.Day(-1)
		for k := range a.Evidence {
			ev := &a.Evidence[k]
			if ev.Stands == 0 || !inBadgeWindow(r, at.real.Day(), ev.Day) || !ev.cleared(at) {
				continue
			}
			events += int64(ev.Stands)
			*by.Of(ev.With) += int64(ev.Stands)
			if ev.Day != last { // rows are sorted by day
				days, last = days+1, ev.Day
			}
		}
		_ = yield(netkit.Check{Name: "executions", Have: events, Need: int64(r.Events)}) &&
			yield(netkit.Check{Name: "sponsors", Have: int64(by.Len()), Need: int64(r.Counterparties)}) &&
			yield(netkit.Check{Name: "largest_share_of_a_sponsor", Have: shareOf(most(&by), events), Need: int64(r.LargestShare), Unit: netkit.Shares, AtMost: true}) &&
			yield(netkit.Check{Name: "active_days", Have: days, Need: int64(r.ActiveDays)})
	}
}

// senior is what SENIOR_CORRESPONDENT asks of backed answers.
func (x *Extra) senior(rows []Evidence, r *netkit.BadgeRule, z int64, date netkit.Day) iter.Seq[netkit.Check] {
	return func(yield func(netkit.Check) bool) {
		var by score.Tally[int64]
		var events, prompt, age int64
		var weeks int64
		last := -1
		for k := range x.Answers {
			a := &x.Answers[k]
			if !inBadgeWindow(r, date, a.Day) {
				continue
			}
			age = max(age, int64(date-a.Day))
			events++
			*by.Of(a.With)++
			if w := weekOf(a.Day); w != last { // rows are sorted by day
				weeks, last = weeks+1, w
			}
			if int64(a.Took)*score.One <= int64(a.Span)*int64(r.MedianDeadline) {
				prompt++
			}
		}
		_ = yield(netkit.Check{Name: "backed_answers", Have: events, Need: int64(r.Events)}) &&
			yield(netkit.Check{Name: "senders", Have: int64(by.Len()), Need: int64(r.Counterparties)}) &&
			yield(netkit.Check{Name: "largest_share_of_a_sender", Have: shareOf(most(&by), events), Need: int64(r.LargestShare), Unit: netkit.Shares, AtMost: true}) &&
			yield(netkit.Check{Name: "days_since_first_backed_answer", Have: age, Need: int64(r.FirstEventDays)}) &&
			yield(netkit.Check{Name: "wilson_of_answered", Have: score.Wilson(z, events, expired(rows, r, date)), Need: int64(r.Wilson), Unit: netkit.Shares}) &&
			yield(median("answers_within_"+r.MedianDeadline.String()+"_of_their_deadline", prompt, events)) &&
			yield(netkit.Check{Name: "active_weeks", Have: weeks, Need: int64(r.ActiveWeeks)})
	}
}

// expired counts the backed requests that an agent left to expire.
func expired(rows []Evidence, r *netkit.BadgeRule, date netkit.Day) (n int64) {
	for k := range rows {
		if ev := &rows[k]; inBadgeWindow(r, date, ev.Day) {
			n += int64(ev.Expired)
		}
	}
	return n
}

// weekOf numbers the weeks that begin on a Monday.
func weekOf(d netkit.Day) int { return int(d+3) / 7 }

// median asks that at least half of the values keep to a limit, which is what
// it means that their (lower) median does.
func median(name string, within, total int64) netkit.Check {
	return netkit.Check{Name: name, Have: within, Need: max(1, (total+1)/2)}
}

// dispute is what DISPUTE_MASTER asks of verdicts in final cases.
func (x *Extra) dispute(r *netkit.BadgeRule, z int64, date netkit.Day) iter.Seq[netkit.Check] {
	return func(yield func(netkit.Check) bool) {
		var reporters, reported score.Tally[int64]
		var events, agreed, prompt int64
		for k := range x.Verdicts {
			v := &x.Verdicts[k]
			if !inBadgeWindow(r, date, v.Day) {
				continue
			}
			events++
			*reporters.Of(v.Reporter)++
			*reported.Of(v.Reported)++
			if v.Agreed {
				agreed++
			}
			if v.Took <= netkit.Millis(r.MedianHours)*netkit.Hour {
				prompt++
			}
		}
		_ = yield(netkit.Check{Name: "final_verdicts", Have: events, Need: int64(r.Events)}) &&
			yield(netkit.Check{Name: "reporters", Have: int64(reporters.Len()), Need: int64(r.Counterparties)}) &&
			yield(netkit.Check{Name: "reported", Have: int64(reported.Len()), Need: int64(r.Reported)}) &&
			yield(netkit.Check{Name: "wilson_of_agreement", Have: score.Wilson(z, agreed, events-agreed), Need: int64(r.Wilson), Unit: netkit.Shares}) &&
			yield(median("verdicts_within_"+strconv.Itoa(r.MedianHours)+"_hours", prompt, events))
	}
}

// ExplainBadges lists for each badge which of its conditions an agent meets; nil is
// yesterday.
func (s *State) ExplainBadges(agent string, date *netkit.Day, now netkit.Millis) (netkit.Explanation, error) {
	i, p, err := s.agent("agent", agent)
	if err != nil {
		return netkit.Explanation{}, err
	}
	on := s.today(now) - 1
	if date != nil {
		if on = *date; on > s.today(now) {
			return netkit.Explanation{}, netkit.Invalid("query.date", code.TimeFuture, "is yet to come", "name a date up to today")
		}
	}
	at := min(s.Moment(now), LastMoment(on))
	out := netkit.Explanation{Agent: agent, Date: on, Badges: []netkit.BadgeExplanation{}, AsOf: s.AsOf(now)}
	for k := range s.law.Badges {
		r := &s.law.Badges[k]
		b := netkit.BadgeExplanation{Badge: r.Name, Held: p.Badges.Has(r.Name), Earned: true}
		for c := range s.checks(i, r, at) {
			b.Earned = b.Earned && c.Met()
			b.Conditions = append(b.Conditions, c.Condition())
		}
		out.Badges = append(out.Badges, b)
	}
	return out, nil
}
