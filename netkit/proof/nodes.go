package proof

import (
	"context"
	"sync"

	"github.com/agentnet/netctl/netkit/journal"
)

// maxTiles bounds the upper tiles that are remembered: 2 MiB of hashes, which
// stand for the first 16 million entries.
const maxTiles = 256

// remembering is a store that reads each upper tile once. Its hashes never
// change, and every proof needs all of a tile or two of them.
type remembering struct {
	journal.Store

	mu    sync.Mutex
	tiles map[span][][journal.HashSize]byte
	order []span // oldest first
}

// span names the nodes of a tile: the index of the first, and how many.
type span struct {
	first uint64
	width int
}

// CheckedLeaves delegates to a checked store; [journal.ErrNotFound] says
// that the leaf hashes have to be made of the entries.
func (s *remembering) CheckedLeaves(ctx context.Context, from, to uint64) ([][journal.HashSize]byte, error) {
	if c, ok := s.Store.(*journal.Checked); ok {
		return c.CheckedLeaves(ctx, from, to)
	}
	return nil, journal.ErrNotFound
}

// Nodes implements journal.Store for whoever reads tiles and nothing else.
func (s *remembering) Nodes(ctx context.Context, indexes []uint64) ([][journal.HashSize]byte, error) {
	if len(indexes) == 0 {
		return nil, nil
	}
	at := span{indexes[0], len(indexes)}
	s.mu.Lock()
	known, ok := s.tiles[at]
	s.mu.Unlock()
	if ok {
		return known, nil
	}
	found, err := s.Store.Nodes(ctx, indexes)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.tiles[at]; !ok {
		if len(s.order) == maxTiles {
			delete(s.tiles, s.order[0])
			s.order = s.order[1:]
		}
		s.tiles[at] = found
		s.order = append(s.order, at)
	}
	return found, nil
}
