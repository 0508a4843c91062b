package host

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/replica"
)

// beginEngine is MoveConfig.Begin of an engine that copies the folder.
func beginEngine(e *journaltest.Engine) func(context.Context, *sqlite.Store) (journal.Engine, error) {
	return func(ctx context.Context, store *sqlite.Store) (journal.Engine, error) {
		_, err := replica.Fill(ctx, store, e, nil)
		return e, err
	}
}

// The beginning of a cluster that stops after any of its steps leaves a folder that
// opens alone or not at all, and ends when it is repeated.
func TestMoveToClusterStopsAnywhere(t *testing.T) {
	from, _, _, _ := movable(t)
	for n := 1; ; n++ {
		dir, e := filepath.Join(t.TempDir(), "net"), new(journaltest.Engine)
		copyFolder(t, from, dir)
		cfg := MoveConfig{Dir: dir, Begin: beginEngine(e)}
		var stopped *string
		cfg.step, stopped = stopAfter(n)
		_, err := MoveToCluster(t.Context(), "oak", cfg)
		if *stopped == "" {
			if err != nil || n < 6 {
				t.Errorf("after %d steps: got %v", n-1, err)
			}
			return
		}
		if !errors.Is(err, errStopped) {
			t.Fatalf("%s: got %v", *stopped, err)
		}
		marked := *stopped != "followed" && *stopped != "locked"
		if err := reopen(t, dir); errors.Is(err, ErrNode) != marked {
			t.Errorf("%s: the folder alone: got %v", *stopped, err)
		}
		cfg.step = nil
		if out, err := MoveToCluster(t.Context(), "oak", cfg); err != nil || out.Entries == 0 || out.Accounts == 0 || out.Node != "oak" {
			t.Fatalf("%s, again: got %+v, %v", *stopped, out, err)
		}
		if err := reopen(t, dir); !errors.Is(err, ErrNode) {
			t.Errorf("%s, again: the folder alone: got %v, want %v", *stopped, err, ErrNode)
		}
		if _, err := MoveToCluster(t.Context(), "oak", cfg); !errors.Is(err, ErrNode) {
			t.Errorf("%s, a third time: got %v, want %v", *stopped, err, ErrNode)
		}
	}
}

// A folder that is no network, or another one than its cluster, is refused.
func TestMoveToClusterRefuses(t *testing.T) {
	dir, _, _, _ := movable(t)
	other, _, _, _ := movable(t)
	e := new(journaltest.Engine)
	if _, err := replica.Fill(t.Context(), openFolder(t, other), e, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := MoveToCluster(t.Context(), "oak", MoveConfig{Dir: t.TempDir()}); !errors.Is(err, ErrNoNetwork) {
		t.Errorf("an empty folder: got %v, want %v", err, ErrNoNetwork)
	}
	begin := func(context.Context, *sqlite.Store) (journal.Engine, error) { return e, nil }
	if _, err := MoveToCluster(t.Context(), "oak", MoveConfig{Dir: dir, Begin: begin}); !errors.Is(err, replica.ErrDiffer) {
		t.Errorf("a cluster with other entries: got %v, want %v", err, replica.ErrDiffer)
	}
	if err := reopen(t, dir); !errors.Is(err, ErrNode) {
		t.Errorf("the folder after it: got %v, want %v", err, ErrNode)
	}
}

// openFolder opens the journal of a folder for reading.
func openFolder(t *testing.T, dir string) *sqlite.Store {
	t.Helper()
	store, err := sqlite.Open(t.Context(), sqlite.Config{Dir: dir, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}
