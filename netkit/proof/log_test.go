package proof

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/agentnet/netctl/netkit/journal"
)

// entry is a public part as journals hold it, so far as proofs look at it.
func entry(seq uint64, text string) []byte {
	return fmt.Appendf(nil, `{"seq":%d,"text":%q}`, seq, text)
}

// fill appends entries with their nodes until the journal has size of them.
func fill(t testing.TB, s journal.Store, size uint64, text string) {
	t.Helper()
	at, err := s.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tree, err := journal.OpenTree(t.Context(), s, at.Size)
	if err != nil {
		t.Fatal(err)
	}
	var b journal.Batch
	for seq := at.Size; seq < size; seq++ {
		b.Records = append(b.Records, journal.Record{Seq: seq, Public: entry(seq, text), Private: []byte("secret")})
		b.Nodes = tree.Append(journal.Leaf(entry(seq, text)), b.Nodes)
	}
	if _, err := s.Append(t.Context(), at, b); err != nil {
		t.Fatal(err)
	}
}

// key makes a key that is the same in every run.
func key(t testing.TB, name string, seed byte) string {
	t.Helper()
	private, _, err := NewKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 64)), name)
	if err != nil {
		t.Fatal(err)
	}
	return private
}

const origin = "agentnet/testnet"

// book is a log over a journal in memory.
type book struct {
	*Log
	t     testing.TB
	store *journal.Memory
	kept  [][]byte
}

func open(t testing.TB, size uint64, change ...func(*Config)) *book {
	t.Helper()
	b := &book{t: t, store: journal.NewMemory()}
	fill(t, b.store, size, "one")
	b.reopen(change...)
	return b
}

func (b *book) reopen(change ...func(*Config)) {
	b.t.Helper()
	cfg := Config{Store: b.store, Key: key(b.t, origin, 1), Keep: func(_ context.Context, c []byte) error {
		b.kept = append(b.kept, c)
		return nil
	}}
	for _, c := range change {
		c(&cfg)
	}
	var err error
	if b.Log, err = New(b.t.Context(), cfg); err != nil {
		b.t.Fatal(err)
	}
}

// shown returns the checkpoint that is shown, opened.
func (b *book) shown() Checkpoint {
	b.t.Helper()
	text, err := b.Checkpoint(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	c, err := OpenCheckpoint(b.Policy(), text)
	if err != nil {
		b.t.Fatal(err)
	}
	return c
}

// root is the root of the first size entries as the definition gives it.
func root(t testing.TB, s journal.Store, size uint64) tlog.Hash {
	t.Helper()
	var hashes []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, x := range indexes {
			out[i] = hashes[x]
		}
		return out, nil
	})
	var n int64
	for r, err := range s.Read(t.Context(), 0, size) {
		if err != nil {
			t.Fatal(err)
		}
		more, err := tlog.StoredHashes(n, r.Public, reader)
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, more...)
		n++
	}
	h, err := tlog.TreeHash(n, reader)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestCheckpointIsOfTheNewestHead(t *testing.T) {
	b := open(t, 1)
	for _, size := range []uint64{1, 2, 255, 256, 257, 511, 513, 700} {
		fill(t, b.store, size, "one")
		c := b.shown()
		if c.N != int64(size) || c.Hash != root(t, b.store, size) || c.Origin != origin {
			t.Errorf("got %s %d %s, want %s %d %s", c.Origin, c.N, c.Hash, origin, size, root(t, b.store, size))
		}
	}
}

// What is shown was kept before, and once a size.
func TestCheckpointIsKeptBeforeItIsShown(t *testing.T) {
	b := open(t, 3)
	first, err := b.Checkpoint(t.Context())
	if err != nil || len(b.kept) != 1 || !bytes.Equal(b.kept[0], first) {
		t.Fatalf("got %d kept, %v; want the one that is shown", len(b.kept), err)
	}
	again, err := b.Checkpoint(t.Context())
	if err != nil || len(b.kept) != 1 || !bytes.Equal(again, first) {
		t.Errorf("got %d kept and %q, %v; want the same checkpoint", len(b.kept), again, err)
	}
	full := errors.New("disk full")
	b.keep = func(context.Context, []byte) error { return full }
	fill(t, b.store, 4, "one")
	if _, err := b.Checkpoint(t.Context()); !errors.Is(err, full) {
		t.Errorf("got %v, want nothing shown that could not be kept", err)
	}
}

func TestEmptyJournalHasNothingToSign(t *testing.T) {
	b := open(t, 0)
	if _, err := b.Checkpoint(t.Context()); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v, want %v", err, ErrNotFound)
	}
}

func TestConfigIsChecked(t *testing.T) {
	s := journal.NewMemory()
	for name, cfg := range map[string]Config{
		"no store":       {Key: key(t, origin, 1)},
		"no key":         {Store: s},
		"no such key":    {Store: s, Key: "PRIVATE+KEY+x+00000000+AAAA"},
		"quorum of none": {Store: s, Key: key(t, origin, 1), Quorum: 1},
		"no witness key": {Store: s, Key: key(t, origin, 1), Witnesses: []string{"w+1+2"}, Quorum: 1},
		"rubbish kept":   {Store: s, Key: key(t, origin, 1), Last: []byte("rubbish")},
	} {
		if _, err := New(t.Context(), cfg); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}

// A journal that lost or changed what was shown is found out at the start.
func TestRolledBackJournalDoesNotStart(t *testing.T) {
	b := open(t, 600)
	last, err := b.Checkpoint(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	again := func(size uint64, text string) error {
		s := journal.NewMemory()
		fill(t, s, 100, "one")
		fill(t, s, size, text)
		_, err := New(t.Context(), Config{Store: s, Key: key(t, origin, 1), Last: last})
		return err
	}
	for _, c := range []struct {
		name, text string
		size       uint64
		bad        bool
	}{
		{"the same", "one", 600, false},
		{"longer", "one", 900, false},
		{"shorter", "one", 599, true},
		{"rewritten", "two", 600, true},
		{"rewritten and longer", "two", 900, true},
	} {
		if err := again(c.size, c.text); errors.Is(err, ErrRolledBack) != c.bad || !c.bad && err != nil {
			t.Errorf("%s: got %v, want refused %v", c.name, err, c.bad)
		}
	}
	other, err := PublicKey(key(t, origin, 2))
	if err != nil {
		t.Fatal(err)
	}
	if err := CheckStart(t.Context(), b.store, other, last); !errors.Is(err, ErrKey) {
		t.Errorf("another key: got %v, want %v", err, ErrKey)
	}
}

// A store whose head falls back while the log runs is not signed for.
type shrinking struct {
	*journal.Memory
	size uint64
}

func (s *shrinking) Head(ctx context.Context) (journal.Head, error) {
	h, err := s.Memory.Head(ctx)
	h.Size = min(h.Size, s.size)
	return h, err
}

func TestHeadNeverGoesBack(t *testing.T) {
	s := &shrinking{journal.NewMemory(), 50}
	fill(t, s.Memory, 50, "one")
	l, err := New(t.Context(), Config{Store: s, Key: key(t, origin, 1)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.size = 49
	if text, err := l.Checkpoint(t.Context()); !errors.Is(err, ErrRolledBack) {
		t.Errorf("got %q, %v; want %v", text, err, ErrRolledBack)
	}
}

// Every tile is what tlog makes of the entries, and none reaches beyond what
// is shown.
func TestTiles(t *testing.T) {
	b := open(t, 700)
	var hashes []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, x := range indexes {
			out[i] = hashes[x]
		}
		return out, nil
	})
	for seq := range int64(700) {
		more, err := tlog.StoredHashes(seq, entry(uint64(seq), "one"), reader)
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, more...)
	}
	for _, tile := range tlog.NewTiles(torchwood.TileHeight, 0, 700) {
		want, err := tlog.ReadTileData(tile, reader)
		if err != nil {
			t.Fatal(err)
		}
		got, full, err := b.Tile(t.Context(), torchwood.TilePath(tile))
		if err != nil || !bytes.Equal(got, want) || full != (tile.W == 256) {
			t.Errorf("%s: got %d bytes, full %v, %v; want %d", torchwood.TilePath(tile), len(got), full, err, len(want))
		}
	}
	for _, path := range []string{
		"tile/0/003", "tile/0/002", "tile/0/002.p/189", "tile/1/000", "tile/1/000.p/3", "tile/2/000.p/1", "tile/entries/002.p/189", "tile/entries/003",
		"tile/data/000", "tile/0/000.p/256", "tile/0/000.p/0", "tile/-1/000", "tile/63/000", "tile/7/000", "tile/8/0/000", "checkpoint", "tile/0/x001/000", "",
		"tile/0/x999/x999/x999/x999/x999/x999/x999/999", "tile/entries/x999/x999/x999/x999/x999/x999/x999/999",
	} {
		if got, _, err := b.Tile(t.Context(), path); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: got %d bytes, %v; want %v", path, len(got), err, ErrNotFound)
		}
	}
	if got, full, err := b.Tile(t.Context(), "tile/0/002.p/188"); err != nil || full || len(got) != 188*32 {
		t.Errorf("got %d bytes, full %v, %v; want the partial tile of 188 hashes", len(got), full, err)
	}
}

// Reading what was shown signs nothing again, however the journal grows.
func TestTilesSignNothing(t *testing.T) {
	b := open(t, 700)
	if _, _, err := b.Tile(t.Context(), "tile/0/001"); err != nil || len(b.kept) != 1 {
		t.Fatalf("got %d checkpoints, %v; want the first", len(b.kept), err)
	}
	fill(t, b.store, 800, "one")
	for _, path := range []string{"tile/0/000", "tile/entries/001", "tile/0/002.p/188"} {
		if _, _, err := b.Tile(t.Context(), path); err != nil || len(b.kept) != 1 {
			t.Errorf("%s: got %d checkpoints, %v; want no other", path, len(b.kept), err)
		}
	}
	if _, _, err := b.Tile(t.Context(), "tile/0/003.p/32"); err != nil || len(b.kept) != 2 {
		t.Errorf("the new edge: got %d checkpoints, %v; want one more", len(b.kept), err)
	}
}

// Bundles hold public parts alone.
func TestEntriesAreThePublicParts(t *testing.T) {
	b := open(t, 300)
	data, full, err := b.Tile(t.Context(), "tile/entries/001.p/44")
	if err != nil || full {
		t.Fatal(full, err)
	}
	if bytes.Contains(data, []byte("secret")) {
		t.Error("a private part is in the bundle")
	}
	for seq := uint64(256); seq < 300; seq++ {
		var e []byte
		if e, data, err = torchwood.ReadTileEntry(data); err != nil || !bytes.Equal(e, entry(seq, "one")) {
			t.Fatalf("entry %d: got %q, %v", seq, e, err)
		}
	}
	if len(data) != 0 {
		t.Errorf("got %d bytes left over", len(data))
	}
}

// A proof of each entry of trees of all shapes holds, by the tools of others.
func TestProofs(t *testing.T) {
	b := open(t, 1)
	r := rand.New(rand.NewPCG(5, 5))
	policy := torchwood.ThresholdPolicy(2, torchwood.OriginPolicy(origin), torchwood.SingleVerifierPolicy(must(note.NewVerifier(b.Public()))))
	for _, size := range []uint64{1, 2, 3, 255, 256, 257, 512, 600} {
		fill(t, b.store, size, "one")
		for range 20 {
			seq := r.Uint64N(size)
			file, err := b.Prove(t.Context(), seq)
			if err != nil {
				t.Fatal(err)
			}
			if err := torchwood.VerifyProof(policy, tlog.RecordHash(entry(seq, "one")), file); err != nil {
				t.Errorf("entry %d of %d: torchwood says %v", seq, size, err)
			}
			got, err := Verify(b.Policy(), file)
			if err != nil || got.Seq != seq || !bytes.Equal(got.Entry, entry(seq, "one")) || got.Checkpoint.N != int64(size) {
				t.Errorf("entry %d of %d: got %+v, %v", seq, size, got, err)
			}
		}
	}
	if _, err := b.Prove(t.Context(), 600); !errors.Is(err, ErrNotFound) {
		t.Errorf("beyond the end: got %v, want %v", err, ErrNotFound)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestKeysHaveNames(t *testing.T) {
	for _, name := range []string{"", "a b", "a+b", "a\nb"} {
		if _, _, err := NewKey(strings.NewReader(strings.Repeat("x", 64)), name); err == nil {
			t.Errorf("%q: got no error", name)
		}
	}
	private, public, err := NewKey(strings.NewReader(strings.Repeat("x", 64)), origin)
	if got, perr := PublicKey(private); err != nil || perr != nil || got != public {
		t.Errorf("got %s, %v, %v; want %s", got, err, perr, public)
	}
}
