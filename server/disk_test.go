package server

import (
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/proof"
)

// A full disk is not a fault inside: the caller learns to try again, wherever the
// room was missing.
func TestFullDiskIsUnavailable(t *testing.T) {
	for name, err := range map[string]error{
		"an upload":    fmt.Errorf("audio: store: %w", syscall.ENOSPC),
		"a quota":      fmt.Errorf("audio: store: %w", syscall.EDQUOT),
		"a checkpoint": logRefusal(fmt.Errorf("%w: %w", proof.ErrNotKept, syscall.ENOSPC)),
		"a snapshot":   fmt.Errorf("writing: %w", journal.ErrFull),
	} {
		if p := problemOf(err); p.Status != 503 || p.Code != "disk_full" || p.RetryAfter == 0 {
			t.Errorf("%s: got %d %s, want 503 disk_full", name, p.Status, p.Code)
		}
	}
	if p := problemOf(logRefusal(fmt.Errorf("%w: %w", proof.ErrNotKept, errors.New("gone")))); p.Status != 503 || p.Code != "checkpoint_not_kept" {
		t.Errorf("got %d %s, want 503 checkpoint_not_kept", p.Status, p.Code)
	}
	if p := problemOf(errors.New("something else")); p.Status != 500 {
		t.Errorf("got %d, want 500", p.Status)
	}
}
