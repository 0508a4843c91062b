package journal

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// Entries returns the first and the last record below a node.
func (n Node) Entries() (first, last uint64) {
	level, at := tlog.SplitStoredHashIndex(int64(n.Index))
	return uint64(at) << level, uint64(at+1)<<level - 1
}

// CheckNodes compares the nodes of a tree with those that the journal stores.
// [ErrNotFound] means that a node is missing,
// [ErrNotJournal] that one is another: then one of its records, which the error
// names, or the node was changed.
func CheckNodes(ctx context.Context, s Store, nodes []Node) error {
	indexes := make([]uint64, len(nodes))
	for i := range nodes {
		indexes[i] = nodes[i].Index
	}
	stored, err := s.Nodes(ctx, indexes)
	if err != nil {
		return err
	}
	for i := range nodes {
		if stored[i] != nodes[i].Hash {
			first, last := nodes[i].Entries()
			return fmt.Errorf("%w: one of the entries %d to %d was changed since it was written: the stored tree has %x over them, and they give %x", ErrNotJournal, first, last, stored[i][:4], nodes[i].Hash[:4])
		}
	}
	return nil
}

// Bare reports whether the journal, of size records, lacks the nodes of its
// tree altogether: it was written by a version that stored none.
func Bare(ctx context.Context, s Store, size uint64) (bool, error) {
	if size < tileWidth {
		return false, nil
	}
	_, err := s.Nodes(ctx, []uint64{uint64(tlog.StoredHashIndex(TileHeight, 0))})
	if errors.Is(err, ErrNotFound) {
		return true, nil
	}
	return false, err
}
