package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/replica"
)

// startNode opens a folder as a node on an engine.
func startNode(t *testing.T, dir string, e *journaltest.Engine, genesis *netkit.Genesis, ended func(error)) (*Host, error) {
	t.Helper()
	h, err := New(t.Context(), Config{Dir: dir, Genesis: genesis,
		Replica: &ReplicaConfig{Engine: e, Address: "http://" + filepath.Base(dir), Ended: ended, Every: 20 * time.Millisecond, Silence: 500 * time.Millisecond}})
	if err == nil {
		t.Cleanup(func() { h.Close(context.WithoutCancel(t.Context())) })
	}
	return h, err
}

// shareKeys gives a folder the keys of another node.
func shareKeys(t *testing.T, from, to string) {
	t.Helper()
	for _, name := range nodeKeys {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// leads waits until a node takes commands.
func leads(t *testing.T, h *Host) {
	t.Helper()
	if !h.Network.WaitFollowing(t.Context(), false) {
		t.Fatal("the node does not lead")
	}
}

// The first node begins the network, another one follows it, takes over where it
// ends, and has the same entries.
func TestNodesShareAnEngine(t *testing.T) {
	e := new(journaltest.Engine)
	first, second := t.TempDir(), t.TempDir()
	a, err := startNode(t, first, e, genesisOf(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	leads(t, a)
	if _, err := startNode(t, second, e, genesisOf(t), nil); !errors.Is(err, ErrNode) || !strings.Contains(err.Error(), "netctl node join") {
		t.Fatalf("without keys: got %v, want %v", err, ErrNode)
	}
	shareKeys(t, first, second)
	b, err := startNode(t, second, e, genesisOf(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if b.Fresh != nil {
		t.Error("the second node says that it began the network")
	}
	for _, slug := range []string{"ada", "bea"} {
		if _, err := a.Network.As("operator").Spawn(t.Context(), netkit.Spawn{Slug: slug}); err != nil {
			t.Fatal(err)
		}
	}
	size := a.Network.Health().Entries
	if got, err := b.Network.WaitDurable(t.Context(), size); err != nil || got != size {
		t.Fatalf("the second node: got %d entries, %v, want %d", got, err, size)
	}
	if err := a.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	leads(t, b)
	if _, err := b.Network.As("operator").Spawn(t.Context(), netkit.Spawn{Slug: "cyd"}); err != nil {
		t.Error(err)
	}
	if err := b.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := New(t.Context(), Config{Dir: second}); !errors.Is(err, ErrNode) {
		t.Errorf("the folder of a node alone: got %v, want %v", err, ErrNode)
	}
}

// A node whose engine went back stops, and shows both heads.
func TestAForkEndsTheNode(t *testing.T) {
	e := new(journaltest.Engine)
	ended := make(chan error, 1)
	a, err := startNode(t, t.TempDir(), e, genesisOf(t), func(err error) { ended <- err })
	if err != nil {
		t.Fatal(err)
	}
	leads(t, a)
	if _, err := a.Network.As("operator").Spawn(t.Context(), netkit.Spawn{Slug: "ada"}); err != nil {
		t.Fatal(err)
	}
	e.Truncate(1)
	select {
	case err := <-ended:
		if !errors.Is(err, replica.ErrFork) || strings.Count(err.Error(), "last leaf") != 2 {
			t.Errorf("got %v, want a fork with two heads", err)
		}
	case <-t.Context().Done():
		t.Fatal("the node goes on")
	}
}

// genesisOf returns the genesis of a test's network.
func genesisOf(t *testing.T) *netkit.Genesis {
	t.Helper()
	return &netkit.Genesis{Network: "test", OperatorToken: netkit.Token{1}}
}

// A node of several writes no archive, and the error says why and what to do.
func TestANodeWritesNoArchive(t *testing.T) {
	_, err := New(t.Context(), Config{Dir: t.TempDir(), Genesis: genesisOf(t), Archive: new(ArchiveConfig), Replica: &ReplicaConfig{Engine: new(journaltest.Engine), Address: "http://a"}})
	if !errors.Is(err, ErrNode) || !strings.Contains(err.Error(), "the node that writes changes") || !strings.Contains(err.Error(), "netctl backup") {
		t.Errorf("got %v, want %v with the reason and the next step", err, ErrNode)
	}
}
