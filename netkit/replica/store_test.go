package replica_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/replica"
	"github.com/agentnet/netctl/netkit/rules"
)

// folder opens the journal of a folder.
func folder(t *testing.T, dir string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), sqlite.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// node opens a store on a new folder.
func node(t *testing.T, e journal.Engine) *replica.Store {
	t.Helper()
	s, err := replica.Open(t.Context(), replica.Config{Engine: e, Folder: folder(t, t.TempDir())})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Nodes on one engine have the same entries, and one of two that append at the same
// time wins.
func TestNodesAgree(t *testing.T) {
	e := new(journaltest.Engine)
	a, b := node(t, e), node(t, e)
	for round := range uint64(20) {
		at, err := a.Confirm(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if round%2 == 1 {
			if _, err := b.Pull(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		var errs [2]error
		var both sync.WaitGroup
		for i, s := range []*replica.Store{a, b} {
			batch := journal.Batch{Records: journaltest.Records(at.Size, 2+i)}
			both.Go(func() { _, errs[i] = s.Append(t.Context(), at, batch) })
		}
		both.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else if !errors.Is(err, journal.ErrHeadMoved) {
				t.Fatalf("round %d: %v", round, err)
			}
		}
		if won != 1 {
			t.Fatalf("round %d: %d appends won: %v", round, won, errs)
		}
	}
	head, err := b.Confirm(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := a.Confirm(t.Context()); err != nil || got != head {
		t.Errorf("got head %v, %v, want %v", got, err, head)
	}
	if diff := cmp.Diff(journaltest.ReadAll(t, a, 0, head.Size), journaltest.ReadAll(t, b, 0, head.Size)); diff != "" {
		t.Errorf("the nodes differ:\n%s", diff)
	}
}

// erasing returns the record of an entry that erases another one.
func erasing(seq, erased uint64) journal.Record {
	e := rules.Entry{Seq: seq, At: 1, Kind: netkit.KindPrivateErased, Version: 1, Actor: "operator", Constitution: "1.0.0", Fact: &rules.PrivateErased{Entry: erased, Reason: "r"}}
	return journal.Record{Seq: seq, Public: rules.AppendEntry(nil, &e)}
}

// An erasure reaches the folder of a node that was away, and one that joins later gets
// no key.
func TestErasureReachesEveryFolder(t *testing.T) {
	e := new(journaltest.Engine)
	a, away := node(t, e), node(t, e)
	head, err := a.Append(t.Context(), journal.Head{}, journal.Batch{Records: journaltest.Records(0, 4)})
	if err == nil {
		_, err = away.Pull(t.Context())
	}
	if err == nil {
		head, err = a.Append(t.Context(), head, journal.Batch{Records: []journal.Record{erasing(4, 1)}, Erase: []uint64{1}})
	}
	if err == nil {
		_, err = away.Pull(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	want := append(journaltest.Records(0, 4), erasing(4, 1))
	want[1].Private = nil
	for name, s := range map[string]*replica.Store{"writer": a, "was away": away, "joined later": node(t, e)} {
		if diff := cmp.Diff(want, journaltest.ReadAll(t, s, 0, head.Size)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A writer that does not hear the engine's answer repeats its batch, which stands once.
func TestADoubtfulAppendStandsOnce(t *testing.T) {
	for _, applied := range []bool{false, true} {
		faults := 2
		e := &journaltest.Engine{Fault: func(journal.Head, journal.EngineBatch) journaltest.Fault {
			if faults--; faults >= 0 {
				return journaltest.Fault{Err: journal.ErrDoubtful, Applied: applied}
			}
			return journaltest.Fault{}
		}}
		a := node(t, e)
		b := journal.Batch{Records: journaltest.Records(0, 3)}
		for range 2 {
			if _, err := a.Append(t.Context(), journal.Head{}, b); !errors.Is(err, journal.ErrDoubtful) {
				t.Fatalf("got %v, want doubt", err)
			}
		}
		head, err := a.Append(t.Context(), journal.Head{}, b)
		if err != nil || head.Size != 3 {
			t.Fatalf("applied %v: got %v, %v, want 3 entries", applied, head, err)
		}
		if diff := cmp.Diff(b.Records, journaltest.ReadAll(t, a, 0, 9)); diff != "" {
			t.Error(diff)
		}
	}
}

// A repeat that does not reach the engine leaves the outcome of a batch open.
func TestDoubtEndsWithAnAnswer(t *testing.T) {
	unreached := errors.New("no connection")
	for _, applied := range []bool{false, true} {
		faults := []journaltest.Fault{{Err: unreached}, {Err: journal.ErrDoubtful, Applied: applied}, {Err: unreached}, {}}
		e := &journaltest.Engine{Fault: func(journal.Head, journal.EngineBatch) (f journaltest.Fault) {
			f, faults = faults[0], faults[1:]
			return f
		}}
		a := node(t, e)
		b := journal.Batch{Records: journaltest.Records(0, 3)}
		for i, doubt := range []bool{false, true, true} {
			if _, err := a.Append(t.Context(), journal.Head{}, b); err == nil || errors.Is(err, journal.ErrDoubtful) != doubt {
				t.Errorf("applied %v, attempt %d: got %v, want doubt: %v", applied, i, err, doubt)
			}
		}
		if head, err := a.Append(t.Context(), journal.Head{}, b); err != nil || head.Size != 3 {
			t.Errorf("applied %v: got %v, %v, want 3 entries", applied, head, err)
		}
	}
}

// A folder that is ahead of its engine, or holds other entries, is named and stays as
// it is.
func TestForksAreNamed(t *testing.T) {
	grown := func(e *journaltest.Engine, dir string, sizes ...int) {
		s, err := replica.Open(t.Context(), replica.Config{Engine: e, Folder: folder(t, dir)})
		if err != nil {
			t.Fatal(err)
		}
		head, err := s.Head(t.Context())
		for _, n := range sizes {
			if err == nil {
				head, err = s.Append(t.Context(), head, journal.Batch{Records: journaltest.Records(head.Size, n)})
			}
		}
		if err = errors.Join(err, s.Close()); err != nil {
			t.Fatal(err)
		}
	}
	cases := map[string]func(e *journaltest.Engine) *journaltest.Engine{
		"the engine went back": func(e *journaltest.Engine) *journaltest.Engine { e.Truncate(3); return e },
		"the engine is empty":  func(*journaltest.Engine) *journaltest.Engine { return new(journaltest.Engine) },
		"other entries": func(e *journaltest.Engine) *journaltest.Engine {
			other := new(journaltest.Engine)
			return refilled(t, e, other, 1)
		},
		"other borders of batches": func(*journaltest.Engine) *journaltest.Engine {
			o := new(journaltest.Engine)
			grown(o, t.TempDir(), 4, 9)
			return o
		},
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			e, dir := new(journaltest.Engine), t.TempDir()
			grown(e, dir, 3, 2)
			s := folder(t, dir)
			if _, err := replica.Open(t.Context(), replica.Config{Engine: change(e), Folder: s}); !errors.Is(err, replica.ErrFork) {
				t.Errorf("got %v, want %v", err, replica.ErrFork)
			}
			if head, err := s.Head(t.Context()); err != nil || head.Size != 5 {
				t.Errorf("the folder has changed: %v, %v", head, err)
			}
		})
	}
}

// refilled copies the batches of an engine to another, but changes an entry of one.
func refilled(t *testing.T, from, to *journaltest.Engine, changed int) *journaltest.Engine {
	t.Helper()
	var head journal.Head
	var tree journal.Tree
	n := 0
	for b, err := range from.Batches(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		for i, public := range b.Public {
			if n == changed {
				public = append(public[:len(public):len(public)], ' ')
				b.Public[i] = public
			}
			n++
			tree.Append(journal.Leaf(public), nil)
		}
		b.Root = tree.Root()
		if head, err = to.Append(t.Context(), head, b); err != nil {
			t.Fatal(err)
		}
	}
	return to
}
