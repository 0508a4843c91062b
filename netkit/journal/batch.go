package journal

import (
	"fmt"
	"math"
)

// Next checks b against the head that it is to be appended at, and returns the
// head that it leads to. The error is an [ErrBadBatch]. Drivers call it before
// they write.
func (b Batch) Next(at Head) (Head, error) {
	if err := b.check(at); err != nil {
		return Head{}, err
	}
	if n := len(b.Records); n > 0 {
		return Head{Size: at.Size + uint64(n), Tip: Leaf(b.Records[n-1].Public)}, nil
	}
	return at, nil
}

func (b Batch) check(at Head) error {
	for i, r := range b.Records {
		switch {
		case r.Seq != at.Size+uint64(i):
			return fmt.Errorf("%w: record %d has sequence number %d, want %d", ErrBadBatch, i, r.Seq, at.Size+uint64(i))
		case len(r.Public) == 0:
			return fmt.Errorf("%w: the public part of record %d is empty", ErrBadBatch, r.Seq)
		case len(r.Public) > MaxPublic:
			return fmt.Errorf("%w: the public part of record %d has %d bytes, at most %d are allowed", ErrBadBatch, r.Seq, len(r.Public), MaxPublic)
		}
	}
	for i := range b.Nodes {
		if b.Nodes[i].Index > math.MaxInt64 {
			return fmt.Errorf("%w: node %d is out of range", ErrBadBatch, b.Nodes[i].Index)
		}
		if i > 0 && b.Nodes[i].Index <= b.Nodes[i-1].Index {
			return fmt.Errorf("%w: node %d follows node %d, want ascending", ErrBadBatch, b.Nodes[i].Index, b.Nodes[i-1].Index)
		}
		if _, last := b.Nodes[i].Entries(); last < at.Size || last-at.Size >= uint64(len(b.Records)) {
			return fmt.Errorf("%w: node %d comes with the record that completes it, %d, and that is not in the batch", ErrBadBatch, b.Nodes[i].Index, last)
		}
	}
	for _, seq := range b.Erase {
		if seq >= at.Size {
			return fmt.Errorf("%w: cannot erase record %d of %d", ErrBadBatch, seq, at.Size)
		}
	}
	return nil
}
