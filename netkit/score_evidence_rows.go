package netkit

import (
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// verdictRow is a verdict of a drawn reviewer in a case that is final.
type verdictRow struct {
	day      Day    // when the case became final
	reporter uint32 // rows of the two sides
	reported uint32
	agreed   bool   // with the final result
	took     Millis // from the draw to the verdict
}

func (v *verdictRow) fields(c *wire.Codec) {
	wire.Num(c, "day", &v.day)
	wire.Num(c, "reporter", &v.reporter)
	wire.Num(c, "reported", &v.reported)
	c.Flag("agreed", &v.agreed)
	wire.Num(c, "took", &v.took)
}

// incident is what review costs an agent. One incident costs only its largest
// penalty, so a case has one row at most.
type incident struct {
	day    Day
	weight int64  // thousandths of evidence
	of     uint64 // the case, or the revocation that rests on none
}

func (x *incident) fields(c *wire.Codec) {
	wire.Num(c, "day", &x.day)
	wire.Num(c, "weight", &x.weight)
	wire.Num(c, "of", &x.of)
}

// penalize records a penalty, or raises that of the same incident to it. The
// list is made anew, since the old one has to stay as it was for a rollback.
func (s *state) penalize(i uint32, of uint64, weight int64, d Day) {
	x := s.changeExtra(i)
	kept := make([]incident, 0, len(x.incidents)+1)
	for _, was := range x.incidents {
		if was.of == of {
			weight = max(weight, was.weight)
			continue
		}
		kept = append(kept, was)
	}
	x.incidents = append(kept, incident{d, weight, of})
	s.touch(i, atOnce)
}

// forgive drops the penalty of a case that was won in appeal.
func (s *state) forgive(i uint32, of uint64) {
	x := s.changeExtra(i)
	kept := make([]incident, 0, len(x.incidents))
	for _, was := range x.incidents {
		if was.of != of {
			kept = append(kept, was)
		}
	}
	x.incidents = kept
	s.touch(i, atOnce)
}

// atOnce touches for the next night, whatever date it closes: of what has no
// date, such as a standing, a night sees the latest.
const atOnce Day = 1

// touch notes that the night which closes date d, or the next one if that is
// past, has to judge an agent.
func (s *state) touch(i uint32, d Day) {
	if turn := s.agenda.At(i).judge; turn == 0 || d < turn {
		s.agenda.Change(i).judge = d
	}
}

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
