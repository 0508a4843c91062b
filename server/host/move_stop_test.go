package host

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/replica"
)

// errStopped ends a move after a step.
var errStopped = errors.New("stopped by the test")

// stopAfter returns a step function that ends a move after its n-th step, and reports
// whether it did.
func stopAfter(n int) (step func(string) error, stopped *string) {
	stopped = new(string)
	return func(name string) error {
		if n--; n == 0 {
			*stopped = name
			return errStopped
		}
		return nil
	}, stopped
}

// A move to an engine that stops after any of its steps leaves the network in one place,
// where it can be written, and ends when it is repeated.
func TestMoveToEngineStopsAnywhere(t *testing.T) {
	from, _, _, _ := movable(t)
	for n := 1; ; n++ {
		dir, e := filepath.Join(t.TempDir(), "net"), new(journaltest.Engine)
		copyFolder(t, from, dir)
		cfg := MoveConfig{Dir: dir, Engine: e}
		var stopped *string
		cfg.step, stopped = stopAfter(n)
		first, err := MoveToEngine(t.Context(), cfg)
		if *stopped == "" {
			if err != nil || n < 6 {
				t.Errorf("after %d steps: got %v", n-1, err)
			}
			return
		}
		if !errors.Is(err, errStopped) {
			t.Fatalf("%s: got %v", *stopped, err)
		}
		if w, err := e.Writer(t.Context()); err != nil || w.Node != replica.Moving {
			t.Errorf("%s: got the writer %+v, %v, want none that a node replaces", *stopped, w, err)
		}
		if *stopped == "marked" {
			if err := reopen(t, dir); !errors.Is(err, ErrNode) {
				t.Errorf("%s: got %v, want %v", *stopped, err, ErrNode)
			}
		} else {
			spawnIn(t, dir, "meanwhile")
		}
		cfg.step = nil
		again, err := MoveToEngine(t.Context(), cfg)
		if err != nil || again.Entries < first.Entries {
			t.Fatalf("%s, again: got %+v, %v", *stopped, again, err)
		}
		if w, err := e.Writer(t.Context()); err != nil || w.Node != "" {
			t.Errorf("%s, again: got the writer %+v, %v, want none", *stopped, w, err)
		}
	}
}

// A move to a folder that stops after any of its steps leaves the network in one place,
// and ends when it is repeated.
func TestMoveToFolderStopsAnywhere(t *testing.T) {
	from, _, _, _ := movable(t)
	for n := 1; ; n++ {
		dir, to, e := filepath.Join(t.TempDir(), "net"), filepath.Join(t.TempDir(), "to"), new(journaltest.Engine)
		copyFolder(t, from, dir)
		out, err := MoveToEngine(t.Context(), MoveConfig{Dir: dir, Engine: e})
		if err != nil {
			t.Fatal(err)
		}
		cfg := MoveConfig{Dir: to, Engine: e, Place: to, Files: dir}
		var stopped *string
		cfg.step, stopped = stopAfter(n)
		if _, err = MoveToFolder(t.Context(), cfg); *stopped == "" {
			if err != nil || n < 4 {
				t.Errorf("after %d steps: got %v", n-1, err)
			}
			return
		}
		if !errors.Is(err, errStopped) {
			t.Fatalf("%s: got %v", *stopped, err)
		}
		if err := reopen(t, to); !errors.Is(err, ErrNode) {
			t.Errorf("%s: a folder that is not whole: got %v, want %v", *stopped, err, ErrNode)
		}
		_, ended := e.Head(t.Context())
		if a, err := startNode(t, dir, e, nil, nil); ended != nil && !errors.Is(err, journal.ErrRetired) {
			t.Errorf("%s: a node: got %v, want %v", *stopped, err, journal.ErrRetired)
		} else if ended == nil {
			if err != nil {
				t.Fatal(err)
			}
			leads(t, a)
			spawned(t, a, "meanwhile", 1)
			out.Entries++
			closeHost(t, a)
		}
		cfg.step = nil
		again, err := MoveToFolder(t.Context(), cfg)
		if err != nil || again.Entries != out.Entries {
			t.Fatalf("%s, again: got %+v, %v, want %d entries", *stopped, again, err, out.Entries)
		}
		spawnIn(t, to, "here")
		if _, err := MoveToFolder(t.Context(), cfg); !errors.Is(err, ErrNode) {
			t.Errorf("%s, a third time: got %v, want %v", *stopped, err, ErrNode)
		}
	}
}
