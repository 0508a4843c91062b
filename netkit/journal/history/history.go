// Package history checks what clients of a network were answered against its journal,
// the witness: which of their operations happened, and in which order, is in the
// entries. So a history of a million operations is checked in one pass, where a search
// for an order would take too long.
//
// The times of a history come from one clock, which never runs back. An operation whose
// answer was lost has the answer time [Lost]: it may have an entry, and need not.
package history

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
)

// Lost is the answer time of an operation that was not answered.
const Lost = math.MaxInt64

// Operation is a command as its client saw it.
type Operation struct {
	Key              string // idempotency key, which no other operation has
	Called, Answered int64  // nanoseconds; a retry belongs to the operation
	Seq              uint64 // entry that the receipt names
	Receipt          string // compared with that of the replay; empty compares nothing
}

// Read is a question as its client saw it.
type Read struct {
	Called, Answered int64  // nanoseconds
	MinSeq           uint64 // least entry that the answer has to know; 0 asks for nothing
	Size             uint64 // entries that the answer knew
	Stale            bool   // the answer said that it may be older than the question
}

// Entry is one of the journal, as a replay gives it.
type Entry struct {
	Key     string // of the operation that made it; empty for one that no client asked for
	Receipt string // that the replay gives to a repeat of the operation
}

// Rule is a promise of the network that a violation breaks.
type Rule string

// The rules.
const (
	OneEntry Rule = "an acknowledged operation has exactly one entry"
	Place    Rule = "the place of an entry lies between call and answer"
	Replay   Rule = "the replay gives the same answer"
	MinSeq   Rule = "a read knows the entry that it asks for"
	Fresh    Rule = "a read knows the entries that were acknowledged or read before it"
	Past     Rule = "a read knows nothing that was asked for after its answer"
)

// Violation is a rule that a history breaks.
type Violation struct {
	Rule Rule
	Text string // names the operation or the read, and the entry
}

// Check compares a history with the entries of a journal, in their order from entry 0
// on, and returns the violations. An error is one of reading the entries.
func Check(entries iter.Seq2[Entry, error], operations []Operation, reads []Read) ([]Violation, error) {
	c := checker{operations: make(map[string]*Operation, len(operations)), found: make(map[string]uint64, len(operations)), called: math.MinInt64}
	for i := range operations {
		c.operations[operations[i].Key] = &operations[i]
	}
	for e, err := range entries {
		if err != nil {
			return c.violations, err
		}
		c.take(e)
	}
	for i := range operations {
		if _, ok := c.found[operations[i].Key]; !ok && operations[i].Answered != Lost {
			c.report(OneEntry, "operation %s was acknowledged as entry %d, and no entry has its key", operations[i].Key, operations[i].Seq)
		}
	}
	c.checkReads(operations, reads)
	return c.violations, nil
}

type checker struct {
	operations map[string]*Operation
	found      map[string]uint64 // entry of each key
	size       uint64            // entries so far
	called     int64             // latest call of the operations of these entries
	latest     string            // operation of that call
	calls      []int64           // after each entry, the latest call so far
	violations []Violation
}

func (c *checker) report(r Rule, format string, args ...any) {
	c.violations = append(c.violations, Violation{r, fmt.Sprintf(format, args...)})
}

// take checks one entry.
func (c *checker) take(e Entry) {
	seq := c.size
	c.size++
	defer func() { c.calls = append(c.calls, c.called) }()
	if e.Key == "" {
		return
	}
	if first, twice := c.found[e.Key]; twice {
		c.report(OneEntry, "operation %s has the entries %d and %d", e.Key, first, seq)
		return
	}
	c.found[e.Key] = seq
	o, known := c.operations[e.Key]
	if !known {
		return // of another client
	}
	if o.Answered != Lost && o.Seq != seq {
		c.report(OneEntry, "operation %s was acknowledged as entry %d, and entry %d has its key", o.Key, o.Seq, seq)
	}
	if o.Answered < c.called {
		c.report(Place, "operation %s was answered before %s was called, and its entry %d comes after that one's", o.Key, c.latest, seq)
	}
	if o.Called > c.called {
		c.called, c.latest = o.Called, o.Key
	}
	if o.Answered != Lost && o.Receipt != "" && o.Receipt != e.Receipt {
		c.report(Replay, "operation %s, entry %d, was answered %s, and the replay answers %s", o.Key, seq, o.Receipt, e.Receipt)
	}
}

// known is how many entries were acknowledged, or read, at a time.
type known struct {
	at   int64
	size uint64
}

// checkReads compares the reads, in the order of their calls, with the answers before them.
func (c *checker) checkReads(operations []Operation, reads []Read) {
	answers := make([]known, 0, len(operations)+len(reads))
	for _, o := range operations {
		if o.Answered != Lost {
			answers = append(answers, known{o.Answered, o.Seq + 1})
		}
	}
	for _, r := range reads {
		if !r.Stale {
			answers = append(answers, known{r.Answered, r.Size})
		}
	}
	slices.SortFunc(answers, func(a, b known) int { return cmp.Compare(a.at, b.at) })
	reads = slices.SortedFunc(slices.Values(reads), func(a, b Read) int { return cmp.Compare(a.Called, b.Called) })
	next, least := 0, uint64(0)
	for _, r := range reads {
		for ; next < len(answers) && answers[next].at < r.Called; next++ {
			least = max(least, answers[next].size)
		}
		c.checkRead(r, least)
	}
}

// checkRead checks one read, before which least entries were acknowledged or read.
func (c *checker) checkRead(r Read, least uint64) {
	if r.MinSeq > 0 && r.Size <= r.MinSeq {
		c.report(MinSeq, "a read at %d asked for entry %d and knew %d entries", r.Called, r.MinSeq, r.Size)
	}
	if !r.Stale && r.Size < least {
		c.report(Fresh, "a read at %d knew %d entries, and entry %d was known before", r.Called, r.Size, least-1)
	}
	if n := r.Size; n > uint64(len(c.calls)) || n > 0 && c.calls[n-1] > r.Answered {
		c.report(Past, "a read that was answered at %d knew %d entries; one of them was asked for later or is not there", r.Answered, n)
	}
}
