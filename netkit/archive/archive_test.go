package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
)

// source is a journal that grows, with the writer of its archive.
type source struct {
	t       *testing.T
	journal *sqlite.Store
	head    journal.Head
	tree    journal.Tree
	id      *age.X25519Identity
	kept    Identity
	by      string // in each entry
	alarms  []string
}

func newSource(t *testing.T) *source {
	t.Helper()
	j, err := sqlite.Open(t.Context(), sqlite.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	return &source{t: t, journal: j, id: id}
}

// testEntry is the public part of an entry in these tests.
type testEntry struct {
	N      uint64  `json:"n"`
	By     string  `json:"by,omitempty"`
	Erases *uint64 `json:"erases,omitempty"`
}

// grow appends a batch of n entries, the last of which erases others.
func (s *source) grow(n int, erase ...uint64) {
	s.t.Helper()
	b := journal.Batch{Erase: erase}
	for i := range n {
		e := testEntry{N: s.head.Size + uint64(i), By: s.by}
		if i < len(erase) {
			e.Erases = &erase[i]
		}
		public, err := json.Marshal(e)
		if err != nil {
			s.t.Fatal(err)
		}
		r := journal.Record{Seq: e.N, Public: public}
		if i%3 != 1 {
			r.Private = fmt.Appendf(nil, "private %d", e.N)
		}
		b.Records = append(b.Records, r)
		b.Nodes = s.tree.Append(journal.Leaf(public), b.Nodes)
	}
	head, err := s.journal.Append(s.t.Context(), s.head, b)
	if err != nil {
		s.t.Fatal(err)
	}
	s.head = head
}

func (s *source) config(store Store) Config {
	return Config{Store: store, Journal: s.journal, Network: "n", Recipients: []age.Recipient{s.id.Recipient()}, ID: s.kept, Every: time.Millisecond,
		Keep: func(id Identity) error { s.kept = id; return nil },
		Entry: func(_ uint64, public []byte) (Entry, error) {
			var e testEntry
			err := json.Unmarshal(public, &e)
			return Entry{At: netkit.Millis(e.N), Erases: e.Erases}, err
		},
		Erased: func(context.Context, uint64) ([]netkit.Hash, error) { return nil, nil },
		Alarm:  func(err error) { s.alarms = append(s.alarms, err.Error()) },
	}
}

// archive uploads what the journal holds by now.
func (s *source) archive(store Store) error {
	s.t.Helper()
	w, err := Open(s.t.Context(), s.config(store))
	if err != nil {
		return err
	}
	return w.Close(s.t.Context())
}

func newFolder(t *testing.T) *Folder {
	t.Helper()
	f, err := NewFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// follow copies an archive into a new journal.
func follow(t *testing.T, store Store, ids []age.Identity) (*sqlite.Store, journal.Tree, error) {
	t.Helper()
	j, err := sqlite.Open(t.Context(), sqlite.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	var tree journal.Tree
	var head journal.Head
	r := NewReader(store, ids)
	for o, err := range r.Objects(t.Context(), 0) {
		if err != nil {
			return j, tree, err
		}
		batches, keys, err := r.Batches(t.Context(), o)
		if err != nil {
			return j, tree, err
		}
		var erase []uint64
		for _, p := range o.Public {
			var e testEntry
			if err := json.Unmarshal(p, &e); err != nil {
				t.Fatal(err)
			}
			if e.Erases != nil {
				erase = append(erase, *e.Erases)
			}
		}
		if head, err = j.AppendCopies(t.Context(), head, &tree, batches, keys, erase); err != nil {
			return j, tree, err
		}
		if got := (netkit.TreeHead{Size: tree.Size(), Root: tree.Root()}); got != o.Tree {
			t.Fatalf("object %d: got the tree %v, want %v", o.Number, got, o.Tree)
		}
	}
	return j, tree, nil
}

func records(t *testing.T, j journal.Store) (all []string) {
	t.Helper()
	for r, err := range j.Read(t.Context(), 0, math.MaxUint64) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%s|%s", r.Public, r.Private))
	}
	return all
}

func listAll(t *testing.T, store Store, prefix string) (all []string) {
	t.Helper()
	for name, err := range store.List(t.Context(), prefix, "") {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, name)
	}
	return all
}

func TestFollowerHasTheSameJournal(t *testing.T) {
	s := newSource(t)
	store := newFolder(t)
	for i := range 140 { // over two merged groups
		switch i {
		case 70:
			s.grow(3, 0, 5)
		case 130:
			s.grow(2, 200)
		default:
			s.grow(i%5 + 1)
		}
		if err := s.archive(store); err != nil {
			t.Fatal(err)
		}
	}
	tail, err := Tail(t.Context(), store)
	if err != nil || tail.Number != 139 || tail.Tree.Root != netkit.Hash(s.tree.Root()) {
		t.Fatalf("got the tail %+v, %v", tail.Header, err)
	}
	got, tree, err := follow(t, store, []age.Identity{s.id})
	if err != nil {
		t.Fatal(err)
	}
	if tree.Root() != s.tree.Root() {
		t.Error("the follower has another root")
	}
	if a, b := records(t, got), records(t, s.journal); !slices.Equal(a, b) {
		t.Errorf("the follower has other entries:\n%v\n%v", a, b)
	}
	if err := got.Check(t.Context()); err != nil {
		t.Error(err)
	}
	// A reader without an identity has the public side.
	_, tree, err = follow(t, store, nil)
	if err != nil || tree.Root() != s.tree.Root() {
		t.Errorf("public side: got another root, %v", err)
	}
	if len(listAll(t, store, publicMerged)) != 2 {
		t.Errorf("got the merged objects %v, want 2", listAll(t, store, publicMerged))
	}
}

// The archive holds no key of an erased entry, under any name.
func TestErasureReachesTheArchive(t *testing.T) {
	s := newSource(t)
	store := newFolder(t)
	for i := range 70 {
		s.grow(3)
		if i == 66 {
			s.grow(3, 3, 30, 200)
		}
		if err := s.archive(store); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range listAll(t, store, batchKeys) {
		k, _ := parseKeyObject(name)
		r := &keyReader{store: store, ids: []age.Identity{s.id}}
		if err := r.load(t.Context(), k); err != nil {
			t.Fatal(err)
		}
		_, now, err := s.journal.BatchKeys(t.Context(), k.first, k.end)
		if err != nil {
			t.Fatal(err)
		}
		for i := range now {
			if !bytes.Equal(now[i].Keys, r.keys[i].Keys) {
				t.Errorf("%s holds other keys of the batch at entry %d than the journal", name, now[i].First)
			}
		}
	}
}

func TestOtherWriterIsNoticed(t *testing.T) {
	s := newSource(t)
	store := newFolder(t)
	s.grow(5)
	w, err := Open(t.Context(), s.config(store))
	if err != nil {
		t.Fatal(err)
	}
	w.Advance(s.head.Size)
	if err := w.Wait(t.Context(), s.head.Size); err != nil {
		t.Fatal(err)
	}
	tail, err := Tail(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := TakeOver(t.Context(), store, &tail.Header, time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := TakeOver(t.Context(), store, &tail.Header, time.Now()); !errors.Is(err, ErrMoved) {
		t.Errorf("a second one at the same place: got %v, want ErrMoved", err)
	}
	s.grow(2)
	w.Advance(s.head.Size)
	if err := w.Wait(t.Context(), s.head.Size); !errors.Is(err, ErrOtherWriter) {
		t.Errorf("got %v, want ErrOtherWriter", err)
	}
	if err := w.Close(t.Context()); !errors.Is(err, ErrOtherWriter) {
		t.Errorf("closing: got %v, want ErrOtherWriter", err)
	}
	if !w.Status().Replaced || len(s.alarms) == 0 || !strings.Contains(s.alarms[len(s.alarms)-1], "took over") {
		t.Errorf("got the status %+v and alarms %q", w.Status(), s.alarms)
	}
	if _, err := Open(t.Context(), s.config(store)); !errors.Is(err, ErrOtherWriter) {
		t.Errorf("starting again: got %v, want ErrOtherWriter", err)
	}
	// Keys of the entries that lost are gone.
	for _, name := range listAll(t, store, batchKeys) {
		if k, _ := parseKeyObject(name); k.end > 5 {
			t.Errorf("%s is there", name)
		}
	}
}

func TestJournalBehindItsArchiveIsRefused(t *testing.T) {
	s := newSource(t)
	store := newFolder(t)
	s.grow(5)
	if err := s.archive(store); err != nil {
		t.Fatal(err)
	}
	other := newSource(t)
	other.kept, other.by = s.kept, "another"
	other.grow(3)
	if err := other.archive(store); !errors.Is(err, ErrAhead) {
		t.Errorf("fewer entries: got %v, want ErrAhead", err)
	}
	other.grow(4)
	if err := other.archive(store); !errors.Is(err, ErrOtherWriter) {
		t.Errorf("other entries: got %v, want ErrOtherWriter", err)
	}
}
