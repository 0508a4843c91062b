package undo

import (
	"cmp"
	"slices"
)

// Freeze shows parts as they were at one moment between two batches, while they
// change: the first change of a row after it keeps a copy of the row. A reader of
// a freeze holds the lock that the writers of the parts hold as well.
type Freeze struct {
	old  map[any]any // copies of changed rows, by address
	lock Lock
}

// Lock guards the parts of a state while a freeze is read.
type Lock interface {
	Pause()         // is called between rows: it may let writers go first
	Without(func()) // calls a function that reads no part
}

// NewFreeze returns a freeze for the Freeze methods of all parts of a state.
func NewFreeze(l Lock) *Freeze { return &Freeze{old: map[any]any{}, lock: l} }

// FreezeOf returns the freeze that a codec has, nil where it has none.
func FreezeOf(f interface{ Pause() }) *Freeze {
	of, _ := f.(*Freeze)
	return of
}

// Pause lets writers go first now and then. On nil it does nothing.
func (f *Freeze) Pause() {
	if f != nil {
		f.lock.Pause()
	}
}

// without calls do without the lock.
func (f *Freeze) without(do func()) {
	if f == nil {
		do()
		return
	}
	f.lock.Without(do)
}

// Then returns p, or the copy of its value at the freeze if that has changed since.
// On nil it returns p.
func Then[T any](f *Freeze, p *T) *T {
	if f != nil {
		if old, ok := f.old[p]; ok {
			return old.(*T)
		}
	}
	return p
}

// keepThen keeps a copy of the value at p, unless an older one is kept.
func keepThen[T any](f *Freeze, p *T) {
	if f == nil {
		return
	}
	if _, ok := f.old[p]; !ok {
		old := *p
		f.old[p] = &old
	}
}

// Keep notes how the entries of a map were at a freeze. The zero value belongs to
// a map that is not frozen.
type Keep[K comparable, V any] struct {
	freeze *Freeze
	old    map[K]slot[K, V]
}

// Freeze begins to keep; nil ends it.
func (x *Keep[K, V]) Freeze(f *Freeze) { *x = Keep[K, V]{freeze: f} }

// Note keeps the entry of k, before it changes.
func (x *Keep[K, V]) Note(k K, v V, had bool) {
	if x.freeze == nil {
		return
	}
	if _, ok := x.old[k]; ok {
		return
	}
	if x.old == nil {
		x.old = map[K]slot[K, V]{}
	}
	x.old[k] = slot[K, V]{k, v, had}
}

// then returns the value of k at the freeze, and whether there was one.
func (x *Keep[K, V]) then(m map[K]V, k K) (V, bool) {
	if s, ok := x.old[k]; ok {
		return s.old, s.had
	}
	v, ok := m[k]
	return v, ok
}

// Pair is an entry of a map.
type Pair[K, V any] struct {
	Key   K
	Value V
}

// Pairs returns the entries of m, as they were at the freeze if there is one, in
// order. A freeze can ask once: nothing is kept any more then.
func (x *Keep[K, V]) Pairs(m map[K]V, order func(a, b Pair[K, V]) int) []Pair[K, V] {
	f, n := x.freeze, len(m)
	var all []Pair[K, V]
	f.without(func() { all = make([]Pair[K, V], 0, n+n/8) })
	for k, v := range m {
		if _, changed := x.old[k]; !changed {
			all = append(all, Pair[K, V]{k, v})
		}
		f.Pause()
	}
	x.freeze = nil
	f.without(func() {
		if len(x.old) > 0 { // some of these changed after they were listed
			all = slices.DeleteFunc(all, func(p Pair[K, V]) bool {
				_, changed := x.old[p.Key]
				return changed
			})
		}
		for k, s := range x.old {
			if s.had {
				all = append(all, Pair[K, V]{k, s.old})
			}
		}
		slices.SortFunc(all, order)
	})
	return all
}

// ByKey orders entries by their keys.
func ByKey[K cmp.Ordered, V any](a, b Pair[K, V]) int { return cmp.Compare(a.Key, b.Key) }
