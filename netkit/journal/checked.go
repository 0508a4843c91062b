package journal

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"golang.org/x/mod/sumdb/tlog"
)

// Checked is a [Store] that never gives back a record or a node other than the
// one that was written: it compares the records that it reads with the Merkle tree
// of [Checked.Trust]. The error for one that is altered or missing is an
// [ErrNotJournal] that names it. Records beyond that tree come as the store within
// has them. Make one with [NewChecked].
//
// A tree stores one hash for 256 records, so the first read of a record needs the
// leaf hashes of its tile of 256: those that a [LeafKeeper] kept, or else those of
// the records, one of which then hides the tile if it is damaged. The hashes of
// the latest tiles are remembered, and comparing another record of such a tile
// costs one hash.
type Checked struct {
	Store

	mu    sync.Mutex
	tree  *Tree                     // never changed, only replaced
	tiles map[tlog.Tile][]tlog.Hash // those found right, by place; a narrow one holds the first of its hashes
	order []tlog.Tile               // oldest first
}

// maxChecked bounds the tiles that are remembered, to 4 MiB of hashes: those
// of 131,072 records.
const maxChecked = 512

// maxWritten bounds those of them that were remembered when they were written,
// and that may never be read: the latest 8,192 records.
const maxWritten = 32

// NewChecked returns a store that trusts no tree yet, so that it passes on all
// that s gives.
func NewChecked(s Store) *Checked {
	return &Checked{Store: s, tree: new(Tree), tiles: map[tlog.Tile][]tlog.Hash{}}
}

// Trust has the first t.Size() records compared with a tree from now on. Leaves are
// the [Leaf] hashes of the last of them: those that are given need not be read.
func (c *Checked) Trust(t Tree, leaves [][HashSize]byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.size == c.tree.size {
		return
	}
	c.tree = &t
	for i, leaf := range leaves {
		c.extend(t.size-uint64(len(leaves))+uint64(i), leaf)
	}
}

// extend adds a leaf to the remembered tile that ends before it.
func (c *Checked) extend(seq uint64, leaf tlog.Hash) {
	at := tileOf(0, seq)
	have, ok := c.tiles[at]
	if len(have) != int(seq%tileWidth) {
		return
	}
	if !ok {
		have = make([]tlog.Hash, 0, tileWidth)
		if old := uint64(maxWritten * tileWidth); seq >= old {
			delete(c.tiles, tileOf(0, seq-old))
		}
	}
	c.remember(at, append(have, leaf))
}

// remember keeps the hashes of a tile and forgets the oldest tile instead.
func (c *Checked) remember(at tlog.Tile, hashes []tlog.Hash) {
	have, ok := c.tiles[at]
	if len(have) > len(hashes) {
		return
	}
	c.tiles[at] = hashes
	if ok {
		return
	}
	if c.order = append(c.order, at); len(c.order) > maxChecked {
		delete(c.tiles, c.order[0])
		c.order = c.order[1:]
	}
}

// tileOf names the tile that holds hash n of a tile level.
func tileOf(level int, n uint64) tlog.Tile {
	return tlog.Tile{H: TileHeight, L: level, N: int64(n >> TileHeight)}
}

// Read implements [Store]. Where it finds a record of the tree altered or
// missing it ends with an error that is [ErrNotJournal].
func (c *Checked) Read(ctx context.Context, from, to uint64) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		known := c.trusted()
		next := from
		for r, err := range c.Store.Read(ctx, from, to) {
			if err == nil && r.Seq < known.size {
				err = c.check(ctx, known, r)
			}
			if err != nil {
				yield(Record{}, err)
				return
			}
			if !yield(r, nil) {
				return
			}
			next = r.Seq + 1
		}
		if next < min(to, known.size) {
			yield(Record{}, fmt.Errorf("%w: record %d of %d is missing; restore a backup", ErrNotJournal, next, known.size))
		}
	}
}

func (c *Checked) trusted() *Tree {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tree
}

// check compares a record with its leaf in the tree.
func (c *Checked) check(ctx context.Context, t *Tree, r Record) error {
	leaf, err := c.hash(ctx, t, 0, r.Seq)
	if err == nil && leaf != tlog.Hash(Leaf(r.Public)) {
		err = fmt.Errorf("%w: record %d is not the one that was written; restore a backup", ErrNotJournal, r.Seq)
	}
	return err
}

// Nodes implements [Store].
func (c *Checked) Nodes(ctx context.Context, indexes []uint64) ([][HashSize]byte, error) {
	known := c.trusted()
	if len(indexes) == 0 || slices.ContainsFunc(indexes, known.lacks) {
		return c.Store.Nodes(ctx, indexes)
	}
	out := make([][HashSize]byte, len(indexes))
	for i, index := range indexes {
		level, n := tlog.SplitStoredHashIndex(int64(index))
		h, err := c.hash(ctx, known, level/TileHeight, uint64(n))
		if err != nil {
			return nil, err
		}
		out[i] = h
	}
	return out, nil
}

// lacks reports whether the tree's journal does not store the hash at an index.
func (t *Tree) lacks(index uint64) bool {
	if index >= uint64(tlog.StoredHashCount(int64(t.size))) {
		return true
	}
	level, _ := tlog.SplitStoredHashIndex(int64(index))
	return level == 0 || level%TileHeight != 0
}

// hash returns hash n of a tile level of the tree t, from a tile that is right.
func (c *Checked) hash(ctx context.Context, t *Tree, level int, n uint64) (tlog.Hash, error) {
	at, i := tileOf(level, n), int(n%tileWidth)
	c.mu.Lock()
	hashes := c.tiles[at]
	c.mu.Unlock()
	if i < len(hashes) {
		return hashes[i], nil
	}
	hashes, err := c.load(ctx, t, at)
	if err != nil {
		return tlog.Hash{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remember(at, hashes)
	return hashes[i], nil
}

// load reads a tile, as wide as it is in the tree t, and checks it.
func (c *Checked) load(ctx context.Context, t *Tree, at tlog.Tile) ([]tlog.Hash, error) {
	wide := at
	wide.W = int(min(tileWidth, t.size>>(at.L*TileHeight)-uint64(at.N)<<TileHeight))
	if hashes, ok := c.keptLeaves(ctx, t, at, wide.W); ok {
		return hashes, nil
	}
	data, err := ReadTile(ctx, c.Store, wide)
	if errors.Is(err, ErrNotFound) {
		return nil, fmt.Errorf("%w: %s are not all there; restore a backup: %w", ErrNotJournal, stretch(at, wide.W), err)
	}
	if err != nil {
		return nil, err
	}
	hashes := make([]tlog.Hash, wide.W, tileWidth)
	for i := range hashes {
		copy(hashes[i][:], data[i*HashSize:])
	}
	return hashes, c.verifyTile(ctx, t, at, hashes)
}

// verifyTile compares the hashes of a tile with the tree t: those of a full one with
// the hash above it.
func (c *Checked) verifyTile(ctx context.Context, t *Tree, at tlog.Tile, hashes []tlog.Hash) error {
	if len(hashes) < tileWidth {
		return t.ends(at, hashes)
	}
	parent, err := c.hash(ctx, t, at.L+1, uint64(at.N))
	if err == nil && parent != fullHash(hashes) {
		err = altered(at, len(hashes))
	}
	return err
}

// ends checks the last tile of a level: the hashes outside of full tiles make up the
// subtrees at the tree's edge.
func (t *Tree) ends(at tlog.Tile, hashes []tlog.Hash) error {
	rest := hashes
	for bit := TileHeight - 1; bit >= 0; bit-- {
		if n := 1 << bit; len(hashes)&n != 0 {
			if fullHash(rest[:n]) != t.edge[at.L*TileHeight+bit] {
				return altered(at, len(hashes))
			}
			rest = rest[n:]
		}
	}
	return nil
}

// fullHash is the root over a power of two of hashes.
func fullHash(hashes []tlog.Hash) tlog.Hash {
	row := append([]tlog.Hash(nil), hashes...)
	for ; len(row) > 1; row = row[:len(row)/2] {
		for i := range len(row) / 2 {
			row[i] = tlog.NodeHash(row[2*i], row[2*i+1])
		}
	}
	return row[0]
}

func altered(at tlog.Tile, width int) error {
	return fmt.Errorf("%w: %s or the stored hashes above them are not those that were written; restore a backup", ErrNotJournal, stretch(at, width))
}

// stretch names the records below the hashes of a tile.
func stretch(at tlog.Tile, width int) string {
	from := uint64(at.N) << (TileHeight * (at.L + 1))
	return fmt.Sprintf("records %d to %d", from, from+uint64(width)<<(TileHeight*at.L)-1)
}
