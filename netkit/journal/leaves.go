package journal

import (
	"context"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// LeafKeeper is a [Store] that keeps the [Leaf] hash of each record apart from the
// record. [Checked] needs them to tell a damaged record from the sound ones of its
// tile.
type LeafKeeper interface {
	Store
	// Leaves returns the hashes of the records of [from, to) as they were kept;
	// [ErrNotFound] if the journal ends before to. The caller checks them.
	Leaves(ctx context.Context, from, to uint64) ([][HashSize]byte, error)
}

// KeyHolder is a [Store] that encrypts private parts. It lacks the keys of erased
// parts; a copy of the public parts lacks all keys.
type KeyHolder interface {
	Store
	// FirstUnheld returns the first record with a private part for which the store
	// has no key and erased returns false. Found reports whether there is one. Erased
	// must not call the store.
	FirstUnheld(ctx context.Context, erased func(seq uint64) bool) (seq uint64, found bool, err error)
}

// LaterErasures is a [Store] that was restored to an earlier moment of its journal,
// and lacks the keys of parts that were erased after it.
type LaterErasures interface {
	// ErasedLater reports whether an entry was erased after the last one here.
	ErasedLater(seq uint64) bool
}

// ErasedLater asks the store within.
func (c *Checked) ErasedLater(seq uint64) bool {
	l, ok := c.Store.(LaterErasures)
	return ok && l.ErasedLater(seq)
}

// FirstUnheld asks the store within, if it is a [KeyHolder]; other stores hold
// every private part that was not erased.
func (c *Checked) FirstUnheld(ctx context.Context, erased func(seq uint64) bool) (uint64, bool, error) {
	if k, ok := c.Store.(KeyHolder); ok {
		return k.FirstUnheld(ctx, erased)
	}
	return 0, false, nil
}

// CheckedLeaves returns the leaf hashes of the records of [from, to), verified
// against the trusted tree; [ErrNotFound] if the tree ends before to.
func (c *Checked) CheckedLeaves(ctx context.Context, from, to uint64) ([][HashSize]byte, error) {
	known := c.trusted()
	if to > known.size {
		return nil, fmt.Errorf("%w: record %d is not in a tree of %d", ErrNotFound, to-1, known.size)
	}
	leaves := make([][HashSize]byte, 0, to-from)
	for seq := from; seq < to; seq++ {
		leaf, err := c.hash(ctx, known, 0, seq)
		if err != nil {
			return nil, err
		}
		leaves = append(leaves, leaf)
	}
	return leaves, nil
}

// keptLeaves returns the leaf hashes of a tile from a store that keeps them, and
// reports whether they match the tree t.
func (c *Checked) keptLeaves(ctx context.Context, t *Tree, at tlog.Tile, width int) ([]tlog.Hash, bool) {
	keeper, ok := c.Store.(LeafKeeper)
	if !ok || at.L > 0 {
		return nil, false
	}
	from := uint64(at.N) << TileHeight
	kept, err := keeper.Leaves(ctx, from, from+uint64(width))
	if err != nil || len(kept) != width {
		return nil, false
	}
	hashes := make([]tlog.Hash, width, tileWidth)
	for i := range hashes {
		hashes[i] = kept[i]
	}
	return hashes, c.verifyTile(ctx, t, at, hashes) == nil
}
