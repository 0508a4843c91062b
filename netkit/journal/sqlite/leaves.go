package sqlite

import (
	"context"
	"fmt"
	"math"

	"github.com/agentnet/netctl/netkit/journal"
)

var _ journal.LeafKeeper = (*Store)(nil)

// Leaves implements journal.LeafKeeper. A journal of an older version keeps no leaf
// hashes: the error is journal.ErrNotFound.
func (s *Store) Leaves(ctx context.Context, from, to uint64) (leaves [][journal.HashSize]byte, err error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	err = s.reading(ctx, func(r *reader) (err error) {
		if err = r.prepare(); err == nil {
			leaves, err = r.leaves(from, to)
		}
		return err
	})
	return leaves, err
}

func (r *reader) leaves(from, to uint64) (leaves [][journal.HashSize]byte, err error) {
	if from >= to {
		return nil, nil
	}
	next := from
	if r.leaf != nil && to <= math.MaxInt64 {
		if err := r.leaf.BindInt64(1, int64(from)); err != nil {
			return nil, err
		}
		if err := r.leaf.BindInt64(2, int64(to)); err != nil {
			return nil, err
		}
		for next < to && r.leaf.Step() {
			first, kept := uint64(r.leaf.ColumnInt64(0)), r.leaf.ColumnRawBlob(1)
			if end := first + uint64(len(kept)/journal.HashSize); first > next || end <= next {
				break
			}
			for kept = kept[(next-first)*journal.HashSize:]; next < to && len(kept) >= journal.HashSize; next++ {
				leaves, kept = append(leaves, [journal.HashSize]byte(kept)), kept[journal.HashSize:]
			}
		}
		if err := r.leaf.Reset(); err != nil {
			return nil, err
		}
	}
	if next < to {
		return nil, fmt.Errorf("%w: the leaf hash of entry %d", journal.ErrNotFound, next)
	}
	return leaves, nil
}
