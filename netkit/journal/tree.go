package journal

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"golang.org/x/mod/sumdb/tlog"
)

// TileHeight is the height of the tiles in which the tree is read and stored:
// a hash that is stored stands for 256 of the level below. C2SP tlog-tiles
// (https://c2sp.org/tlog-tiles) prescribes it.
const TileHeight = 8

const tileWidth = 1 << TileHeight

// Tree is the right edge of the Merkle tree over a journal's public parts, as
// RFC 6962, section 2.1 (https://www.rfc-editor.org/rfc/rfc6962#section-2.1),
// defines it: all that growing it and knowing its root takes. The zero
// Tree is empty. A copy is independent of what it was copied from, so that a
// batch that failed is undone by putting a copy back.
type Tree struct {
	size uint64
	edge [48]tlog.Hash // by level; that of level l is of use where bit l of size is set
}

// OpenTree reads the tree of the first size records of a journal: at most 255
// of them and of the nodes of each stored level. [ErrNotFound] says that the
// journal is shorter or that nodes are missing; see [Bare].
func OpenTree(ctx context.Context, s Store, size uint64) (*Tree, error) {
	t := &Tree{size: size}
	var indexes []int64
	for rest := size; rest != 0; rest &= rest - 1 {
		level := bits.TrailingZeros64(rest)
		indexes = append(indexes, tlog.StoredHashIndex(level, int64(size>>level)-1))
	}
	hashes, err := HashReader(ctx, s, size).ReadHashes(indexes)
	if err != nil {
		return nil, err
	}
	for i, h := range hashes {
		level, _ := tlog.SplitStoredHashIndex(indexes[i])
		t.edge[level] = h
	}
	return t, nil
}

// Append grows the tree by one record, of which leaf is the [Leaf] hash, and
// appends to nodes what a batch with that record has to store: a hash for every
// full tile, hence one for 256 records and a little more.
func (t *Tree) Append(leaf [HashSize]byte, nodes []Node) []Node {
	// This is tlog.StoredHashesForRecordHash without its four allocations: each
	// set bit at the low end of the size is a full subtree that ends here.
	h, level := tlog.Hash(leaf), 0
	for ; t.size>>level&1 == 1; level++ {
		h = tlog.NodeHash(t.edge[level], h)
		if (level+1)%TileHeight == 0 {
			index := tlog.StoredHashIndex(level+1, int64(t.size>>(level+1)))
			nodes = append(nodes, Node{Index: uint64(index), Hash: h})
		}
	}
	t.edge[level] = h
	t.size++
	return nodes
}

// Size returns the number of records.
func (t *Tree) Size() uint64 { return t.size }

// Root returns the root hash: of no records the SHA-256 of nothing.
func (t *Tree) Root() [HashSize]byte {
	root, err := tlog.TreeHash(int64(t.size), t)
	if err != nil {
		panic("journal: the edge has all that the root needs: " + err.Error())
	}
	return root
}

// ReadHashes makes the right edge a [tlog.HashReader]: it has the roots of the
// full subtrees that the tree consists of, and no other hash.
func (t *Tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		level, n := tlog.SplitStoredHashIndex(index)
		if t.size>>level&1 == 0 || uint64(n) != t.size>>level-1 {
			return nil, fmt.Errorf("%w: hash %d of level %d is not on the edge of a tree of %d", ErrNotFound, n, level, t.size)
		}
		hashes[i] = t.edge[level]
	}
	return hashes, nil
}

// HashReader reads any hash of the tree of the first size records, for the
// proofs of tlog: the upper ones from the stored nodes, the rest from records.
// It reads a tile once for all hashes of one call.
func HashReader(ctx context.Context, s Store, size uint64) tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		read, err := readTiles(ctx, s, size, indexes)
		if err != nil {
			return nil, err
		}
		hashes := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			t := read[place(tlog.TileForIndex(TileHeight, index))]
			if hashes[i], err = tlog.HashFromTile(t.Tile, t.data, index); err != nil {
				return nil, fmt.Errorf("journal: %w", err)
			}
		}
		return hashes, nil
	})
}

// tile is a tile that was read.
type tile struct {
	tlog.Tile
	data []byte
}

// place is where a tile stands, whatever its width.
func place(t tlog.Tile) tlog.Tile { t.W = 0; return t }

// readTiles reads the tiles that hold the hashes at indexes, each once and as
// wide as they need it.
func readTiles(ctx context.Context, s Store, size uint64, indexes []int64) (map[tlog.Tile]*tile, error) {
	tiles := map[tlog.Tile]*tile{}
	for _, index := range indexes {
		t := tlog.TileForIndex(TileHeight, index)
		if end := (uint64(t.N)<<TileHeight + uint64(t.W)) << (TileHeight * t.L); end > size {
			return nil, fmt.Errorf("%w: hash %d is not in a tree of %d", ErrNotFound, index, size)
		}
		if have := tiles[place(t)]; have == nil || have.W < t.W {
			tiles[place(t)] = &tile{Tile: t}
		}
	}
	for _, t := range tiles {
		var err error
		if t.data, err = ReadTile(ctx, s, t.Tile); err != nil {
			return nil, err
		}
	}
	return tiles, nil
}

// ReadTile reads a tile of hashes of height [TileHeight]: those of level 0 are
// made of the records, the upper ones are the stored nodes. [ErrNotFound] says
// that the journal does not reach to the tile's width.
func ReadTile(ctx context.Context, s Store, t tlog.Tile) ([]byte, error) {
	// The bound on N keeps the arithmetic of indexes within 64 bits.
	if t.H != TileHeight || t.L < 0 || t.L > 5 || t.N < 0 || t.N >= 1<<(48-t.L*TileHeight) || t.W < 1 || t.W > tileWidth {
		return nil, fmt.Errorf("%w: there is no tile %+v", ErrNotFound, t)
	}
	if c, ok := s.(checkedLeaves); ok && t.L == 0 {
		from := uint64(t.N) << TileHeight
		if leaves, err := c.CheckedLeaves(ctx, from, from+uint64(t.W)); !errors.Is(err, ErrNotFound) {
			return joined(leaves), err
		}
	}
	if t.L == 0 {
		return readLeaves(ctx, s, t)
	}
	indexes := make([]uint64, t.W)
	for i := range indexes {
		indexes[i] = uint64(tlog.StoredHashIndex(t.L*TileHeight, t.N<<TileHeight+int64(i)))
	}
	hashes, err := s.Nodes(ctx, indexes)
	if err != nil {
		return nil, err
	}
	return joined(hashes), nil
}

// checkedLeaves is implemented by [Checked] stores and their wrappers.
type checkedLeaves interface {
	CheckedLeaves(ctx context.Context, from, to uint64) ([][HashSize]byte, error)
}

// joined puts hashes one behind the other, as a tile does.
func joined(hashes [][HashSize]byte) []byte {
	data := make([]byte, 0, len(hashes)*HashSize)
	for i := range hashes {
		data = append(data, hashes[i][:]...)
	}
	return data
}

// readLeaves makes a tile of level 0 of the records.
func readLeaves(ctx context.Context, s Store, t tlog.Tile) ([]byte, error) {
	data := make([]byte, 0, t.W*HashSize)
	err := eachOf(ctx, s, t.N, t.W, func(public []byte) {
		leaf := Leaf(public)
		data = append(data, leaf[:]...)
	})
	return data, err
}

// ReadEntries reads the first w entries of the nth entry bundle of C2SP
// tlog-tiles: the public parts, each behind its length in 16 bits.
// [ErrNotFound] says that the journal does not reach that far.
func ReadEntries(ctx context.Context, s Store, n int64, w int) ([]byte, error) {
	if n < 0 || n >= 1<<48 || w < 1 || w > tileWidth {
		return nil, fmt.Errorf("%w: there is no bundle %d of %d entries", ErrNotFound, n, w)
	}
	var data []byte
	err := eachOf(ctx, s, n, w, func(public []byte) {
		data = append(data, byte(len(public)>>8), byte(len(public)))
		data = append(data, public...)
	})
	return data, err
}

// eachOf calls f for the public parts of the first w records of a tile.
func eachOf(ctx context.Context, s Store, n int64, w int, f func(public []byte)) error {
	from, seen := uint64(n)<<TileHeight, 0
	for r, err := range s.Read(ctx, from, from+uint64(w)) {
		if err != nil {
			return err
		}
		f(r.Public)
		seen++
	}
	if seen < w {
		return fmt.Errorf("%w: the journal ends before record %d", ErrNotFound, from+uint64(w)-1)
	}
	return nil
}
