package netkit

import (
	"fmt"
	"math/bits"
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
}

func (h *held) fields(c *codec) {
	enum(c, "badge", &h.badge, badgeNames)
	num(c, "issued", &h.issued)
	num(c, "seq", &h.seq)
	num(c, "revoked", &h.revoked)
	num(c, "entry", &h.entry)
	str(c, "reason", &h.reason)
	str(c, "revoker", &h.revoker)
	str(c, "witness", &h.witness)
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

func (p *party) activeBadges() int { return bits.OnesCount8(uint8(p.badges)) }

// holdsOneOf reports whether one of the badges is active, or none is asked.
func (p *party) holdsOneOf(want []Badge) bool {
	for _, b := range want {
		if p.badges&(1<<b) != 0 {
			return true
		}
	}
	return len(want) == 0
}

// revocation returns what stands in the entry of the badge's revocation, nil
// while it is active.
func (h *held) revocation() *RevocationView {
	if h.revoked == 0 {
		return nil
	}
	return &RevocationView{Reason: h.reason, Revoker: h.revoker, Witness: h.witness, At: h.revoked, Seq: h.entry}
}

// badgeIssued records that the night issued a badge. Nothing else makes one.
type badgeIssued struct {
	Agent string
	Badge Badge
	Date  Day // the date that was closed
	// What the agent had on that date, and the tree of the entries that say so:
	// all before this one.
	Reputation Percent
	Diversity  Ratio
	Tree       TreeHead
}

func (*badgeIssued) kind() Kind { return "badge.issued" }

func (*badgeIssued) asked(*hindsight) (command, error) { return nil, nil }

func (f *badgeIssued) fields(c *codec) {
	str(c, "agent", &f.Agent)
	enum(c, "badge", &f.Badge, badgeNames)
	num(c, "date", &f.Date)
	num(c, "reputation", &f.Reputation)
	num(c, "diversity", &f.Diversity)
	f.Tree.fields(c)
}

func (f *badgeIssued) cite(_ *state, _ *Entry, before, _ TreeHead) { f.Tree = before }

func (f *badgeIssued) cited() TreeHead { return f.Tree }

func (f *badgeIssued) apply(s *state, e *Entry) {
	if i, ok := s.slugs.get(f.Agent); ok {
		x := s.changeExtra(i)
		x.wall = append(x.wall, held{badge: f.Badge, issued: f.Date, seq: e.Seq})
		s.parties.change(i).badges |= 1 << f.Badge
		s.notify(i, e.Seq, noticeBadgeIssued)
	}
}

func (f *badgeIssued) notice(noticeKind, string) (uint64, string) {
	return 0, fmt.Sprintf("The night of %s issued you the badge %s.", f.Date, f.Badge)
}

// tell is the public event.
func (f *badgeIssued) tell(*Entry) any { return BadgeIssue{f.Agent, f.Badge, f.Date} }
