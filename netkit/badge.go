package netkit

import (
	"context"
	"fmt"
	"math/bits"
	"strings"

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
// yesterday, the last date that is over.
func (n *Network) Explain(ctx context.Context, agent string, date *Day) (Explanation, error) {
	now := n.Now()
	return view(ctx, n, func(s *state) (Explanation, error) {
		i, p, err := s.agent("agent", agent)
		if err != nil {
			return Explanation{}, err
		}
		on := s.today(now) - 1
		if date != nil {
			on = *date
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
