package rules

import (
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// groups counts by two keys, so that a whole group can be forgotten at once.
type groups[K, L comparable] struct {
	M     map[K]map[L]uint32
	saved []groupSlot[K, L]
}

type groupSlot[K, L comparable] struct {
	group K
	key   L
	old   uint32
	had   bool         // a count of 0 is not the same as none
	whole map[L]uint32 // set when the group was forgotten
}

func newGroups[K, L comparable]() groups[K, L] { return groups[K, L]{M: map[K]map[L]uint32{}} }

func (x *groups[K, L]) count(group K, key L) uint32 { return x.M[group][key] }

// len returns how many keys there are in all groups.
func (x *groups[K, L]) len() (n int) {
	for _, of := range x.M {
		n += len(of)
	}
	return n
}

func (x *groups[K, L]) inc(group K, key L) { x.set(group, key, x.count(group, key)+1) }

// dec takes one off a count, if there is one.
func (x *groups[K, L]) dec(group K, key L) {
	if n := x.count(group, key); n > 0 {
		x.set(group, key, n-1)
	}
}

func (x *groups[K, L]) set(group K, key L, count uint32) {
	counts := x.M[group]
	if counts == nil {
		counts = map[L]uint32{}
		x.M[group] = counts
	}
	old, had := counts[key]
	x.saved = append(x.saved, groupSlot[K, L]{group: group, key: key, old: old, had: had})
	counts[key] = count
}

func (x *groups[K, L]) forget(group K) {
	if counts, ok := x.M[group]; ok {
		x.saved = append(x.saved, groupSlot[K, L]{group: group, whole: counts})
		delete(x.M, group)
	}
}

// Commit forgets the before-images.
func (x *groups[K, L]) Commit() { clear(x.saved); x.saved = x.saved[:0] }

// Rollback puts them back.
func (x *groups[K, L]) Rollback() {
	for i := len(x.saved) - 1; i >= 0; i-- {
		switch s := x.saved[i]; {
		case s.whole != nil:
			x.M[s.group] = s.whole
		case !s.had:
			delete(x.M[s.group], s.key)
			if len(x.M[s.group]) == 0 {
				delete(x.M, s.group)
			}
		default:
			x.M[s.group][s.key] = s.old
		}
	}
	x.Commit()
}

// groupRow is one line of groups.
type groupRow struct{ group, key, count uint64 }

func (r *groupRow) Fields(c *wire.Codec) {
	wire.Num(c, "group", &r.group)
	wire.Num(c, "key", &r.key)
	wire.Num(c, "count", &r.count)
}

// groupRows carries groups, whose keys are numbers.
func groupRows[K ~int32 | ~uint32 | ~uint64, L ~uint32 | ~uint64](c *wire.Codec, name string, x *groups[K, L]) {
	var all []groupRow
	if !c.Reading() {
		for _, group := range SortedKeys(x.M) {
			for _, key := range SortedKeys(x.M[group]) {
				all = append(all, groupRow{uint64(group), uint64(key), uint64(x.M[group][key])})
			}
		}
	}
	wire.List(c, name, &all, object[groupRow])
	if c.Reading() {
		for _, r := range all {
			if x.M[K(r.group)] == nil {
				x.M[K(r.group)] = map[L]uint32{}
			}
			x.M[K(r.group)][L(r.key)] = uint32(r.count)
		}
	}
}
