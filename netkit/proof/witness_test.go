package proof

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// memory is a witness's memory that lives with the test.
type memory struct {
	latest map[string][]byte
	forks  []string
	broken error
	full   error         // of Advance alone
	slow   time.Duration // of Latest
}

func newMemory() *memory { return &memory{latest: map[string][]byte{}} }

func (m *memory) Latest(_ context.Context, origin string) ([]byte, error) {
	latest := m.latest[origin]
	time.Sleep(m.slow)
	return latest, m.broken
}

func (m *memory) Advance(_ context.Context, origin string, signed []byte) error {
	if m.full == nil {
		m.latest[origin] = slices.Clone(signed)
	}
	return m.full
}

func (m *memory) Accuse(_ context.Context, origin string, first, second []byte) error {
	m.forks = append(m.forks, string(first)+"\n"+string(second))
	return nil
}

// watch makes a witness of a log.
func watch(t testing.TB, b *book, name string, m Memory) *Witness {
	t.Helper()
	w, err := NewWitness(WitnessConfig{Signer: must(NewCosigner(key(t, name, 9))), Memory: m, Logs: []string{b.Public()}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// show submits the log's newest head to a witness that has seen old entries.
func show(t testing.TB, b *book, w *Witness, old uint64) ([]byte, error) {
	t.Helper()
	tree, signed, err := b.Sign(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return w.AddCheckpoint(t.Context(), must(b.Consistency(t.Context(), old, tree, signed)))
}

func TestWitnessCosignsWhatFollows(t *testing.T) {
	b := open(t, 1)
	m := newMemory()
	w := watch(t, b, "w.example", m)
	old := uint64(0)
	for _, size := range []uint64{1, 2, 256, 257, 257, 700} {
		fill(t, b.store, size, "one")
		lines, err := show(t, b, w, old)
		if err != nil {
			t.Fatalf("%d after %d: %v", size, old, err)
		}
		_, signed, _ := b.Sign(t.Context())
		one, err := Cosignature(w.PublicKey(), signed, lines)
		if err != nil || string(one) != string(lines) {
			t.Errorf("%d: got %q, %v; want %q", size, one, err, lines)
		}
		policy := must(NewPolicy(b.Public(), []string{w.PublicKey()}, 1))
		c, err := OpenCheckpoint(policy, append(slices.Clone(signed), lines...))
		if err != nil || c.N != int64(size) || len(c.Cosigned) != 1 || c.Cosigned[0] != "w.example" {
			t.Errorf("%d: got %+v, %v", size, c, err)
		}
		old = size
	}
}

// What the specification says, status by status.
func TestWitnessRefuses(t *testing.T) {
	b := open(t, 300)
	w := watch(t, b, "w.example", newMemory())
	if _, err := show(t, b, w, 0); err != nil {
		t.Fatal(err)
	}
	_, same, _ := b.Sign(t.Context())
	fill(t, b.store, 400, "one")
	tree, signed, err := b.Sign(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	good := string(must(b.Consistency(t.Context(), 300, tree, signed)))
	swap := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	head, text, _ := strings.Cut(good, "\n\n")
	stranger := open(t, 300, func(c *Config) { c.Key = key(t, origin, 2) })
	unknown := open(t, 300, func(c *Config) { c.Key = key(t, "agentnet/other", 1) })
	of := func(b *book, old uint64) string {
		tree, signed, err := b.Sign(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return string(must(b.Consistency(t.Context(), old, tree, signed)))
	}
	empty := must(note.Sign(&note.Note{Text: origin + "\n0\n" + tlog.Hash{}.String() + "\n"}, b.signer))
	for _, c := range []struct {
		name, body string
		want       error
	}{
		{"nothing", "", ErrRequest},
		{"no old size", text, ErrRequest},
		{"old size of letters", swap("old 300", "old many"), ErrRequest},
		{"old size with a zero", swap("old 300", "old 0300"), ErrRequest},
		{"old size below zero", swap("old 300", "old -1"), ErrRequest},
		{"old size beyond", swap("old 300", "old 401"), ErrRequest},
		{"proof of no hashes", swap("old 300\n", "old 300\nhello\n"), ErrRequest},
		{"too long a proof", "old 300\n" + strings.Repeat(tlog.Hash{}.String()+"\n", 64) + "\n" + text, ErrRequest},
		{"no checkpoint", head + "\n\n", ErrUnknownLog},
		{"cut off", good[:len(good)-5], ErrRequest},
		{"an empty log", "old 0\n\n" + string(empty), ErrRequest},
		{"an unknown log", of(unknown, 0), ErrUnknownLog},
		{"an unknown key", of(stranger, 0), ErrNotTrusted},
		{"a false signature", swap("\n400\n", "\n399\n"), ErrNotTrusted},
		{"a proof where nothing has changed", "old 300\n" + tree.Hash.String() + "\n\n" + string(same), ErrInconsistent},
		{"no proof", "old 300\n\n" + text, ErrInconsistent},
		{"a proof of something else", string(must(b.Consistency(t.Context(), 299, tree, signed)))[len("old 299"):], ErrRequest},
		{"the proof from another size", "old 300" + string(must(b.Consistency(t.Context(), 200, tree, signed)))[len("old 200"):], ErrInconsistent},
	} {
		if got, err := w.AddCheckpoint(t.Context(), []byte(c.body)); !errors.Is(err, c.want) {
			t.Errorf("%s: got %q, %v; want %v", c.name, got, err, c.want)
		}
	}
	for _, old := range []uint64{0, 299, 400} {
		var stale *StaleError
		if got, err := show(t, b, w, old); !errors.As(err, &stale) || stale.Size != 300 {
			t.Errorf("old size %d: got %q, %v; want to be told 300", old, got, err)
		}
	}
	if _, err := w.AddCheckpoint(t.Context(), []byte(good)); err != nil {
		t.Errorf("the right request: got %v", err)
	}
}

// A fork that two auditors would be shown is refused and kept as evidence.
func TestWitnessCatchesAFork(t *testing.T) {
	b, m := open(t, 300), newMemory()
	w := watch(t, b, "w.example", m)
	if _, err := show(t, b, w, 0); err != nil {
		t.Fatal(err)
	}
	other := open(t, 200)
	fill(t, other.store, 300, "two")
	for _, old := range []uint64{0, 200, 300} {
		if got, err := show(t, other, w, old); !errors.Is(err, ErrFork) {
			t.Errorf("old size %d: got %q, %v; want %v", old, got, err, ErrFork)
		}
	}
	_, first, _ := b.Sign(t.Context())
	_, second, _ := other.Sign(t.Context())
	if len(m.forks) == 0 || m.forks[0] != string(first)+"\n"+string(second) {
		t.Errorf("got evidence %q, want both checkpoints", m.forks)
	}
	// A rewritten history that has grown since, freshly signed.
	fill(t, other.store, 500, "two")
	if got, err := show(t, other, w, 300); !errors.Is(err, ErrInconsistent) {
		t.Errorf("grown: got %q, %v; want %v", got, err, ErrInconsistent)
	}
	// The true one goes on.
	fill(t, b.store, 301, "one")
	if _, err := show(t, b, w, 300); err != nil {
		t.Errorf("the true log: got %v", err)
	}
}

// A journal that was rolled back and signed afresh gets no cosignature.
func TestWitnessCatchesARollback(t *testing.T) {
	b := open(t, 300)
	w := watch(t, b, "w.example", newMemory())
	if _, err := show(t, b, w, 0); err != nil {
		t.Fatal(err)
	}
	back := open(t, 100)
	var stale *StaleError
	if got, err := show(t, back, w, 0); !errors.As(err, &stale) || stale.Size != 300 {
		t.Errorf("got %q, %v; want to be told 300", got, err)
	}
	tree, signed, _ := back.Sign(t.Context())
	if _, err := back.Consistency(t.Context(), 300, tree, signed); !errors.Is(err, ErrRolledBack) {
		t.Errorf("the log itself: got %v, want %v", err, ErrRolledBack)
	}
}

// Of requests that race for one step, one wins, and nothing goes back.
func TestWitnessTakesOneStepAtATime(t *testing.T) {
	b, m := open(t, 300), newMemory()
	w := watch(t, b, "w.example", m)
	if _, err := show(t, b, w, 0); err != nil {
		t.Fatal(err)
	}
	var bodies [][]byte
	for size := uint64(301); size < 309; size++ {
		fill(t, b.store, size, "one")
		tree, signed, _ := b.Sign(t.Context())
		bodies = append(bodies, must(b.Consistency(t.Context(), 300, tree, signed)))
	}
	m.slow = 20 * time.Millisecond // so that without a lock all of them would see the same
	var all sync.WaitGroup
	won := make(chan int, len(bodies))
	for i, body := range bodies {
		all.Go(func() {
			if _, err := w.AddCheckpoint(t.Context(), body); err == nil {
				won <- i
			}
		})
	}
	all.Wait()
	if len(won) != 1 {
		t.Fatalf("%d requests were cosigned from one old size, want 1", len(won))
	}
	if want := fmt.Sprintf("%s\n%d\n", origin, 301+<-won); !strings.HasPrefix(string(m.latest[origin]), want) {
		t.Errorf("got %q remembered, want %q", m.latest[origin], want)
	}
}

// What cannot be remembered is not signed.
func TestWitnessSignsOnlyWhatItKeeps(t *testing.T) {
	b, m := open(t, 3), newMemory()
	w := watch(t, b, "w.example", m)
	m.full = errors.New("disk full")
	if got, err := show(t, b, w, 0); !errors.Is(err, m.full) || got != nil {
		t.Errorf("got %q, %v; want %v", got, err, m.full)
	}
	m.full, m.broken = nil, errors.New("disk gone")
	if got, err := show(t, b, w, 0); !errors.Is(err, m.broken) || got != nil {
		t.Errorf("got %q, %v; want %v", got, err, m.broken)
	}
	m.broken, m.latest[origin] = nil, []byte("rubbish")
	if got, err := show(t, b, w, 0); err == nil {
		t.Errorf("with a damaged memory: got %q", got)
	}
}

func TestWitnessConfigIsChecked(t *testing.T) {
	signer, m, log := must(NewCosigner(key(t, "w", 9))), newMemory(), must(PublicKey(key(t, origin, 1)))
	for name, cfg := range map[string]WitnessConfig{
		"no signer":     {Memory: m, Logs: []string{log}},
		"no memory":     {Signer: signer, Logs: []string{log}},
		"no log":        {Signer: signer, Memory: m},
		"rubbish":       {Signer: signer, Memory: m, Logs: []string{"rubbish"}},
		"one log twice": {Signer: signer, Memory: m, Logs: []string{log, log}},
	} {
		if _, err := NewWitness(cfg); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
	if _, err := NewCosigner("rubbish"); err == nil {
		t.Error("a key of rubbish: got no error")
	}
}

// With a quorum, the checkpoint that is shown is the newest which enough
// witnesses have cosigned, and proofs and tiles end with it.
func TestQuorumDecidesWhatIsShown(t *testing.T) {
	witnesses := map[string]*memory{"w1": newMemory(), "w2": newMemory(), "w3": newMemory()}
	var keys []string
	for _, name := range slices.Sorted(maps.Keys(witnesses)) {
		keys = append(keys, must(NewCosigner(key(t, name, 9))).Verifier().String())
	}
	quorum := func(c *Config) { c.Witnesses, c.Quorum = keys, 2 }
	b := open(t, 300, quorum)
	if text, err := b.Checkpoint(t.Context()); !errors.Is(err, ErrNotWitnessed) {
		t.Fatalf("before any witness: got %q, %v", text, err)
	}
	if tree, ok := b.Latest(); ok {
		t.Errorf("before any witness: got %+v", tree)
	}
	sign := func(old uint64, names ...string) []byte {
		_, text, _ := b.Sign(t.Context())
		text = slices.Clone(text)
		for _, name := range names {
			text = append(text, must(show(t, b, watch(t, b, name, witnesses[name]), old))...)
		}
		return text
	}
	one := sign(0, "w1")
	if err := b.Witnessed(t.Context(), one); !errors.Is(err, ErrQuorum) {
		t.Errorf("one of two: got %v, want %v", err, ErrQuorum)
	}
	two := append(one, sign(0, "w2")[len(sign(0)):]...)
	if err := b.Witnessed(t.Context(), two); err != nil {
		t.Fatal(err)
	}
	if c := b.shown(); c.N != 300 || len(c.Cosigned) != 2 {
		t.Errorf("got %+v, want 300 entries cosigned by two", c)
	}
	fill(t, b.store, 400, "one")
	if c := b.shown(); c.N != 300 {
		t.Errorf("got %d entries shown, want it to stand at 300", c.N)
	}
	if _, err := b.Prove(t.Context(), 399); !errors.Is(err, ErrNotWitnessed) {
		t.Errorf("got %v, want %v", err, ErrNotWitnessed)
	}
	if _, _, err := b.Tile(t.Context(), "tile/0/001.p/45"); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v, want no tile beyond what is shown", err)
	}
	if err := b.Witnessed(t.Context(), sign(300, "w1", "w2")); err != nil {
		t.Fatal(err)
	}
	if err := b.Witnessed(t.Context(), two); err != nil || b.shown().N != 400 {
		t.Errorf("an older one: got %v and %d shown, want no step back", err, b.shown().N)
	}
	if tree, ok := b.Latest(); !ok || tree.N != 400 {
		t.Errorf("got %+v %v, want the newest witnessed head", tree, ok)
	}
	// A new process goes on where the old one stood, and asks for the quorum
	// where the old one needed none.
	last := b.kept[len(b.kept)-1]
	b.reopen(quorum, func(c *Config) { c.Last = last })
	if b.shown().N != 400 {
		t.Errorf("after a restart: got %d, want 400", b.shown().N)
	}
	_, bare, _ := b.Sign(t.Context())
	b.reopen(quorum, func(c *Config) { c.Last = bare })
	if text, err := b.Checkpoint(t.Context()); !errors.Is(err, ErrNotWitnessed) {
		t.Errorf("kept without cosignatures: got %q, %v", text, err)
	}
}

// A checkpoint of another history is not shown, whoever signed it.
func TestWitnessedMustBeOfThisJournal(t *testing.T) {
	w := must(NewCosigner(key(t, "w", 9)))
	quorum := func(c *Config) { c.Witnesses, c.Quorum = []string{w.Verifier().String()}, 1 }
	b, other := open(t, 300, quorum), open(t, 200, quorum)
	fill(t, other.store, 300, "two")
	text, _, _ := other.Sign(t.Context())
	_, signed, _ := other.Sign(t.Context())
	n := must(note.Open(signed, other.Policy()))
	both := must(note.Sign(n, w))
	if err := b.Witnessed(t.Context(), both); !errors.Is(err, ErrRolledBack) {
		t.Errorf("%d entries: got %v, want %v", text.N, err, ErrRolledBack)
	}
}
