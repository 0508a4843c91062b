package undo_test

import (
	"cmp"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/agentnet/netctl/netkit/internal/undo"
)

// parts is a state with a part of each kind.
type parts struct {
	random *rand.Rand
	table  undo.Table[row]
	rows   undo.Rows[row]
	index  undo.Index[int, int]
	inner  undo.Images[int] // of what rows of the table point to
	next   uint64           // number of a row
}

type row struct {
	value int
	inner *int
}

// plain is what parts held at a moment, copied by reading all of it.
type plain struct {
	table []int // value and what inner points to, in turn
	rows  map[uint64]int
	index map[int]int
}

func (p *parts) all() []undo.Part { return []undo.Part{&p.table, &p.rows, &p.index, &p.inner} }

// copied returns the present state.
func (p *parts) copied() plain {
	out := plain{rows: map[uint64]int{}, index: maps.Clone(p.index.M)}
	for _, r := range p.table.All() {
		out.table = append(out.table, r.value, *r.inner)
	}
	for id, r := range p.rows.All() {
		out.rows[id] = r.value
	}
	return out
}

// frozen reads the state of a freeze, with a pause after each row.
func (p *parts) frozen(f *undo.Freeze) plain {
	out := plain{rows: map[uint64]int{}, index: map[int]int{}}
	for _, r := range p.table.Then(f) {
		out.table = append(out.table, r.value, *undo.Then(f, r.inner))
		f.Pause()
	}
	for id, r := range p.rows.Then(f) {
		out.rows[id] = r.value
		f.Pause()
	}
	for k := range 40 {
		if v, ok := p.index.Then(f, k); ok {
			out.index[k] = v
		}
		f.Pause()
	}
	listed := p.index.Pairs(f, undo.ByKey)
	if len(listed) != len(out.index) || !slices.IsSortedFunc(listed, undo.ByKey) {
		out.index[-1] = len(listed) // is equal to nothing
	}
	for _, e := range listed {
		if out.index[e.Key] != e.Value {
			out.index[-1] = e.Key
		}
	}
	return out
}

// change makes one change.
func (p *parts) change() {
	v := int(p.random.Uint32())
	switch k := p.random.IntN(40); p.random.IntN(8) {
	case 0:
		p.table.Add(row{v, new(int)})
	case 1, 2:
		if n := p.table.Len(); n > 0 {
			r := p.table.Edit(p.table.At(p.random.Uint32N(uint32(n))))
			r.value = v
			*p.inner.Edit(r.inner)++
			if k == 0 {
				r.inner = &v
			}
		}
	case 3:
		p.next++
		p.rows.Add(p.next, row{value: v})
	case 4:
		if r, ok := p.rows.Get(1 + p.random.Uint64N(p.next+1)); ok {
			p.rows.Edit(r).value = v
		}
	case 5:
		p.rows.Drop(1 + p.random.Uint64N(p.next+1))
	case 6:
		p.index.Put(k, v)
	default:
		p.index.Drop(k)
	}
}

// batch makes changes, reads between them, and keeps or loses them.
func (p *parts) batch(read func()) {
	for range p.random.IntN(12) {
		p.change()
		read()
	}
	lost := p.random.IntN(3) == 0
	for _, part := range p.all() {
		if lost {
			part.Rollback()
		} else {
			part.Commit()
		}
	}
	read()
}

// step is a lock that leaves its caller at each chance.
type step func()

func (s step) Pause() { s() }

func (s step) Without(do func()) { s(); do(); s() }

// A freeze that is read a few rows at a time, while batches are kept and lost, is
// what a copy of everything was at its moment.
func TestFreezeAgainstCopy(t *testing.T) {
	p := &parts{random: rand.New(rand.NewPCG(5, 8)), index: undo.NewIndex[int, int]()}
	changed := 0
	for range 300 {
		want := p.copied()
		var got plain
		next, _ := iter.Pull(func(yield func(struct{}) bool) {
			f := undo.NewFreeze(step(func() { yield(struct{}{}) }))
			for _, part := range p.all() {
				part.Freeze(f)
			}
			yield(struct{}{})
			got = p.frozen(f)
		})
		next()
		for more := true; more; {
			p.batch(func() {
				for k := p.random.IntN(1 + p.random.IntN(40)); k > 0 && more; k-- {
					_, more = next()
				}
			})
		}
		for _, part := range p.all() {
			part.Freeze(nil)
		}
		if !slices.Equal(got.table, want.table) || !maps.Equal(got.rows, want.rows) || !maps.Equal(got.index, want.index) {
			t.Fatalf("got %v, want %v", got, want)
		}
		if now := p.copied(); !slices.Equal(now.table, want.table) && !maps.Equal(now.rows, want.rows) && !maps.Equal(now.index, want.index) {
			changed++
		}
	}
	if changed < 100 {
		t.Errorf("all parts changed during %d freezes only", changed)
	}
}

// Once a freeze ended, nothing is kept, and the present state is read.
func TestThawed(t *testing.T) {
	x := undo.NewIndex[string, int]()
	x.Put("a", 1)
	x.Commit()
	f := undo.NewFreeze(step(func() {}))
	x.Freeze(f)
	x.Put("a", 2)
	if v, _ := x.Then(f, "a"); v != 1 {
		t.Errorf("at the freeze: got %d, want 1", v)
	}
	x.Freeze(nil)
	if v, _ := x.Then(nil, "a"); v != 2 {
		t.Errorf("thawed: got %d, want 2", v)
	}
	byValue := func(a, b undo.Pair[string, int]) int { return cmp.Compare(a.Value, b.Value) }
	if got := x.Pairs(nil, byValue); len(got) != 1 || got[0].Value != 2 {
		t.Errorf("thawed: got %v", got)
	}
}
