package score

// few is how many counterparties a tally holds without an index. Most agents
// have fewer, and a score is computed for every command of theirs.
const few = 16

// Tally sums up something by counterparty. The zero value is empty. What is
// read out of it must not depend on an order, since it has none that means
// anything; a counterparty keeps its place, counted from 0.
type Tally[T any] struct {
	keys  [few]uint32
	sums  [few]T
	n     int
	more  []keyed[T]
	index []uint32 // where a counterparty stands in more, from 1, by the hash of its row
}

type keyed[T any] struct {
	key uint32
	sum T
}

// Of returns the sum of counterparty k, for writing until the next call.
func (t *Tally[T]) Of(k uint32) *T {
	for i := range t.n {
		if t.keys[i] == k {
			return &t.sums[i]
		}
	}
	if t.n < few {
		t.keys[t.n] = k
		t.n++
		return &t.sums[t.n-1]
	}
	if 2*len(t.more) >= len(t.index) {
		t.widen()
	}
	at := t.slot(k)
	if t.index[at] == 0 {
		t.more = append(t.more, keyed[T]{key: k})
		t.index[at] = uint32(len(t.more))
	}
	return &t.more[t.index[at]-1].sum
}

// Place returns where counterparty k stands, -1 if it is not there.
func (t *Tally[T]) Place(k uint32) int {
	for i := range t.n {
		if t.keys[i] == k {
			return i
		}
	}
	if len(t.more) > 0 {
		if at := t.index[t.slot(k)]; at != 0 {
			return few + int(at) - 1
		}
	}
	return -1
}

// slot returns where counterparty k stands in the index, or where it belongs.
// The index is never full.
func (t *Tally[T]) slot(k uint32) uint32 {
	last := uint32(len(t.index) - 1)
	at := k * 2654435769 >> 8 & last // Fibonacci hashing (D. E. Knuth, TAOCP 3, 6.4)
	for t.index[at] != 0 && t.more[t.index[at]-1].key != k {
		at = (at + 1) & last
	}
	return at
}

// widen makes room in the index, whose length is a power of two.
func (t *Tally[T]) widen() {
	t.index = make([]uint32, max(4*few, 4*len(t.index)))
	for i := range t.more {
		t.index[t.slot(t.more[i].key)] = uint32(i + 1)
	}
}

// Len returns how many counterparties there are.
func (t *Tally[T]) Len() int { return t.n + len(t.more) }

// Each calls f once a counterparty, by their places.
func (t *Tally[T]) Each(f func(k uint32, sum *T)) {
	for i := range t.n {
		f(t.keys[i], &t.sums[i])
	}
	for i := range t.more {
		f(t.more[i].key, &t.more[i].sum)
	}
}
