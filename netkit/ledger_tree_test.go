package netkit

import (
	"context"

	"github.com/agentnet/netctl/netkit/journal"
)

// lying is a store that shows one node otherwise than it was written, or not
// at all.
type lying struct {
	journal.Store
	index uint64
	gone  bool
}

func (l *lying) Nodes(ctx context.Context, indexes []uint64) ([][journal.HashSize]byte, error) {
	hashes, err := l.Store.Nodes(ctx, indexes)
	for i := range hashes {
		if indexes[i] == l.index {
			if l.gone {
				return nil, journal.ErrNotFound
			}
			hashes[i][7] ^= 1
		}
	}
	return hashes, err
}
