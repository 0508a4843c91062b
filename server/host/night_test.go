package host

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/server"
)

// founded begins a network two days ago and opens it today.
func founded(t *testing.T) *Host {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "net")
	past := func() time.Time { return time.Now().Add(-48 * time.Hour) }
	h, err := New(t.Context(), Config{Dir: dir, Now: past, Genesis: &netkit.Genesis{Network: "town", OperatorToken: netkit.Token{1}}})
	if err == nil {
		err = h.Close(t.Context())
	}
	if err == nil {
		h, err = New(t.Context(), Config{Dir: dir, Server: server.Config{Addr: "127.0.0.1:0", IntentAddr: "127.0.0.1:0"}})
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeHost(t, h) })
	return h
}

// serve serves until the returned function is called.
func serve(t *testing.T, h *Host) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	l, err := h.Server.Listen(ctx)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- h.Server.Serve(ctx, l) }()
	return func() {
		t.Helper()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// actors returns who acted in the entries of the nights.
func actors(t *testing.T, h *Host) (all []string) {
	t.Helper()
	for seq := range h.Network.Health().Entries { // the store may hold one more that is not shown yet
		e, err := h.Network.Entry(t.Context(), seq)
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == "night.step" || e.Kind == "night.closed" {
			all = append(all, e.Actor)
		}
	}
	return all
}

// A program that only serves has nights. Nobody asks for them, so no operator
// stands in the journal for them.
func TestServingClosesNightsAsTheNetwork(t *testing.T) {
	h := founded(t)
	stop := serve(t, h)
	netkittest.Until(t, "a step and a closing of two dates", func() bool { return len(actors(t, h)) == 4 })
	stop()
	for _, actor := range actors(t, h) {
		if actor != netkit.NetworkActor {
			t.Errorf("got the actor %q, want %q", actor, netkit.NetworkActor)
		}
	}
	if _, err := network.Audit(t.Context(), h.Store); err != nil {
		t.Errorf("the audit: %v", err)
	}
}

func TestOpenedFolderClosesNights(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "net")
	past := func() time.Time { return time.Now().Add(-48 * time.Hour) }
	h, err := New(t.Context(), Config{Dir: dir, Now: past, Genesis: &netkit.Genesis{Network: "town", OperatorToken: netkit.Token{1}}})
	if err != nil {
		t.Fatal(err)
	}
	closeHost(t, h)
	if h, err = Open(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	netkittest.Until(t, "two closed nights", func() bool { return len(actors(t, h)) == 4 })
	closeHost(t, h)
}
