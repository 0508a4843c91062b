package archive_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/archive"
	"github.com/agentnet/netctl/netkit/archive/s3"
	"github.com/agentnet/netctl/netkit/archive/s3/s3test"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
)

// dice are random numbers for several goroutines.
type dice struct {
	mu     sync.Mutex
	random *rand.Rand
}

func (d *dice) IntN(n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.random.IntN(n)
}

// grown is a journal that entries are added to.
type grown struct {
	*sqlite.Store
	head journal.Head
	tree journal.Tree
}

func newGrown(t *testing.T) *grown {
	t.Helper()
	j, err := sqlite.Open(t.Context(), sqlite.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return &grown{Store: j}
}

func (g *grown) grow(t *testing.T, n int, by string) {
	t.Helper()
	var b journal.Batch
	for i := range n {
		r := journal.Record{Seq: g.head.Size + uint64(i), Public: fmt.Appendf(nil, `{"n":%d,"by":%q}`, g.head.Size+uint64(i), by), Private: []byte("private")}
		b.Records = append(b.Records, r)
		b.Nodes = g.tree.Append(journal.Leaf(r.Public), b.Nodes)
	}
	head, err := g.Append(t.Context(), g.head, b)
	if err != nil {
		t.Fatal(err)
	}
	g.head = head
}

// onServer opens the bucket of a server that tests control.
func onServer(t *testing.T) (archive.Store, *s3test.Bucket) {
	t.Helper()
	s3test.Credentials(t)
	behind := s3test.New(s3test.Faults{})
	srv := httptest.NewUnstartedServer(behind)
	srv.Config.ErrorLog = nil
	srv.Start()
	t.Cleanup(srv.Close)
	store, err := s3.Open("s3://bucket?region=us-east-1&endpoint=" + srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	return store, behind
}

// writing opens a writer of a journal.
func writing(t *testing.T, store archive.Store, g *grown, id *age.X25519Identity, kept *archive.Identity) (*archive.Writer, error) {
	t.Helper()
	var mu sync.Mutex
	return archive.Open(t.Context(), archive.Config{Store: store, Journal: g, Network: "n", Recipients: []age.Recipient{id.Recipient()}, ID: *kept, Every: time.Millisecond,
		Keep: func(id archive.Identity) error { mu.Lock(); defer mu.Unlock(); *kept = id; return nil },
		Entry: func(_ uint64, public []byte) (archive.Entry, error) {
			var e struct{ N netkit.Millis }
			err := json.Unmarshal(public, &e)
			return archive.Entry{At: e.N}, err
		},
		Erased: func(context.Context, uint64) ([]netkit.Hash, error) { return nil, nil },
		Files:  func() (map[string][]byte, error) { return map[string][]byte{"a": []byte("b")}, nil },
	})
}

func copyOf(t *testing.T, store archive.Store, id *age.X25519Identity) (tree journal.Tree, err error) {
	t.Helper()
	g := newGrown(t)
	r := archive.NewReader(store, []age.Identity{id})
	for o, err := range r.Objects(t.Context(), 0) {
		if err != nil {
			return tree, err
		}
		batches, keys, err := r.Batches(t.Context(), o)
		if err != nil {
			return tree, err
		}
		if g.head, err = g.AppendCopies(t.Context(), g.head, &tree, batches, keys, nil); err != nil {
			return tree, err
		}
		if root := netkit.Hash(tree.Root()); root != o.Tree.Root {
			t.Fatalf("object %d: got the root %s, want %s", o.Number, root, o.Tree.Root)
		}
	}
	return tree, nil
}

// A server that answers 409 and 503, loses answers and flips bits loses no entry, and
// no writer takes its own object for another one's.
func TestHostileServer(t *testing.T) {
	seconds := 3 * time.Second
	if testing.Short() {
		seconds = time.Second
	}
	store, behind := onServer(t)
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	g, kept := newGrown(t), archive.Identity{}
	g.grow(t, 1, "a")
	random := &dice{random: rand.New(rand.NewPCG(23, 1))}
	one := func(in int) func(int, string, string) bool {
		return func(int, string, string) bool { return random.IntN(in) == 0 }
	}
	faults := s3test.Faults{Conflict: one(9), Lost: one(7), Broken: one(11), Flipped: one(13)}
	for begun := time.Now(); time.Since(begun) < seconds; {
		behind.Set(s3test.Faults{}) // the probe wants a sound server
		w, err := writing(t, store, g, id, &kept)
		if err != nil {
			t.Fatal(err)
		}
		behind.Set(faults)
		for range 10 {
			g.grow(t, 1+random.IntN(4), "a")
			w.Advance(g.head.Size)
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			if err := w.Wait(ctx, g.head.Size); err != nil {
				t.Fatalf("%v; %+v", err, w.Status())
			}
			cancel()
		}
		if err := w.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	behind.Set(s3test.Faults{})
	tree, err := copyOf(t, store, id)
	if err != nil || tree.Root() != g.tree.Root() || tree.Size() != g.head.Size {
		t.Errorf("got a copy of %d entries, %v, want %d", tree.Size(), err, g.head.Size)
	}
	// Each read of a flipped object is refused or right.
	behind.Set(s3test.Faults{Flipped: one(20)})
	for range 20 {
		tree, err := copyOf(t, store, id)
		refused := errors.Is(err, archive.ErrDamaged) || errors.Is(err, archive.ErrIdentity) // a flip may hit the line of a recipient
		if err == nil && tree.Root() != g.tree.Root() || err != nil && !refused {
			t.Fatalf("flipped bits: got %d entries, %v", tree.Size(), err)
		}
	}
}

// Two writers on one archive: exactly one continues it, whatever is lost, and all
// that it wrote is one journal.
func TestOneWriterWins(t *testing.T) {
	rounds := 20
	if testing.Short() {
		rounds = 4
	}
	random := &dice{random: rand.New(rand.NewPCG(23, 2))}
	for round := range rounds {
		store, behind := onServer(t)
		id, err := age.GenerateX25519Identity()
		if err != nil {
			t.Fatal(err)
		}
		g, kept := newGrown(t), archive.Identity{}
		g.grow(t, 2, "old")
		w, err := writing(t, store, g, id, &kept)
		if err != nil {
			t.Fatal(err)
		}
		behind.Set(s3test.Faults{Lost: func(int, string, string) bool { return random.IntN(9) == 0 }})
		done := make(chan struct{})
		go func() {
			defer close(done)
			for i := 0; i < 50 && w.Err() == nil; i++ {
				g.grow(t, 1, "old")
				w.Advance(g.head.Size)
				time.Sleep(2 * time.Millisecond)
			}
		}()
		time.Sleep(time.Duration(random.IntN(60)) * time.Millisecond)
		var fence archive.Header
		for {
			tail, err := archive.Tail(t.Context(), store)
			if err != nil {
				continue // the connection was cut
			}
			if _, err = archive.TakeOver(t.Context(), store, &tail.Header, time.Now()); err == nil {
				fence = tail.Header
				break
			}
		}
		<-done
		behind.Set(s3test.Faults{})
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		err = w.Close(ctx)
		cancel()
		missing := g.head.Size - fence.Tree.Size
		if missing > 0 && !errors.Is(err, archive.ErrOtherWriter) {
			t.Errorf("round %d: %d entries are missing, and the old writer ended with %v", round, missing, err)
		}
		if missing > 0 && !strings.Contains(err.Error(), fmt.Sprintf("entries from %d on", fence.Tree.Size)) {
			t.Errorf("round %d: the error does not name entry %d: %v", round, fence.Tree.Size, err)
		}
		tree, err := copyOf(t, store, id)
		if err != nil || tree.Size() != fence.Tree.Size || netkit.Hash(tree.Root()) != fence.Tree.Root {
			t.Errorf("round %d: the archive ends with %d entries, %v, want %d", round, tree.Size(), err, fence.Tree.Size)
		}
		if t.Failed() {
			return
		}
	}
}
