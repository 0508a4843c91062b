package journaltest

import (
	"errors"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/agentnet/netctl/netkit/journal"
)

// testTree stores the nodes of a tree as it grows, one for 256 records and so
// on, and reads its roots and tiles back at every size it had.
func testTree(t *testing.T, s journal.Store) {
	if testing.Short() {
		t.Skip("appends 66,000 records")
	}
	var tree journal.Tree
	var head journal.Head
	roots := map[uint64][journal.HashSize]byte{}
	for _, n := range []int{1, 254, 1, 1, 700, 66_000, 3} {
		b := journal.Batch{Records: Records(head.Size, n)}
		for _, r := range b.Records {
			b.Nodes = tree.Append(journal.Leaf(r.Public), b.Nodes)
		}
		head = MustAppend(t, s, head, b)
		roots[head.Size] = tree.Root()
	}
	for size, want := range roots {
		got, err := journal.OpenTree(t.Context(), s, size)
		if err != nil || got.Root() != want {
			t.Errorf("tree of %d: got %v, %v, want the root %x", size, got, err, want)
		}
	}
	for n := range int64(3) {
		tile := tlog.Tile{H: journal.TileHeight, L: 1, N: n, W: 256}
		if _, err := journal.ReadTile(t.Context(), s, tile); (n > 0) != errors.Is(err, journal.ErrNotFound) {
			t.Errorf("tile %d of level 1: got %v, want the first alone", n, err)
		}
	}
}
