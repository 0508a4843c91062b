package netkit

import "iter"

// What the state is made of. Every change goes through edit, put or add,
// which keep the before-image of the open batch, so that a batch that was not
// written can be undone. No two of these may hold the same memory, since each
// undoes on its own.

// undoable is one part of the state.
type undoable interface {
	commit()   // the open batch is durable: forget its before-images
	rollback() // the open batch is lost: put them back
}

// images keeps before-images of rows that live at stable addresses.
type images[T any] struct{ saved []image[T] }

type image[T any] struct {
	at  *T
	old T
}

// edit returns p after keeping its present value for a rollback. A row that
// was kept a moment ago, such as the treasury, is not kept again: only the
// oldest image counts.
func (im *images[T]) edit(p *T) *T {
	for i := len(im.saved) - 1; i >= max(0, len(im.saved)-4); i-- {
		if im.saved[i].at == p {
			return p
		}
	}
	im.saved = append(im.saved, image[T]{p, *p})
	return p
}

func (im *images[T]) commit() { im.saved = im.saved[:0] }

func (im *images[T]) rollback() {
	for i := len(im.saved) - 1; i >= 0; i-- {
		*im.saved[i].at = im.saved[i].old
	}
	im.commit()
}

// chunk rows stand together: a table grows by whole chunks and never moves a
// row, since regrowing one of a million rows stalls everybody behind it.
const chunk = 1024

// table is a list of rows that only grows; a row's number never changes.
type table[T any] struct {
	images[T]
	chunks [][]T
	n      uint32 // rows
	kept   uint32 // rows at the last commit
}

func (t *table[T]) len() uint32 { return t.n }

// at returns row i for reading only.
func (t *table[T]) at(i uint32) *T { return &t.chunks[i/chunk][i%chunk] }

// change returns row i for writing.
func (t *table[T]) change(i uint32) *T { return t.edit(t.at(i)) }

// add appends a row and returns its number.
func (t *table[T]) add(row T) uint32 {
	i := t.n
	if int(i/chunk) == len(t.chunks) {
		t.chunks = append(t.chunks, make([]T, chunk))
	}
	*t.at(i) = row
	t.n++
	return i
}

func (t *table[T]) commit() { t.images.commit(); t.kept = t.n }

func (t *table[T]) rollback() {
	t.images.rollback()
	var zero T
	for ; t.n > t.kept; t.n-- {
		*t.at(t.n - 1) = zero
	}
}

// all returns the rows in order, for reading only.
func (t *table[T]) all() iter.Seq2[uint32, *T] {
	return func(yield func(uint32, *T) bool) {
		for i := range t.n {
			if !yield(i, t.at(i)) {
				return
			}
		}
	}
}

// index is a map that can undo. Rows behind pointers are edited through
// images of their own.
type index[K comparable, V any] struct {
	m     map[K]V
	saved []slot[K, V]
}

type slot[K comparable, V any] struct {
	key K
	old V
	had bool
}

func newIndex[K comparable, V any]() index[K, V] { return index[K, V]{m: map[K]V{}} }

func (x *index[K, V]) get(k K) (V, bool) { v, ok := x.m[k]; return v, ok }

func (x *index[K, V]) put(k K, v V) {
	old, had := x.m[k]
	x.saved = append(x.saved, slot[K, V]{k, old, had})
	x.m[k] = v
}

func (x *index[K, V]) drop(k K) {
	if old, had := x.m[k]; had {
		x.saved = append(x.saved, slot[K, V]{k, old, true})
		delete(x.m, k)
	}
}

func (x *index[K, V]) commit() { x.saved = x.saved[:0] }

func (x *index[K, V]) rollback() {
	for i := len(x.saved) - 1; i >= 0; i-- {
		if s := x.saved[i]; s.had {
			x.m[s.key] = s.old
		} else {
			delete(x.m, s.key)
		}
	}
	x.commit()
}
