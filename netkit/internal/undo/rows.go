package undo

import (
	"iter"
	"slices"
	"sort"
)

// Rows holds rows by ascending numbers. Unlike a [Table] it can drop any of
// them, and then keeps no memory for it.
type Rows[T any] struct {
	Images[T]
	rows    map[uint64]*T
	order   []numbered[T] // by number; row is nil where it was dropped
	holes   int           // of these
	kept    int           // length of order at the last commit
	dropped []numbered[T] // since then
	frozen  []numbered[T] // order at the freeze
}

type numbered[T any] struct {
	id  uint64
	row *T
}

// Len returns the number of rows.
func (r *Rows[T]) Len() int { return len(r.rows) }

// Get returns row id for reading only, and whether there is one.
func (r *Rows[T]) Get(id uint64) (*T, bool) { row, ok := r.rows[id]; return row, ok }

// Add adds a row whose number is greater than all before, and returns it for
// writing: a rollback removes it whole.
func (r *Rows[T]) Add(id uint64, row T) *T {
	if r.rows == nil {
		r.rows = map[uint64]*T{}
	}
	r.rows[id] = &row
	r.order = append(r.order, numbered[T]{id, &row})
	return &row
}

// Drop removes row id.
func (r *Rows[T]) Drop(id uint64) {
	row, ok := r.rows[id]
	if !ok {
		return
	}
	delete(r.rows, id)
	r.dropped = append(r.dropped, numbered[T]{id, row})
	at := &r.order[r.from(id)]
	keepThen(r.freeze, at)
	at.row = nil
	r.holes++
}

// from returns where in the order the rows from a number on begin.
func (r *Rows[T]) from(id uint64) int {
	return sort.Search(len(r.order), func(k int) bool { return r.order[k].id >= id })
}

// minHoles is how many dropped rows make it worth to close the gaps.
const minHoles = 512

// Commit forgets the before-images, and closes the gaps in the order once half
// of it is gaps.
func (r *Rows[T]) Commit() {
	r.Images.Commit()
	clear(r.dropped)
	r.dropped = r.dropped[:0]
	if r.holes >= minHoles && r.holes > len(r.order)/2 {
		live := make([]numbered[T], 0, len(r.rows))
		for _, x := range r.order {
			if x.row != nil {
				live = append(live, x)
			}
		}
		r.order, r.holes = live, 0
	}
	r.kept = len(r.order)
}

// Rollback brings dropped rows back, puts changed ones back and removes added
// ones.
func (r *Rows[T]) Rollback() {
	r.Images.Rollback()
	for _, x := range slices.Backward(r.dropped) {
		r.rows[x.id], r.order[r.from(x.id)].row = x.row, x.row
		r.holes--
	}
	clear(r.dropped)
	r.dropped = r.dropped[:0]
	for _, x := range r.order[r.kept:] {
		delete(r.rows, x.id)
	}
	clear(r.order[r.kept:])
	r.order = r.order[:r.kept]
}

// Freeze keeps the rows as they are; nil ends that.
func (r *Rows[T]) Freeze(f *Freeze) {
	r.Images.Freeze(f)
	if r.frozen = nil; f != nil {
		r.frozen = r.order
	}
}

// Then returns the rows as they were at the freeze, in the order of their numbers;
// without one, as they are.
func (r *Rows[T]) Then(f *Freeze) iter.Seq2[uint64, *T] {
	if f == nil {
		return r.All()
	}
	return func(yield func(uint64, *T) bool) {
		for i := range r.frozen {
			if x := Then(f, &r.frozen[i]); x.row != nil && !yield(x.id, Then(f, x.row)) {
				return
			}
		}
	}
}

// All returns the rows in the order of their numbers, for reading only.
func (r *Rows[T]) All() iter.Seq2[uint64, *T] {
	return func(yield func(uint64, *T) bool) {
		for _, x := range r.order {
			if x.row != nil && !yield(x.id, x.row) {
				return
			}
		}
	}
}

// Below returns the rows below a number, the greatest first, for reading only.
func (r *Rows[T]) Below(id uint64) iter.Seq2[uint64, *T] {
	return func(yield func(uint64, *T) bool) {
		for _, x := range slices.Backward(r.order[:r.from(id)]) {
			if x.row != nil && !yield(x.id, x.row) {
				return
			}
		}
	}
}
