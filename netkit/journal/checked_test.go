package journal_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

func TestCheckedIsAStore(t *testing.T) {
	journaltest.Run(t, journaltest.Driver{
		Open: func(*testing.T) journal.Store { return journal.NewChecked(journal.NewMemory()) },
	})
}

// bent is a store that lies: about a record, about a node, or about its length.
type bent struct {
	journal.Store
	record func(*journal.Record) bool // alters it, and false leaves it out
	node   uint64                     // index of the one that is altered
	reads  int
}

func (b *bent) Read(ctx context.Context, from, to uint64) iter.Seq2[journal.Record, error] {
	b.reads++
	return func(yield func(journal.Record, error) bool) {
		for r, err := range b.Store.Read(ctx, from, to) {
			if err == nil && b.record != nil && !b.record(&r) || !yield(r, err) {
				return
			}
		}
	}
}

func (b *bent) Nodes(ctx context.Context, indexes []uint64) ([][journal.HashSize]byte, error) {
	hashes, err := b.Store.Nodes(ctx, indexes)
	for i, index := range indexes {
		if err == nil && b.node != 0 && index == b.node {
			hashes[i][7] ^= 4
		}
	}
	return hashes, err
}

// alter changes record n.
func alter(n uint64) func(*journal.Record) bool {
	return func(r *journal.Record) bool {
		if r.Seq == n {
			r.Public = append(bytes.Clone(r.Public[:len(r.Public)-1]), ']')
		}
		return true
	}
}

// leaves are the hashes of the records from one on.
func (g *grown) leaves(from uint64) (out [][journal.HashSize]byte) {
	for ; from < g.head.Size; from++ {
		out = append(out, g.all[tlog.StoredHashIndex(0, int64(from))])
	}
	return out
}

// Whatever stretch is read of a journal that grows: a sound one comes whole,
// and one that is altered or cut short ends before it gives anything else than
// what was written.
func TestCheckedGivesWhatWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &grown{store: journal.NewMemory()}
		b := &bent{Store: g.store}
		c := journal.NewChecked(b)
		for range rapid.IntRange(1, 5).Draw(t, "batches") {
			before := g.head.Size
			g.add(t, rapid.IntRange(1, 700).Draw(t, "records"))
			if rapid.Bool().Draw(t, "told") {
				c.Trust(g.tree, g.leaves(before))
			} else {
				c.Trust(g.tree, nil)
			}
			from := rapid.Uint64Range(0, g.head.Size-1).Draw(t, "from")
			to := rapid.Uint64Range(from+1, g.head.Size+3).Draw(t, "to")
			if n, err := g.same(c, from, to); err != nil || n != min(to, g.head.Size) {
				t.Fatalf("sound, %d to %d of %d: got up to %d, %v", from, to, g.head.Size, n, err)
			}
			bad := rapid.Uint64Range(from, min(to, g.head.Size)-1).Draw(t, "bad")
			b.record = alter(bad)
			if rapid.Bool().Draw(t, "cut") {
				b.record = func(r *journal.Record) bool { return r.Seq < bad }
			}
			if n, err := g.same(c, from, to); !errors.Is(err, journal.ErrNotJournal) || n > bad {
				t.Fatalf("altered at %d, %d to %d: got up to %d, %v, want %v", bad, from, to, n, err, journal.ErrNotJournal)
			}
			b.record = nil
		}
	})
}

// same reads a stretch and compares it with what was written; it returns where
// the reading ended.
func (g *grown) same(s journal.Store, from, to uint64) (uint64, error) {
	for r, err := range s.Read(context.Background(), from, to) {
		if err != nil {
			return from, err
		}
		if r.Seq != from || tlog.Hash(journal.Leaf(r.Public)) != g.all[tlog.StoredHashIndex(0, int64(from))] {
			return from, errors.New("got another record")
		}
		from++
	}
	return from, nil
}

// A stored node that is altered is never given, and nothing that only it vouches
// for.
func TestCheckedNodes(t *testing.T) {
	g := grow(t, 70_000)
	node := uint64(tlog.StoredHashIndex(8, 5))
	for _, at := range []struct {
		name string
		seq  uint64
		bad  bool
	}{{"below the node", 5*256 + 9, true}, {"in the tile that it is in", 9 * 256, true}, {"in another tile", 66_000, false}} {
		c := journal.NewChecked(&bent{Store: g.store, node: node})
		c.Trust(g.tree, nil)
		if _, err := g.same(c, at.seq, at.seq+1); errors.Is(err, journal.ErrNotJournal) != at.bad {
			t.Errorf("record %s: got %v, want damage %v", at.name, err, at.bad)
		}
	}
	c := journal.NewChecked(&bent{Store: g.store, node: node})
	c.Trust(g.tree, nil)
	if _, err := c.Nodes(t.Context(), []uint64{node}); !errors.Is(err, journal.ErrNotJournal) {
		t.Errorf("the node: got %v, want %v", err, journal.ErrNotJournal)
	}
	upper := uint64(tlog.StoredHashIndex(16, 0))
	got, err := c.Nodes(t.Context(), []uint64{upper})
	if err != nil || tlog.Hash(got[0]) != g.all[upper] {
		t.Errorf("the node above: got %x, %v, want %x", got, err, g.all[upper])
	}
}

// What is remembered is not read again: a record costs one read of its own.
func TestCheckedReadsATileOnce(t *testing.T) {
	g := grow(t, 1000)
	b := &bent{Store: g.store}
	c := journal.NewChecked(b)
	c.Trust(g.tree, g.leaves(768))
	for _, read := range []struct {
		seq  uint64
		want int // reads of the store
	}{{900, 1}, {999, 1}, {300, 2}, {301, 1}, {511, 1}, {0, 2}} {
		b.reads = 0
		if _, err := g.same(c, read.seq, read.seq+1); err != nil || b.reads != read.want {
			t.Errorf("record %d: got %d reads, %v, want %d", read.seq, b.reads, err, read.want)
		}
	}
}

func BenchmarkCheckedRead(b *testing.B) {
	g := &grown{store: journal.NewMemory()}
	g.add(b, 10_000)
	plain := journal.NewChecked(g.store)
	known := journal.NewChecked(g.store)
	known.Trust(g.tree, nil)
	for _, bench := range []struct {
		name  string
		store journal.Store
	}{{"trusting", plain}, {"checked", known}} {
		b.Run(bench.name, func(b *testing.B) {
			for i := uint64(0); b.Loop(); i++ {
				for _, err := range bench.store.Read(context.Background(), i%10_000, i%10_000+1) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
