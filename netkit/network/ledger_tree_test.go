package network

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// rooted checks that the network shows the root which tlog computes from the
// entries in the store, and that the store's own nodes give the same.
func (f *fixture) rooted(t testing.TB) netkit.TreeHead {
	t.Helper()
	var all []tlog.Hash
	read := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, x := range indexes {
			out[i] = all[x]
		}
		return out, nil
	})
	size := int64(0)
	for r, err := range f.store.Read(context.Background(), 0, 1<<40) {
		if err != nil {
			t.Fatal(err)
		}
		more, err := tlog.StoredHashes(size, r.Public, read)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, more...)
		size++
	}
	root, err := tlog.TreeHash(size, read)
	if err != nil {
		t.Fatal(err)
	}
	got := must[netkit.TreeHead](t)(f.Root(context.Background()))
	if want := (netkit.TreeHead{Size: uint64(size), Root: netkit.Hash(root)}); got != want {
		t.Errorf("got the tree %+v, want %+v", got, want)
	}
	opened, err := journal.OpenTree(context.Background(), f.store, uint64(size))
	if err != nil || opened.Root() != root {
		t.Errorf("opened from the store: got %v, %v, want the root %s", opened, err, root)
	}
	return got
}

// populous is a network of so many agents that its tree has four full tiles
// and a beginning.
func populous(t testing.TB) *fixture {
	f := memory(t)
	for i := range 1100 {
		must[netkit.Spawned](t)(f.As("").Spawn(context.Background(), netkit.Spawn{Slug: fmt.Sprintf("agent-%d", i)}))
	}
	return f
}

// crossings are commands of which most complete one or more tiles of the tree.
// No rule accounts for them: there is no such bulk.
func crossings() []func(context.Context, *fixture) error {
	var all []func(context.Context, *fixture) error
	for k, n := range []int{250, 4, 1, 1, 600, 255, 2} {
		many := make(spawnMany, n)
		for i := range many {
			many[i] = fmt.Sprintf("agent-%d-%d", k, i)
		}
		all = append(all, func(ctx context.Context, f *fixture) error {
			err := do(netkit.WithKey(ctx, fmt.Sprint(k)), f.op(), many)
			return err
		})
	}
	return all
}

// At every write, a failure, a lost reply and a lost write leave a tree that
// is that of the entries in the journal, at once and after a restart with and
// without a snapshot.
func TestTreeAfterEveryFault(t *testing.T) {
	faults := map[string]journaltest.Fault{
		"definite":          {Err: journal.ErrFull},
		"doubtful, lost":    {Err: journal.ErrDoubtful},
		"doubtful, applied": {Err: journal.ErrDoubtful, Applied: true},
	}
	for name, fault := range faults {
		for nth := range len(crossings()) {
			t.Run(fmt.Sprintf("%s/%d", name, nth), func(t *testing.T) {
				inner := journal.NewMemory()
				f := start(t, &journaltest.Faulty{Store: inner, Hook: journaltest.Once(1+nth, fault)}) // 0 is genesis
				f.bent = true
				for k, step := range crossings() {
					err := step(t.Context(), f)
					f.rooted(t)
					if k == nth && fault.Err == journal.ErrFull {
						if !errors.Is(err, netkit.ErrUnavailable) {
							t.Fatalf("step %d: got %v, want unavailable", k, err)
						}
						for try := 0; err != nil && try < 50_000; try++ {
							time.Sleep(2 * time.Millisecond)
							err = step(t.Context(), f)
						}
					}
					if err != nil {
						t.Fatalf("step %d: %v", k, err)
					}
				}
				f.store = inner
				want := f.rooted(t)
				f.restarts(t)
				if got := f.rooted(t); got != want {
					t.Errorf("restarted: got %+v, want %+v", got, want)
				}
			})
		}
	}
}

// The tree of genesis alone, and that a root is not shown before its entries
// are durable.
func TestRootWaitsForDurability(t *testing.T) {
	hold, entered := make(chan struct{}), make(chan struct{})
	f := start(t, &journaltest.Faulty{Store: journal.NewMemory(), Hook: func(n int, _ journal.Head, _ journal.Batch) journaltest.Fault {
		if n == 1 {
			close(entered)
			<-hold
		}
		return journaltest.Fault{}
	}})
	if got := f.rooted(t); got.Size != 1 {
		t.Errorf("after genesis: got %+v, want a tree of 1", got)
	}
	spawned := make(chan error, 1)
	go func() {
		_, err := f.As("").Spawn(context.Background(), netkit.Spawn{Slug: "ada"})
		spawned <- err
	}()
	<-entered
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if got, err := f.Root(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %+v, %v, want to wait for the write", got, err)
	}
	close(hold)
	if err := <-spawned; err != nil {
		t.Fatal(err)
	}
	if got := f.rooted(t); got.Size != 2 {
		t.Errorf("got %+v, want a tree of 2", got)
	}
}

// lying is a store that shows one node otherwise than it was written, or not
// at all.
type lying struct {
	journal.Store
	index uint64
	gone  bool
}

func (l *lying) Nodes(ctx context.Context, indexes []uint64) ([][journal.HashSize]byte, error) {
	hashes, err := l.Store.Nodes(ctx, indexes)
	for i := range hashes {
		if indexes[i] == l.index {
			if l.gone {
				return nil, journal.ErrNotFound
			}
			hashes[i][7] ^= 1
		}
	}
	return hashes, err
}

// A journal whose stored tree is not that of its entries does not start, with
// and without a snapshot, and fails an audit.
func TestStoredTreeThatDisagrees(t *testing.T) {
	for _, snapshot := range []bool{false, true} {
		f := populous(t)
		if snapshot {
			if err := f.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for _, gone := range []bool{false, true} {
			for n := range int64(4) {
				store := &lying{f.store, uint64(tlog.StoredHashIndex(8, n)), gone}
				if _, err := New(t.Context(), Config{Store: store}); !errors.Is(err, netkit.ErrCorrupt) {
					t.Errorf("snapshot %v, gone %v, node %d: got %v, want the tree to be found wrong", snapshot, gone, n, err)
				}
			}
			store := &lying{f.store, uint64(tlog.StoredHashIndex(8, 2)), gone}
			if _, err := Audit(t.Context(), store); !errors.Is(err, netkit.ErrCorrupt) || !strings.Contains(err.Error(), "up to entry 767") {
				t.Errorf("audit, gone %v: got %v, want the tree up to entry 767 to be found wrong", gone, err)
			}
		}
	}
}

// An entry without postings that was backdated by so little that no rule is
// broken is found by the tree, which names the entries that it is one of.
func TestBackdatedWithoutMoney(t *testing.T) {
	f := memory(t)
	f.writers()
	f.passes(time.Hour)
	at := netkit.At(f.now)
	r := must[netkit.ClaimsReceipt](t)(f.As("ada").SetClaims(t.Context(), netkit.Claims{Niche: netkit.NicheLegal}))
	for i := range 300 {
		must[netkit.Spawned](t)(f.As("").Spawn(t.Context(), netkit.Spawn{Slug: fmt.Sprintf("agent-%d", i)}))
	}
	store := &forged{f.store, r.Seq, fmt.Sprintf(`"at":%d`, at), fmt.Sprintf(`"at":%d`, at-1)}
	if _, err := Audit(t.Context(), store); !errors.Is(err, netkit.ErrCorrupt) || !strings.Contains(err.Error(), "one of the entries 0 to 255 was changed") {
		t.Errorf("got %v, want entry %d named among its neighbours", err, r.Seq)
	}
}

// Entries that another writer appended grow the tree too.
func TestTreeFollowsAnotherWriter(t *testing.T) {
	f := memory(t)
	other := start(t, f.store)
	f.bent, other.bent = true, true
	for _, step := range crossings() {
		if err := step(t.Context(), other); err != nil {
			t.Fatal(err)
		}
	}
	want := other.rooted(t)
	// The write of f finds that the head moved, and reads what is there.
	if _, err := f.As("").Spawn(t.Context(), netkit.Spawn{Slug: "ada"}); !errors.Is(err, netkit.ErrUnavailable) {
		t.Errorf("got %v, want that nothing was kept", err)
	}
	if got := f.rooted(t); got != want {
		t.Errorf("followed: got %+v, want %+v", got, want)
	}
	if _, err := f.As("").Spawn(t.Context(), netkit.Spawn{Slug: "ada"}); err != nil {
		t.Fatal(err)
	}
	f.rooted(t)
}

// A journal of an earlier version that nobody opened for writing since has no
// nodes, and is audited as it is.
func TestJournalWithoutATree(t *testing.T) {
	f := populous(t)
	want := f.rooted(t)
	bare := journal.NewMemory()
	var records []journal.Record
	for r, err := range f.store.Read(t.Context(), 0, want.Size) {
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	if _, err := bare.Append(t.Context(), journal.Head{}, journal.Batch{Records: records}); err != nil {
		t.Fatal(err)
	}
	if got, err := Audit(t.Context(), bare); err != nil || got.Root != want.Root {
		t.Errorf("got %+v, %v, want the root %s", got, err, want.Root)
	}
}
