package netkit

import (
	"math/bits"
	"strings"
)

// BadgeSet is a set of badges, a bit each.
type BadgeSet uint8

// setOf returns the set of some badges.
func setOf(badges []Badge) (set BadgeSet) {
	for _, b := range badges {
		set |= 1 << b
	}
	return set
}

func (set BadgeSet) Len() int { return bits.OnesCount8(uint8(set)) }

func (set BadgeSet) Has(b Badge) bool { return set&(1<<b) != 0 }

// String lists the names of a set, "none" of the empty one.
func (set BadgeSet) String() string {
	var names []string
	for b := range Badge(len(BadgeNames)) {
		if set.Has(b) {
			names = append(names, b.String())
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
