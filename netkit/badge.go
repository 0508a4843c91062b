package netkit

import (
	"context"
	"fmt"
	"iter"
	"math/bits"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/score"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// held is a badge on an agent's wall. A badge stays active until revoked.
type held struct {
	badge   Badge
	issued  Day
	seq     uint64 // of the entry that issued it
	revoked Millis // 0 while active; what follows is of the revocation
	entry   uint64
	reason  string
	revoker string
	witness string
	of      uint64 // the case behind it, 0 without one
}

func (h *held) fields(c *wire.Codec) {
	enum(c, "badge", &h.badge, badgeNames)
	wire.Num(c, "issued", &h.issued)
	wire.Num(c, "seq", &h.seq)
	wire.Num(c, "revoked", &h.revoked)
	wire.Num(c, "entry", &h.entry)
	wire.Str(c, "reason", &h.reason)
	wire.Str(c, "revoker", &h.revoker)
	wire.Str(c, "witness", &h.witness)
	wire.Num(c, "case", &h.of)
}

// badgeSet is a set of badges, a bit each.
type badgeSet uint8

// activeOn returns the badges of a wall that are active.
func activeOn(wall []held) (set badgeSet) {
	for i := range wall {
		if wall[i].revoked == 0 {
			set |= 1 << wall[i].badge
		}
	}
	return set
}

// setOf returns the set of some badges.
func setOf(badges []Badge) (set badgeSet) {
	for _, b := range badges {
		set |= 1 << b
	}
	return set
}

func (set badgeSet) len() int { return bits.OnesCount8(uint8(set)) }

func (set badgeSet) has(b Badge) bool { return set&(1<<b) != 0 }

// String lists the names of a set, "none" of the empty one.
func (set badgeSet) String() string {
	var names []string
	for b := range Badge(len(badgeNames)) {
		if set.has(b) {
			names = append(names, b.String())
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// revocation returns what stands in the entry of the badge's revocation, nil
// while it is active.
func (h *held) revocation() *RevocationView {
	if h.revoked == 0 {
		return nil
	}
	return &RevocationView{Reason: h.reason, Revoker: h.revoker, Witness: h.witness, At: h.revoked, Seq: h.entry}
}

// BadgeIssued records that the night issued a badge. Nothing else makes one.
type BadgeIssued struct {
	Agent string
	Badge Badge
	Date  Day // the date that was closed
	// What the agent had on that date, and the tree of the entries that say so:
	// all before this one.
	Reputation Percent
	Diversity  Ratio
	Tree       TreeHead
}

func (*BadgeIssued) kind() Kind { return KindBadgeIssued }

func (*BadgeIssued) asked(*pastView) (command, error) { return nil, nil }

func (f *BadgeIssued) fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	enum(c, "badge", &f.Badge, badgeNames)
	wire.Num(c, "date", &f.Date)
	wire.Num(c, "reputation", &f.Reputation)
	wire.Num(c, "diversity", &f.Diversity)
	f.Tree.fields(c)
}

func (f *BadgeIssued) cite(_ *state, _ *Entry, before, _ TreeHead) { f.Tree = before }

func (f *BadgeIssued) cited() TreeHead { return f.Tree }

func (f *BadgeIssued) apply(s *state, e *Entry) {
	if i, ok := s.slugs.Get(f.Agent); ok {
		x := s.changeExtra(i)
		x.wall = append(x.wall, held{badge: f.Badge, issued: f.Date, seq: e.Seq})
		s.parties.Change(i).badges |= 1 << f.Badge
		s.notify(i, e.Seq, noticeBadgeIssued)
	}
}

func (f *BadgeIssued) notice(noticeKind, string) (uint64, string) {
	return 0, fmt.Sprintf("The night of %s issued you the badge %s.", f.Date, f.Badge)
}

// tell is the public event.
func (f *BadgeIssued) tell(*Entry) any { return BadgeIssue{f.Agent, f.Badge, f.Date} }

// Explanation says for each badge which of its conditions an agent meets.
type Explanation struct {
	Agent  string             `json:"agent"`
	Date   Day                `json:"date" doc:"on which the windows end"`
	Badges []BadgeExplanation `json:"badges"`
	AsOf   AsOf               `json:"as_of"`
}

// BadgeExplanation is the judgement of one badge.
type BadgeExplanation struct {
	Badge      Badge       `json:"badge"`
	Held       bool        `json:"held" doc:"active on the agent's wall"`
	Earned     bool        `json:"earned" doc:"all conditions are met"`
	Conditions []Condition `json:"conditions"`
}

// Condition is one thing that a badge asks for.
type Condition struct {
	Name    string `json:"name"`
	Need    string `json:"need"`
	Have    string `json:"have"`
	Missing string `json:"missing,omitempty" doc:"by how much it misses"`
	Met     bool   `json:"met"`
}

// Explain tells of each badge which of its conditions an agent meets and by
// how much it misses the others, with windows that end on a date; nil is
// yesterday, the last date that is over. A date to come is refused.
//
// Refusals: agent_unknown, time_future.
func (ses *Session) Explain(ctx context.Context, agent string, date *Day) (Explanation, error) {
	now := ses.n.Now()
	return view(ctx, ses.n, func(s *state) (Explanation, error) {
		i, p, err := s.agent("agent", agent)
		if err != nil {
			return Explanation{}, err
		}
		on := s.today(now) - 1
		if date != nil {
			if on = *date; on > s.today(now) {
				return Explanation{}, invalid("query.date", code.TimeFuture, "is yet to come", "name a date up to today")
			}
		}
		at := min(s.moment(now), lastMoment(on))
		out := Explanation{Agent: agent, Date: on, Badges: []BadgeExplanation{}, AsOf: s.asOf(now)}
		for k := range s.law.Badges {
			r := &s.law.Badges[k]
			b := BadgeExplanation{Badge: r.Name, Held: p.badges.has(r.Name), Earned: true}
			for c := range s.checks(i, r, at) {
				b.Earned = b.Earned && c.met()
				b.Conditions = append(b.Conditions, c.condition())
			}
			out.Badges = append(out.Badges, b)
		}
		return out, nil
	})
}

// condition shows a check to people.
func (k *check) condition() Condition {
	c := Condition{Name: k.name, Need: k.needed(), Have: k.unit.show(k.have), Met: k.met()}
	if !c.Met && len(k.of) == 0 && k.unit != confirmations {
		c.Missing = k.unit.show(max(k.need-k.have, k.have-k.need))
	}
	return c
}

func (k *check) needed() string {
	switch {
	case len(k.of) > 0:
		return "one of " + setOf(k.of).String()
	case k.unit == confirmations:
		return k.unit.show(k.need)
	case k.atMost:
		return "at most " + k.unit.show(k.need)
	}
	return "at least " + k.unit.show(k.need)
}

// String says in one line what is there and what is asked for.
func (c Condition) String() string {
	return strings.ReplaceAll(c.Name, "_", " ") + ": " + c.Have + " (needs " + c.Need + ")"
}

// The badges' conditions stand here once: the night asks whether all are met
// and stops at the first that is not, an explanation shows each with its
// numbers.

// check is one condition of a badge or a tier, in whole numbers of its unit.
type check struct {
	name       string
	have, need int64
	unit       unit
	atMost     bool    // have must not exceed need; else it must reach it
	of         []Badge // of badgeSets: one of these is asked for
}

// diversityCheck is the name of the condition that others' payments can move.
const diversityCheck = "counterparty_diversity_score"

func (k *check) met() bool {
	if k.atMost {
		return k.have <= k.need
	}
	return k.have >= k.need
}

// oneIf is 1 for true and 0 for false.
func oneIf(met bool) int64 {
	if met {
		return 1
	}
	return 0
}

// unit says how the numbers of a check are shown.
type unit uint8

const (
	wholes        unit = iota
	shares             // basis points shown as 0.30
	points             // basis points shown as 95.00
	confirmations      // 0 and 1 shown as not confirmed and confirmed
	badgeSets          // badges of a badgeSet
)

func (u unit) show(n int64) string {
	switch u {
	case shares:
		return Ratio(n).String()
	case points:
		return Percent(n).String()
	case confirmations:
		return []string{"not confirmed", "confirmed"}[n]
	case badgeSets:
		return badgeSet(n).String()
	}
	return strconv.FormatInt(n, 10)
}

// checks yields what a badge asks for, with windows that end on date; see
// Economy in the package documentation. What is cheap to find out comes first.
func (s *state) checks(i uint32, r *BadgeRule, at Millis) iter.Seq[check] {
	return func(yield func(check) bool) {
		p, date := s.parties.At(i), at.Day()
		var own iter.Seq[check]
		switch r.Name {
		case FieldAgent:
			own = p.agent.field(r, s.instant(at))
		case SeniorCorrespondent:
			own = s.extra(p).senior(p.agent.evidence, r, s.law.Scores.z(), date)
		case DisputeMaster:
			own = s.extra(p).dispute(r, s.law.Scores.z(), date)
		default:
			yield(check{name: "known_to_this_version", need: 1})
			return
		}
		if !yield(check{name: "good_standing", have: oneIf(p.status == Active), need: 1}) || !yield(s.extra(p).clean(r, date)) {
			return
		}
		for k := range own {
			if !yield(k) {
				return
			}
		}
		if yield(check{name: diversityCheck, have: int64(s.diversity(i, at)), need: int64(r.Diversity), unit: shares}) && r.Reputation > 0 {
			yield(check{name: "reputation_score", have: int64(s.reputation(i, at)), need: int64(r.Reputation), unit: points})
		}
	}
}

// firstLack returns the name of the first condition that is not met; ok is that
// all are.
func (s *state) firstLack(i uint32, r *BadgeRule, at Millis) (name string, ok bool) {
	for k := range s.checks(i, r, at) {
		if !k.met() {
			return k.name, false
		}
	}
	return "", true
}

// within reports whether a day lies in the badge's look-back.
func (r *BadgeRule) within(date, d Day) bool {
	return score.InWindow(int64(date), int64(d), int64(r.Window))
}

// clean counts the days since the latest revocation or upheld report, up to
// as many as are asked for.
func (x *extra) clean(r *BadgeRule, date Day) check {
	k := check{name: "days_without_revocation_or_upheld_report", have: int64(r.CleanDays), need: int64(r.CleanDays)}
	for _, was := range x.incidents {
		k.have = max(0, min(k.have, int64(date-was.day)))
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
func (a *agentRow) field(r *BadgeRule, at instant) iter.Seq[check] {
	return func(yield func(check) bool) {
		var by score.Tally[int64]
		var events, days int64
		last := Day(-1)
		for k := range a.evidence {
			ev := &a.evidence[k]
			if ev.stands == 0 || !r.within(at.real.Day(), ev.day) || !ev.cleared(at) {
				continue
			}
			events += int64(ev.stands)
			*by.Of(ev.with) += int64(ev.stands)
			if ev.day != last { // rows are sorted by day
				days, last = days+1, ev.day
			}
		}
		_ = yield(check{name: "executions", have: events, need: int64(r.Events)}) &&
			yield(check{name: "sponsors", have: int64(by.Len()), need: int64(r.Counterparties)}) &&
			yield(check{name: "largest_share_of_a_sponsor", have: shareOf(most(&by), events), need: int64(r.LargestShare), unit: shares, atMost: true}) &&
			yield(check{name: "active_days", have: days, need: int64(r.ActiveDays)})
	}
}

// senior is what SENIOR_CORRESPONDENT asks of backed answers.
func (x *extra) senior(rows []evidence, r *BadgeRule, z int64, date Day) iter.Seq[check] {
	return func(yield func(check) bool) {
		var by score.Tally[int64]
		var events, prompt, age int64
		var weeks int64
		last := -1
		for k := range x.answers {
			a := &x.answers[k]
			if !r.within(date, a.day) {
				continue
			}
			age = max(age, int64(date-a.day))
			events++
			*by.Of(a.with)++
			if w := weekOf(a.day); w != last { // rows are sorted by day
				weeks, last = weeks+1, w
			}
			if int64(a.took)*score.One <= int64(a.span)*int64(r.MedianDeadline) {
				prompt++
			}
		}
		_ = yield(check{name: "backed_answers", have: events, need: int64(r.Events)}) &&
			yield(check{name: "senders", have: int64(by.Len()), need: int64(r.Counterparties)}) &&
			yield(check{name: "largest_share_of_a_sender", have: shareOf(most(&by), events), need: int64(r.LargestShare), unit: shares, atMost: true}) &&
			yield(check{name: "days_since_first_backed_answer", have: age, need: int64(r.FirstEventDays)}) &&
			yield(check{name: "wilson_of_answered", have: score.Wilson(z, events, expired(rows, r, date)), need: int64(r.Wilson), unit: shares}) &&
			yield(median("answers_within_"+r.MedianDeadline.String()+"_of_their_deadline", prompt, events)) &&
			yield(check{name: "active_weeks", have: weeks, need: int64(r.ActiveWeeks)})
	}
}

// expired counts the backed requests that an agent left to expire.
func expired(rows []evidence, r *BadgeRule, date Day) (n int64) {
	for k := range rows {
		if ev := &rows[k]; r.within(date, ev.day) {
			n += int64(ev.expired)
		}
	}
	return n
}

// weekOf numbers the weeks that begin on a Monday.
func weekOf(d Day) int { return int(d+3) / 7 }

// median asks that at least half of the values keep to a limit, which is what
// it means that their (lower) median does.
func median(name string, within, total int64) check {
	return check{name: name, have: within, need: max(1, (total+1)/2)}
}

// dispute is what DISPUTE_MASTER asks of verdicts in final cases.
func (x *extra) dispute(r *BadgeRule, z int64, date Day) iter.Seq[check] {
	return func(yield func(check) bool) {
		var reporters, reported score.Tally[int64]
		var events, agreed, prompt int64
		for k := range x.verdicts {
			v := &x.verdicts[k]
			if !r.within(date, v.day) {
				continue
			}
			events++
			*reporters.Of(v.reporter)++
			*reported.Of(v.reported)++
			if v.agreed {
				agreed++
			}
			if v.took <= Millis(r.MedianHours)*hour {
				prompt++
			}
		}
		_ = yield(check{name: "final_verdicts", have: events, need: int64(r.Events)}) &&
			yield(check{name: "reporters", have: int64(reporters.Len()), need: int64(r.Counterparties)}) &&
			yield(check{name: "reported", have: int64(reported.Len()), need: int64(r.Reported)}) &&
			yield(check{name: "wilson_of_agreement", have: score.Wilson(z, agreed, events-agreed), need: int64(r.Wilson), unit: shares}) &&
			yield(median("verdicts_within_"+strconv.Itoa(r.MedianHours)+"_hours", prompt, events))
	}
}
