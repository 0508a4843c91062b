package rules

import (
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// entrySpan is a range of entries, both ends included, that holds at least one
// execution.
type entrySpan struct{ First, Last uint64 }

// EntrySpans is an index of executions: ascending ranges that do not overlap. The
// newest are of one execution each. When maxSpans is reached, the older half is
// merged in pairs, so that an index is bounded however long the history is.
type EntrySpans []entrySpan

// maxSpans bounds an index, to 4 KiB. Half of it is more than half of the
// longest page of a list.
const maxSpans = 256

// with returns the index with one more execution. What it merges is a new list:
// the old one stays as it was for a rollback.
func (x EntrySpans) with(seq uint64) EntrySpans {
	if len(x) < maxSpans {
		return append(x, entrySpan{seq, seq})
	}
	merged := make(EntrySpans, 0, maxSpans)
	for k := 0; k < maxSpans/2; k += 2 {
		merged = append(merged, entrySpan{x[k].First, x[k+1].Last})
	}
	return append(append(merged, x[maxSpans/2:]...), entrySpan{seq, seq})
}

// Fields carries an index as a list of numbers, two of each span.
func (x *EntrySpans) Fields(c *wire.Codec, name string) {
	var ends []uint64
	for _, s := range *x {
		ends = append(ends, s.First, s.Last)
	}
	wire.List(c, name, &ends, wire.Number)
	if !c.Reading() {
		return
	}
	if len(ends)%2 != 0 {
		c.Fail("want both ends of each span")
		return
	}
	*x = nil
	for k := 0; k < len(ends); k += 2 {
		*x = append(*x, entrySpan{ends[k], ends[k+1]})
	}
}
