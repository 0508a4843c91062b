package proof

import (
	"bytes"
	"context"
	"fmt"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/agentnet/netctl/netkit/journal"
)

// Prove returns a file which proves that an entry is in the log: the entry, its
// inclusion proof, and the checkpoint that is shown. [Verify] checks it.
func (l *Log) Prove(ctx context.Context, seq uint64) ([]byte, error) {
	h, err := l.show(ctx)
	if err != nil {
		return nil, err
	}
	if seq >= uint64(h.N) {
		return nil, l.beyond(ctx, seq, h.N)
	}
	entry, err := l.entry(ctx, seq)
	if err != nil {
		return nil, err
	}
	p, err := tlog.ProveRecord(h.N, int64(seq), h.reader(journal.HashReader(ctx, l.store, uint64(h.N))))
	if err != nil {
		return nil, err
	}
	return torchwood.FormatProofWithExtraData(int64(seq), entry, p, h.text), nil
}

// beyond says why an entry is in no checkpoint.
func (l *Log) beyond(ctx context.Context, seq uint64, shown int64) error {
	have, err := l.store.Head(ctx)
	if err != nil {
		return err
	}
	if seq < have.Size {
		return fmt.Errorf("%w: entry %d comes after the %d that are", ErrNotWitnessed, seq, shown)
	}
	return fmt.Errorf("%w: entry %d; the journal has %d", ErrNotFound, seq, have.Size)
}

// entry reads the public part of one entry.
func (l *Log) entry(ctx context.Context, seq uint64) ([]byte, error) {
	for r, err := range l.store.Read(ctx, seq, seq+1) {
		return bytes.Clone(r.Public), err
	}
	return nil, fmt.Errorf("%w: entry %d", ErrNotFound, seq)
}

// Consistency returns an add-checkpoint request of c2sp.org/tlog-witness: the
// proof that a signed checkpoint of the log extends its tree of an older size,
// 0 for a witness that has seen none, and the checkpoint.
func (l *Log) Consistency(ctx context.Context, old uint64, now tlog.Tree, signed []byte) ([]byte, error) {
	if old > uint64(now.N) {
		return nil, fmt.Errorf("%w: others have seen %d entries, the journal has %d", ErrRolledBack, old, now.N)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "old %d\n", old)
	if old > 0 {
		p, err := tlog.ProveTree(now.N, int64(old), journal.HashReader(ctx, l.store, uint64(now.N)))
		if err != nil {
			return nil, err
		}
		for _, h := range p {
			fmt.Fprintln(&b, h)
		}
	}
	b.WriteByte('\n')
	b.Write(signed)
	return b.Bytes(), nil
}

// Tile returns the tile or entry bundle at a path of c2sp.org/tlog-tiles, such
// as "tile/0/x001/234" or "tile/entries/000.p/7", and whether it is full, hence
// will never change. One that reaches beyond what is shown is [ErrNotFound], and
// so is a path that is not a tile's.
func (l *Log) Tile(ctx context.Context, path string) (data []byte, full bool, err error) {
	t, err := ParseTile(path)
	if err != nil {
		return nil, false, err
	}
	// What was shown once stays shown, so only the edge asks for a new head.
	if shown := l.latest.Load(); shown == nil || !within(t, shown.N) {
		h, err := l.show(ctx)
		if err != nil {
			return nil, false, err
		}
		if !within(t, h.N) {
			return nil, false, fmt.Errorf("%w: %s is beyond the %d entries that are shown", ErrNotFound, path, h.N)
		}
	}
	if t.L < 0 {
		data, err = journal.ReadEntries(ctx, l.store, t.N, t.W)
	} else {
		data, err = journal.ReadTile(ctx, l.store, t)
	}
	return data, t.W == torchwood.TileWidth, err
}

// ParseTile reads the path of a tile or entry bundle. Each has one path only.
func ParseTile(path string) (tlog.Tile, error) {
	t, err := torchwood.ParseTilePath(path)
	if err != nil || torchwood.TilePath(t) != path || t.N < 0 {
		return tlog.Tile{}, fmt.Errorf("%w: this is not a path of a tile", ErrNotFound)
	}
	return t, nil
}

// within reports whether a tree of a size fills a tile to its width.
func within(t tlog.Tile, size int64) bool {
	hashes := size >> (torchwood.TileHeight * max(t.L, 0))
	return hashes >= int64(t.W) && t.N <= (hashes-int64(t.W))/torchwood.TileWidth
}
