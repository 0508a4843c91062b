package network

import (
	"errors"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/clerk"
	"github.com/agentnet/netctl/netkit/journal"
)

// Health says that nothing is written while the clock forbids it.
func TestHealthKnowsTheClock(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.clock = clerk.NewClock(func() time.Time { return f.now }, func(time.Time) time.Duration { return 0 })
	if got := f.Health(); !got.Writing {
		t.Errorf("got %+v, want writing", got)
	}
	f.now = f.now.Add(time.Hour)
	if got := f.Health(); got.Writing {
		t.Errorf("got %+v, want no writing after the clock jumped", got)
	}
}

// A token that has expired stays so when the clock goes back.
func TestExpiredTokenStaysExpired(t *testing.T) {
	f := start(t, journal.NewMemory())
	r, err := f.op().IssueToken(t.Context(), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}, ExpiresAt: netkit.At(f.now.Add(time.Hour))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Authenticate(r.Token); err != nil {
		t.Errorf("before it expires: got %v", err)
	}
	f.now = f.now.Add(2 * time.Hour)
	if err := f.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.now = f.now.Add(-2 * time.Hour)
	if _, err := f.Authenticate(r.Token); err == nil {
		t.Error("the clock went back and the token is good again")
	}
}

// A clock that is not believed refuses with a reason and when to come back.
func TestClockRefusals(t *testing.T) {
	for _, tt := range []struct {
		moved time.Duration
		code  string
	}{{-time.Hour, "clock_behind"}, {time.Hour, "clock_jumped"}, {48 * time.Hour, "clock_jumped"}} {
		f := start(t, journal.NewMemory())
		f.clock = clerk.NewClock(func() time.Time { return f.now }, func(time.Time) time.Duration { return 0 })
		f.Health()
		was := f.now
		f.now = f.now.Add(tt.moved)
		_, err := f.As("").Spawn(t.Context(), netkit.Spawn{Slug: "ada"})
		var r *netkit.Refusal
		if !errors.As(err, &r) || r.Code != tt.code || r.After == 0 || !errors.Is(err, netkit.ErrUnavailable) {
			t.Errorf("moved by %v: got %+v, want %s", tt.moved, err, tt.code)
		}
		f.now = was
	}
}
