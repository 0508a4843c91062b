// Package undo holds the tables and maps that a state is made of. Every change
// keeps the before-image of the open batch, so that a batch that was not
// written can be undone. No two parts may hold the same memory, since each
// undoes on its own.
package undo

import "iter"

// Part is one part of a state.
type Part interface {
	Commit()   // the open batch is durable: forget its before-images
	Rollback() // the open batch is lost: put them back
	// Freeze begins to keep the part as it is, between two batches, for readers
	// of the freeze; nil ends that.
	Freeze(*Freeze)
}

// Images keeps before-images of rows that live at stable addresses.
type Images[T any] struct {
	saved  []image[T]
	freeze *Freeze
}

type image[T any] struct {
	at  *T
	old T
}

// Edit returns p after keeping its present value for a rollback. A row that
// was kept a moment ago, such as the treasury, is not kept again: only the
// oldest image counts.
func (im *Images[T]) Edit(p *T) *T {
	for i := len(im.saved) - 1; i >= max(0, len(im.saved)-4); i-- {
		if im.saved[i].at == p {
			return p
		}
	}
	im.saved = append(im.saved, image[T]{p, *p})
	keepThen(im.freeze, p)
	return p
}

// Freeze keeps rows as they are; nil ends that.
func (im *Images[T]) Freeze(f *Freeze) { im.freeze = f }

// Commit forgets the before-images.
func (im *Images[T]) Commit() { im.saved = im.saved[:0] }

// Rollback puts the before-images back.
func (im *Images[T]) Rollback() {
	for i := len(im.saved) - 1; i >= 0; i-- {
		*im.saved[i].at = im.saved[i].old
	}
	im.Commit()
}

// chunk rows stand together: a table grows by whole chunks and never moves a
// row, since regrowing one of a million rows stalls everybody behind it.
const chunk = 1024

// Table is a list of rows that only grows; a row's number never changes.
type Table[T any] struct {
	Images[T]
	chunks [][]T
	n      uint32 // rows
	kept   uint32 // rows at the last commit
	frozen uint32 // rows at the freeze
}

// Len returns the number of rows.
func (t *Table[T]) Len() uint32 { return t.n }

// At returns row i for reading only.
func (t *Table[T]) At(i uint32) *T { return &t.chunks[i/chunk][i%chunk] }

// Change returns row i for writing.
func (t *Table[T]) Change(i uint32) *T { return t.Edit(t.At(i)) }

// Add appends a row and returns its number.
func (t *Table[T]) Add(row T) uint32 {
	i := t.n
	if int(i/chunk) == len(t.chunks) {
		t.chunks = append(t.chunks, make([]T, chunk))
	}
	*t.At(i) = row
	t.n++
	return i
}

// Commit forgets the before-images.
func (t *Table[T]) Commit() { t.Images.Commit(); t.kept = t.n }

// Rollback puts changed rows back and removes added ones.
func (t *Table[T]) Rollback() {
	t.Images.Rollback()
	var zero T
	for ; t.n > t.kept; t.n-- {
		*t.At(t.n - 1) = zero
	}
}

// Freeze keeps the table as it is; nil ends that.
func (t *Table[T]) Freeze(f *Freeze) { t.Images.Freeze(f); t.frozen = t.n }

// Then returns the rows as they were at the freeze, in order; without one, as
// they are.
func (t *Table[T]) Then(f *Freeze) iter.Seq2[uint32, *T] {
	if f == nil {
		return t.All()
	}
	return func(yield func(uint32, *T) bool) {
		for i := range t.frozen {
			if !yield(i, Then(f, t.At(i))) {
				return
			}
		}
	}
}

// Reset removes all rows, for good.
func (t *Table[T]) Reset() { t.n, t.chunks = 0, nil }

// All returns the rows in order, for reading only.
func (t *Table[T]) All() iter.Seq2[uint32, *T] {
	return func(yield func(uint32, *T) bool) {
		for i := range t.n {
			if !yield(i, t.At(i)) {
				return
			}
		}
	}
}

// Index is a map that can undo. M is open for reading, and for writing while a
// state is being restored; everything else goes through Put and Drop. Rows
// behind pointers are edited through Images of their own.
type Index[K comparable, V any] struct {
	M     map[K]V
	saved []slot[K, V]
	then  Keep[K, V]
}

type slot[K comparable, V any] struct {
	key K
	old V
	had bool
}

// NewIndex returns an empty map.
func NewIndex[K comparable, V any]() Index[K, V] { return Index[K, V]{M: map[K]V{}} }

// Get returns the value of k and whether there is one.
func (x *Index[K, V]) Get(k K) (V, bool) { v, ok := x.M[k]; return v, ok }

// Put sets the value of k.
func (x *Index[K, V]) Put(k K, v V) {
	old, had := x.M[k]
	x.saved = append(x.saved, slot[K, V]{k, old, had})
	x.then.Note(k, old, had)
	x.M[k] = v
}

// Drop removes k.
func (x *Index[K, V]) Drop(k K) {
	if old, had := x.M[k]; had {
		x.saved = append(x.saved, slot[K, V]{k, old, true})
		x.then.Note(k, old, true)
		delete(x.M, k)
	}
}

// Freeze keeps the map as it is; nil ends that.
func (x *Index[K, V]) Freeze(f *Freeze) { x.then.Freeze(f) }

// Then returns the value of k at the freeze, and whether there was one; without a
// freeze, as it is.
func (x *Index[K, V]) Then(f *Freeze, k K) (V, bool) {
	if f == nil {
		return x.Get(k)
	}
	return x.then.then(x.M, k)
}

// Pairs returns the entries at the freeze in order; without one, as they are. A
// freeze can ask once.
func (x *Index[K, V]) Pairs(f *Freeze, order func(a, b Pair[K, V]) int) []Pair[K, V] {
	if f == nil {
		return new(Keep[K, V]).Pairs(x.M, order)
	}
	return x.then.Pairs(x.M, order)
}

// Commit forgets the before-images.
func (x *Index[K, V]) Commit() { x.saved = x.saved[:0] }

// Rollback puts the before-images back.
func (x *Index[K, V]) Rollback() {
	for i := len(x.saved) - 1; i >= 0; i-- {
		if s := x.saved[i]; s.had {
			x.M[s.key] = s.old
		} else {
			delete(x.M, s.key)
		}
	}
	x.Commit()
}
