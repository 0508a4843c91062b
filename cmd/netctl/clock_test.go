package main

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/cmd/netctl/fleet"
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/server/host"
)

// A server does not start by a clock that is far from the last entry, and says
// what to do; with --accept-clock it starts.
func TestClockIsConfirmed(t *testing.T) {
	for name, off := range map[string]time.Duration{"ahead": -8 * 24 * time.Hour, "behind": time.Hour} {
		dir := t.TempDir()
		h, err := host.New(t.Context(), host.Config{Dir: dir, Now: func() time.Time { return time.Now().Add(off) },
			Genesis: &netkit.Genesis{Network: "test", OperatorToken: netkit.Token{1}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		cmd := exec.CommandContext(ctx, "netctl", "serve", "--data", dir, "--addr", "127.0.0.1:0", "--intent-addr", "127.0.0.1:0")
		var said bytes.Buffer
		cmd.Stderr = &said
		var failed *exec.ExitError
		if err := cmd.Run(); !errors.As(err, &failed) || !strings.Contains(said.String(), "--accept-clock") {
			t.Errorf("%s: got %v and %q, want a refusal that names --accept-clock", name, err, said.String())
		}
		cancel()
		if f := checkEntryClock(t.Context(), dir); f.State != problem {
			t.Errorf("%s: the doctor says %+v, want a problem", name, f)
		}
		v := &fleet.Server{T: t, Dir: dir, Flags: []string{"--accept-clock"}}
		v.Start()
		v.Kill()
	}
	if odd := implausible(time.Now().Add(-6*24*time.Hour), time.Now()); odd != "" {
		t.Errorf("six days off: got %q, want nothing", odd)
	}
}
