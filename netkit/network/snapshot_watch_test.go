package network

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/journal"
)

// The networks of all tests are frozen again and again, and read row by row while
// the test runs: the result must be the state at the freeze.

// freezes reads one freeze of a network after the other.
type freezes struct {
	t      testing.TB
	n      *Network
	random *rand.Rand
	busy   sync.Mutex // held while the state is read
	view   *undo.Freeze
	state  []byte // both folds at the freeze
	second []byte
	next   func() (struct{}, bool)
	got    [2][]byte
	idle   int // batches before the next freeze
	speed  int // rows read at most between two batches, less one
}

// watchFreezes begins to freeze a network.
func (f *fixture) watchFreezes() {
	w := &freezes{t: f.t, n: f.Network, random: rand.New(rand.NewPCG(3, 5))}
	f.watch.Store(w)
	w.n.mu.Lock()
	w.n.onBorder = w.border
	w.n.mu.Unlock()
}

// border is called with the lock of the network, after each batch.
func (w *freezes) border() {
	w.busy.Lock()
	defer w.busy.Unlock()
	w.n.onBorder = w.border
	if w.idle--; w.next == nil && w.idle < 0 {
		w.begin()
	}
	if w.next != nil {
		w.steps()
	}
}

// within is called while a batch is open, without the lock of the network.
func (w *freezes) within() {
	w.n.mu.RLock()
	defer w.n.mu.RUnlock()
	w.busy.Lock()
	defer w.busy.Unlock()
	if w.next != nil {
		w.steps()
	}
}

func (w *freezes) begin() {
	w.state, w.second = w.n.state.Canonical(), w.n.secrets.Stored()
	if w.speed = 0; w.random.IntN(2) == 0 {
		w.speed = w.random.IntN(1 + len(w.state)/250)
	}
	w.next, _ = iter.Pull(func(yield func(struct{}) bool) {
		w.view = undo.NewFreeze(step(func() { yield(struct{}{}) }))
		w.n.freeze(w.view)
		yield(struct{}{})
		w.got = [2][]byte{slices.Concat(w.n.state.CanonicalAt(w.view)...), slices.Concat(w.n.secrets.StoredAt(w.view)...)}
	})
	w.next()
}

// step is a lock that leaves its caller after each row.
type step func()

func (s step) Pause() { s() }

func (s step) Without(do func()) { s(); do(); s() }

// steps reads some rows: of every other freeze at most one, so that much changes
// meanwhile.
func (w *freezes) steps() {
	for range w.random.IntN(2 + w.speed) {
		if _, more := w.next(); !more {
			w.end()
			return
		}
	}
}

// end compares what was read.
func (w *freezes) end() {
	w.next, w.idle = nil, len(w.state)/2000 // batches: comparing large states takes long
	for k, want := range [][]byte{w.state, w.second} {
		if !bytes.Equal(w.got[k], want) {
			where, has, due := firstDifference(json.NewDecoder(bytes.NewReader(w.got[k])), json.NewDecoder(bytes.NewReader(want)))
			w.t.Errorf("a freeze of %d bytes, fold %d: got %.80s at %s, want %.80s", len(want), k, has, where, due)
		}
	}
	changed(w.state, w.n.state.Canonical())
	changed(w.second, w.n.secrets.Stored())
	w.n.state.Freeze(nil)
	w.n.secrets.Freeze(nil)
}

// over reads the rest.
func (w *freezes) over() {
	w.n.mu.Lock()
	defer w.n.mu.Unlock()
	w.busy.Lock()
	defer w.busy.Unlock()
	w.n.onBorder = nil
	for w.next != nil {
		if _, more := w.next(); !more {
			w.end()
		}
	}
}

// watchedStore is a store that reads of the freeze between deciding and writing.
type watchedStore struct {
	journal.Store
	f *fixture
}

func (s *watchedStore) Append(ctx context.Context, head journal.Head, b journal.Batch) (journal.Head, error) {
	if w := s.f.watch.Load(); w != nil {
		w.within()
	}
	return s.Store.Append(ctx, head, b)
}

// tableChanges counts how often a table of the snapshots changed while it was read, and has
// a 0 for one that never did.
var tableChanges = struct {
	sync.Mutex
	of map[string]int
}{of: map[string]int{}}

func changed(before, after []byte) {
	var a, b map[string]json.RawMessage
	if json.Unmarshal(before, &a) != nil || json.Unmarshal(after, &b) != nil {
		return
	}
	tableChanges.Lock()
	defer tableChanges.Unlock()
	for _, names := range []map[string]json.RawMessage{a, b} {
		for name := range names {
			if !bytes.Equal(a[name], b[name]) {
				tableChanges.of[name]++
			} else if tableChanges.of[name] == 0 {
				tableChanges.of[name] = 0
			}
		}
	}
}

// TestMain fails if some table of a test's network never changed while it was read.
func TestMain(m *testing.M) {
	flag.Parse()
	result := m.Run()
	if flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.skip").Value.String() == "" && !testing.Short() {
		for _, name := range slices.Sorted(maps.Keys(tableChanges.of)) {
			if tableChanges.of[name] == 0 && !slices.Contains(fixedTables, name) {
				fmt.Printf("no test changed %s while it was read\n", name)
				result = max(result, 1)
			}
		}
	}
	os.Exit(result)
}

// fixedTables are set by the first entry.
var fixedTables = []string{"network"}
