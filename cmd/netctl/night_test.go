package main

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/agentnet/netctl/cmd/netctl/host"
	"github.com/agentnet/netctl/netkit"
)

// founded begins a network two days ago and opens it today.
func founded(t *testing.T) *host.Host {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "net")
	past := func() time.Time { return time.Now().Add(-48 * time.Hour) }
	token, err := newToken()
	if err != nil {
		t.Fatal(err)
	}
	h, err := host.Open(t.Context(), host.Config{Dir: dir, Now: past, Genesis: &netkit.Genesis{Network: "town", OperatorToken: token}})
	if err == nil {
		err = h.Close(t.Context())
	}
	if err == nil {
		h, err = host.Open(t.Context(), host.Config{Dir: dir})
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return h
}

// Nobody asks for the nights that a server closes by itself, so no operator
// stands in the journal for them.
func TestServerClosesNightsAsTheNetwork(t *testing.T) {
	h := founded(t)
	s := &service{host: h, log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	if err := s.night(t.Context()); err != nil {
		t.Fatal(err)
	}
	head, err := h.Store.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	nights := 0
	for seq := range head.Size {
		e, err := h.Network.Entry(t.Context(), seq)
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind != "night.step" && e.Kind != "night.closed" {
			continue
		}
		nights++
		if e.Actor != netkit.NetworkActor {
			t.Errorf("entry %d, %s: got the actor %q, want %q", seq, e.Kind, e.Actor, netkit.NetworkActor)
		}
	}
	if nights != 4 {
		t.Errorf("got %d entries of nights, want a step and a closing of two dates", nights)
	}
	if _, err := netkit.Audit(t.Context(), h.Store); err != nil {
		t.Errorf("the audit: %v", err)
	}
}
