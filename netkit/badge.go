package netkit

import "slices"

// held is a badge on an agent's wall. A badge stays active until revoked.
type held struct {
	badge   Badge
	issued  Day
	revoked Millis // 0 while active
}

func (h *held) fields(c *codec) {
	enum(c, "badge", &h.badge, badgeNames)
	num(c, "issued", &h.issued)
	num(c, "revoked", &h.revoked)
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
