package rules

import (
	"iter"

	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// groups counts by two keys, so that a whole group can be forgotten at once.
type groups[K, L comparable] struct {
	M     map[K]*group[L]
	saved []groupSlot[K, L]

	freeze *undo.Freeze
	then   undo.Keep[K, *group[L]]
	noted  []*group[L] // groups that keep something for the freeze
}

// group counts by the second key.
type group[L comparable] struct {
	counts map[L]uint32
	then   undo.Keep[L, uint32]
	noting bool
}

type groupSlot[K, L comparable] struct {
	group K
	key   L
	old   uint32
	had   bool      // a count of 0 is not the same as none
	whole *group[L] // set when the group was forgotten
}

func newGroups[K, L comparable]() groups[K, L] { return groups[K, L]{M: map[K]*group[L]{}} }

func (x *groups[K, L]) count(group K, key L) uint32 { return x.of(group)[key] }

// of returns the counts of a group for reading only.
func (x *groups[K, L]) of(group K) map[L]uint32 {
	if g := x.M[group]; g != nil {
		return g.counts
	}
	return nil
}

// len returns how many keys there are in all groups.
func (x *groups[K, L]) len() (n int) {
	for _, g := range x.M {
		n += len(g.counts)
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

func (x *groups[K, L]) set(of K, key L, count uint32) {
	g := x.M[of]
	if g == nil {
		g = &group[L]{counts: map[L]uint32{}}
		x.then.Note(of, nil, false)
		x.M[of] = g
	}
	old, had := g.counts[key]
	x.note(g)
	g.then.Note(key, old, had)
	x.saved = append(x.saved, groupSlot[K, L]{group: of, key: key, old: old, had: had})
	g.counts[key] = count
}

// note makes a group keep its counts for the freeze, if there is one.
func (x *groups[K, L]) note(g *group[L]) {
	if x.freeze != nil && !g.noting {
		g.noting, x.noted = true, append(x.noted, g)
		g.then.Freeze(x.freeze)
	}
}

func (x *groups[K, L]) forget(group K) {
	if g, ok := x.M[group]; ok {
		x.then.Note(group, g, true)
		x.saved = append(x.saved, groupSlot[K, L]{group: group, whole: g})
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
			delete(x.of(s.group), s.key)
			if len(x.of(s.group)) == 0 {
				delete(x.M, s.group)
			}
		default:
			x.of(s.group)[s.key] = s.old
		}
	}
	x.Commit()
}

// Freeze keeps the counts as they are; nil ends that.
func (x *groups[K, L]) Freeze(f *undo.Freeze) {
	for _, g := range x.noted {
		g.noting = false
		g.then.Freeze(nil)
	}
	clear(x.noted)
	x.freeze, x.noted = f, x.noted[:0]
	x.then.Freeze(f)
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
	if !c.Reading() {
		wire.Each(c, name, groupRowsAt(undo.FreezeOf(c.Freeze), x), object[groupRow])
		return
	}
	var all []groupRow
	wire.List(c, name, &all, object[groupRow])
	for _, r := range all {
		if x.M[K(r.group)] == nil {
			x.M[K(r.group)] = &group[L]{counts: map[L]uint32{}}
		}
		x.M[K(r.group)].counts[L(r.key)] = uint32(r.count)
	}
}

// groupRowsAt returns the counts as they were at a freeze, in order; without one, as
// they are.
func groupRowsAt[K ~int32 | ~uint32 | ~uint64, L ~uint32 | ~uint64](f *undo.Freeze, x *groups[K, L]) iter.Seq[*groupRow] {
	return func(yield func(*groupRow) bool) {
		all := new(undo.Keep[K, *group[L]])
		if f != nil {
			all = &x.then
		}
		for _, g := range all.Pairs(x.M, undo.ByKey) {
			counts := new(undo.Keep[L, uint32])
			if f != nil {
				x.note(g.Value)
				counts = &g.Value.then
			}
			for _, row := range counts.Pairs(g.Value.counts, undo.ByKey) {
				if !yield(&groupRow{uint64(g.Key), uint64(row.Key), uint64(row.Value)}) {
					return
				}
			}
		}
	}
}
