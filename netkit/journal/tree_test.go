package journal_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit/journal"
)

// grown is a journal whose tree was stored batch by batch, beside the plain
// list of all hashes that tlog makes of the same records.
type grown struct {
	store journal.Store
	tree  journal.Tree
	head  journal.Head
	all   hashes
}

// hashes is tlog's dense storage: every hash of the tree.
type hashes []tlog.Hash

func (h hashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, x := range indexes {
		out[i] = h[x]
	}
	return out, nil
}

func (g *grown) root(t rapid.TB, size uint64) tlog.Hash {
	t.Helper()
	root, err := tlog.TreeHash(int64(size), g.all)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// add appends n records in one batch with their nodes.
func (g *grown) add(t rapid.TB, n int) {
	t.Helper()
	var b journal.Batch
	for i := range n {
		seq := g.head.Size + uint64(i)
		r := journal.Record{Seq: seq, Public: fmt.Appendf(nil, `{"seq":%d,"pad":%q}`, seq, bytes.Repeat([]byte{'x'}, int(seq%300)))}
		b.Records = append(b.Records, r)
		b.Nodes = g.tree.Append(journal.Leaf(r.Public), b.Nodes)
		more, err := tlog.StoredHashes(int64(seq), r.Public, g.all)
		if err != nil {
			t.Fatal(err)
		}
		g.all = append(g.all, more...)
	}
	head, err := g.store.Append(context.Background(), g.head, b)
	if err != nil {
		t.Fatal(err)
	}
	g.head = head
}

func grow(t rapid.TB, sizes ...int) *grown {
	t.Helper()
	g := &grown{store: journal.NewMemory()}
	for _, n := range sizes {
		g.add(t, n)
	}
	return g
}

// Whatever the sizes of batches, the root after each is the one that tlog
// computes, and a tree that is opened from the store goes on like the one that
// grew.
func TestTreeIsTheOneOfTlog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &grown{store: journal.NewMemory()}
		for range rapid.IntRange(0, 6).Draw(t, "batches") {
			g.add(t, rapid.IntRange(0, 400).Draw(t, "records"))
			if got, want := tlog.Hash(g.tree.Root()), g.root(t, g.head.Size); got != want {
				t.Fatalf("root of %d: got %s, want %s", g.head.Size, got, want)
			}
			opened, err := journal.OpenTree(t.Context(), g.store, g.head.Size)
			if err != nil {
				t.Fatal(err)
			}
			if opened.Size() != g.head.Size || opened.Root() != g.tree.Root() {
				t.Fatalf("opened at %d: got %x of %d, want %x", g.head.Size, opened.Root(), opened.Size(), g.tree.Root())
			}
			g.tree = *opened
		}
	})
}

// Every hash of a tree can be read, from any size that the journal has had,
// and none beyond.
func TestHashReader(t *testing.T) {
	g := grow(t, 300, 1, 800, 70_000, 5)
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Uint64Range(1, g.head.Size).Draw(t, "size")
		r := journal.HashReader(t.Context(), g.store, size)
		count := tlog.StoredHashCount(int64(size))
		indexes := rapid.SliceOfN(rapid.Int64Range(0, count-1), 1, 6).Draw(t, "indexes")
		want, _ := g.all.ReadHashes(indexes)
		got, err := r.ReadHashes(indexes)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("hash %d of %d: got %s, want %s", indexes[i], size, got[i], want[i])
			}
		}
		if _, err := r.ReadHashes([]int64{0, count}); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("hash %d of %d: got %v, want %v", count, size, err, journal.ErrNotFound)
		}
		n := rapid.Int64Range(0, int64(size)-1).Draw(t, "record")
		proof, err := tlog.ProveRecord(int64(size), n, r)
		if err != nil {
			t.Fatal(err)
		}
		if err := tlog.CheckRecord(proof, int64(size), g.root(t, size), n, g.all[tlog.StoredHashIndex(0, n)]); err != nil {
			t.Errorf("record %d of %d: %v", n, size, err)
		}
		old := rapid.Int64Range(1, int64(size)).Draw(t, "old")
		tree, err := tlog.ProveTree(int64(size), old, r)
		if err != nil {
			t.Fatal(err)
		}
		if err := tlog.CheckTree(tree, int64(size), g.root(t, size), old, g.root(t, uint64(old))); err != nil {
			t.Errorf("tree %d in %d: %v", old, size, err)
		}
	})
}

// tiles serves a journal to a client that authenticates every tile.
type tiles struct{ journal.Store }

func (s tiles) ReadTiles(ctx context.Context, wanted []tlog.Tile) ([][]byte, error) {
	var out [][]byte
	for _, t := range wanted {
		read := func() ([]byte, error) { return journal.ReadTile(ctx, s, t) }
		if t.L == -1 {
			read = func() ([]byte, error) { return journal.ReadEntries(ctx, s, t.N, t.W) }
		}
		data, err := read()
		if err != nil {
			return nil, err
		}
		out = append(out, data)
	}
	return out, nil
}

func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func (tiles) ReadEndpoint(context.Context, string) ([]byte, error) {
	return nil, errors.ErrUnsupported
}

// A client of C2SP tlog-tiles that others wrote reads all entries and checks
// them against the root.
func TestStandardClientReadsTheTiles(t *testing.T) {
	for _, size := range []int{1, 255, 256, 257, 700, 66_000} {
		g := grow(t, size/2, size-size/2)
		client, err := torchwood.NewClient(tiles{g.store})
		if err != nil {
			t.Fatal(err)
		}
		tree := tlog.Tree{N: int64(size), Hash: g.tree.Root()}
		n := int64(0)
		for i, entry := range client.AllEntries(t.Context(), tree, 0) {
			if i != n || tlog.RecordHash(entry) != g.all[tlog.StoredHashIndex(0, n)] {
				t.Fatalf("entry %d of %d: got number %d, %.40q", n, size, i, entry)
			}
			n++
		}
		if err := client.Err(); err != nil || n != int64(size) {
			t.Errorf("%d entries: got %d, %v", size, n, err)
		}
	}
}

func TestNoSuchTile(t *testing.T) {
	g := grow(t, 600)
	for _, tile := range []tlog.Tile{
		{H: 8, L: 0, N: 2, W: 89}, {H: 8, L: 0, N: 3, W: 1}, {H: 8, L: 1, N: 0, W: 3}, {H: 8, L: 2, N: 0, W: 1},
		{H: 7, L: 0, N: 0, W: 1}, {H: 8, L: -1, N: 0, W: 1}, {H: 8, L: 0, N: -1, W: 1}, {H: 8, L: 0, N: 0, W: 0},
		{H: 8, L: 0, N: 0, W: 257}, {H: 8, L: 63, N: 0, W: 1}, {H: 8, L: 5, N: 1 << 62, W: 256}, {H: 8, L: 0, N: 1 << 62, W: 256},
	} {
		if _, err := journal.ReadTile(t.Context(), g.store, tile); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("tile %+v: got %v, want %v", tile, err, journal.ErrNotFound)
		}
	}
	for _, b := range []struct {
		n int64
		w int
	}{{2, 89}, {3, 1}, {0, 0}, {0, 257}, {-1, 1}, {1 << 60, 1}} {
		if _, err := journal.ReadEntries(t.Context(), g.store, b.n, b.w); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("bundle %d of %d: got %v, want %v", b.n, b.w, err, journal.ErrNotFound)
		}
	}
	if _, err := journal.OpenTree(t.Context(), g.store, 601); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("tree of 601: got %v, want %v", err, journal.ErrNotFound)
	}
}

// The length of an entry stands before it in 16 bits.
func TestLongestEntryInABundle(t *testing.T) {
	s := journal.NewMemory()
	long := bytes.Repeat([]byte{'x'}, journal.MaxPublic)
	if _, err := s.Append(t.Context(), journal.Head{}, journal.Batch{Records: []journal.Record{{Public: long}, {Seq: 1, Public: []byte("y")}}}); err != nil {
		t.Fatal(err)
	}
	got, err := journal.ReadEntries(t.Context(), s, 0, 2)
	want := binary.BigEndian.AppendUint16(nil, journal.MaxPublic)
	want = append(append(want, long...), 0, 1, 'y')
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %d bytes, %v, want %d", len(got), err, len(want))
	}
}

// A copy is a tree of its own, so that putting it back undoes a batch.
func TestTreeCopies(t *testing.T) {
	g := grow(t, 255)
	before, root := g.tree, g.tree.Root()
	g.tree.Append([32]byte{1}, nil)
	if before.Size() != 255 || before.Root() != root {
		t.Errorf("got %x of %d, want the tree of 255 as it was", before.Root(), before.Size())
	}
	var none journal.Tree
	if got, want := tlog.Hash(none.Root()), g.root(t, 0); got != want {
		t.Errorf("empty tree: got %s, want %s", got, want)
	}
}

// Nodes that are missing, or are not those of the records, are noticed.
func TestCheckNodes(t *testing.T) {
	g := grow(t, 70_000)
	bare := journal.NewMemory()
	var records []journal.Record
	for r, err := range g.store.Read(t.Context(), 0, g.head.Size) {
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	if _, err := bare.Append(t.Context(), journal.Head{}, journal.Batch{Records: records}); err != nil {
		t.Fatal(err)
	}
	if _, err := journal.OpenTree(t.Context(), bare, g.head.Size); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("without nodes: got %v, want %v", err, journal.ErrNotFound)
	}
	if is, err := journal.Bare(t.Context(), bare, 255); is || err != nil {
		t.Errorf("255 records: got bare %v, %v, want that there is nothing to store", is, err)
	}
	if is, err := journal.Bare(t.Context(), bare, g.head.Size); !is || err != nil {
		t.Errorf("without nodes: got bare %v, %v", is, err)
	}
	if is, err := journal.Bare(t.Context(), g.store, g.head.Size); is || err != nil {
		t.Errorf("with nodes: got bare %v, %v", is, err)
	}
	node := journal.Node{Index: uint64(tlog.StoredHashIndex(8, 3)), Hash: g.all[tlog.StoredHashIndex(8, 3)]}
	if err := journal.CheckNodes(t.Context(), g.store, []journal.Node{node}); err != nil {
		t.Error(err)
	}
	node.Hash[5] ^= 1
	if err := journal.CheckNodes(t.Context(), g.store, []journal.Node{node}); !errors.Is(err, journal.ErrNotJournal) {
		t.Errorf("another hash: got %v, want %v", err, journal.ErrNotJournal)
	}
	node.Index++
	if err := journal.CheckNodes(t.Context(), g.store, []journal.Node{node}); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("another index: got %v, want %v", err, journal.ErrNotFound)
	}
}

func BenchmarkTreeAppend(b *testing.B) {
	var t journal.Tree
	var nodes []journal.Node
	leaf := journal.Leaf([]byte("entry"))
	b.ReportAllocs()
	for b.Loop() {
		nodes = t.Append(leaf, nodes[:0])
	}
}

// BenchmarkTreeAppendTlog is the same by tlog's own function.
func BenchmarkTreeAppendTlog(b *testing.B) {
	var t journal.Tree
	leaf := journal.Leaf([]byte("entry"))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tlog.StoredHashesForRecordHash(int64(t.Size()), leaf, &t); err != nil {
			b.Fatal(err)
		}
		t.Append(leaf, nil)
	}
}
