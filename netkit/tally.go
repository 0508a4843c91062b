package netkit

// tallyFew is how many counterparties a tally holds without a map. Most
// agents have fewer, and a score is computed for every command of theirs.
const tallyFew = 16

// tally sums up something by counterparty. The zero value is empty. What is
// read out of it must not depend on an order, since it has none.
type tally[T any] struct {
	keys [tallyFew]uint32
	sums [tallyFew]T
	n    int
	more map[uint32]*T
}

// of returns the sum of counterparty k, for writing.
func (t *tally[T]) of(k uint32) *T {
	for i := range t.n {
		if t.keys[i] == k {
			return &t.sums[i]
		}
	}
	if t.n < tallyFew {
		t.keys[t.n] = k
		t.n++
		return &t.sums[t.n-1]
	}
	if t.more == nil {
		t.more = map[uint32]*T{}
	}
	sum, ok := t.more[k]
	if !ok {
		sum = new(T)
		t.more[k] = sum
	}
	return sum
}

// len returns how many counterparties there are.
func (t *tally[T]) len() int { return t.n + len(t.more) }

// each calls f once a counterparty, in no order.
func (t *tally[T]) each(f func(k uint32, sum *T)) {
	for i := range t.n {
		f(t.keys[i], &t.sums[i])
	}
	for k, sum := range t.more {
		f(k, sum)
	}
}

// most returns the largest of whole numbers.
func most(t *tally[int64]) int64 {
	var largest int64
	t.each(func(_ uint32, n *int64) { largest = max(largest, *n) })
	return largest
}
