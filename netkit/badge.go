package netkit

import (
	"fmt"
	"slices"
)

// held is a badge on an agent's wall. A badge stays active until revoked.
type held struct {
	badge   Badge
	issued  Day
	revoked Millis // 0 while active; what follows is of the revocation
	entry   uint64
	reason  string
	revoker string
	witness string
}

func (h *held) fields(c *codec) {
	enum(c, "badge", &h.badge, badgeNames)
	num(c, "issued", &h.issued)
	num(c, "revoked", &h.revoked)
	num(c, "entry", &h.entry)
	str(c, "reason", &h.reason)
	str(c, "revoker", &h.revoker)
	str(c, "witness", &h.witness)
}

func (p *party) activeBadges() int {
	n := 0
	for i := range p.agent.badges {
		if p.agent.badges[i].revoked == 0 {
			n++
		}
	}
	return n
}

// holdsOneOf reports whether one of the badges is active, or none is asked.
func (p *party) holdsOneOf(want []Badge) bool {
	for i := range p.agent.badges {
		if h := &p.agent.badges[i]; h.revoked == 0 && slices.Contains(want, h.badge) {
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
}

func (*badgeIssued) kind() Kind { return "badge.issued" }

func (f *badgeIssued) fields(c *codec) {
	str(c, "agent", &f.Agent)
	enum(c, "badge", &f.Badge, badgeNames)
	num(c, "date", &f.Date)
}

func (f *badgeIssued) apply(s *state, e *Entry) {
	if i, ok := s.slugs.get(f.Agent); ok {
		p := s.parties.change(i)
		p.agent.badges = append(p.agent.badges, held{badge: f.Badge, issued: f.Date})
		s.notify(i, e.Seq, noticeBadgeIssued)
	}
}

func (f *badgeIssued) notice(noticeKind, string) (uint64, string) {
	return 0, fmt.Sprintf("The night of %s issued you the badge %s.", f.Date, f.Badge)
}

// tell is the public event.
func (f *badgeIssued) tell(*Entry) any { return BadgeIssue{f.Agent, f.Badge, f.Date} }
