package journaltest

import (
	"context"
	"errors"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

func testEngineWait(t *testing.T, e, other journal.Engine) {
	head := grow(t, e, journal.Head{}, Records(0, 1))
	if err := other.Wait(t.Context(), 0); err != nil {
		t.Error(err)
	}
	done := make(chan error)
	go func() { done <- other.Wait(t.Context(), 1) }()
	grow(t, e, head, Records(1, 1))
	if err := <-done; err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { done <- other.Wait(ctx, 2) }()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func testEngineWriter(t *testing.T, e, other journal.Engine) {
	if w, err := e.Writer(t.Context()); err != nil || w.Term != 0 || w.Node != "" {
		t.Errorf("a new engine: got %+v, %v, want no writer", w, err)
	}
	a, err := e.Claim(t.Context(), 0, "a", "http://a")
	if err != nil || a.Term != 1 || a.Node != "a" || a.Address != "http://a" {
		t.Fatalf("got %+v, %v, want a in term 1", a, err)
	}
	if _, err := other.Claim(t.Context(), 0, "b", "http://b"); !errors.Is(err, journal.ErrClaimed) {
		t.Errorf("got %v, want %v", err, journal.ErrClaimed)
	}
	if err := e.Beat(t.Context(), 1); err != nil {
		t.Error(err)
	}
	if w, err := other.Writer(t.Context()); err != nil || w.Beat <= a.Beat || w.Node != "a" {
		t.Errorf("got %+v, %v, want a beat after %d", w, err, a.Beat)
	}
	if b, err := other.Claim(t.Context(), 1, "b", "http://b"); err != nil || b.Term != 2 {
		t.Errorf("got %+v, %v, want b in term 2", b, err)
	}
	if err := e.Beat(t.Context(), 1); !errors.Is(err, journal.ErrClaimed) {
		t.Errorf("got %v, want %v", err, journal.ErrClaimed)
	}
}
