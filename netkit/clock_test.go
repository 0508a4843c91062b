package netkit

import (
	"errors"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
)

func TestClockThatJumps(t *testing.T) {
	base := time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		wall, mono time.Duration
		stops      bool
	}{
		{time.Hour, time.Hour, false},
		{time.Hour, time.Hour - maxSkew, false},
		{time.Hour, time.Hour - maxSkew - time.Millisecond, true},
		{-time.Hour, time.Minute, true},
		{-4 * time.Minute, 30 * time.Second, false}, // entries never run back anyway
	} {
		at := base
		c := clock{now: func() time.Time { return at }, mono: func(time.Time) time.Duration { return tt.mono }}
		c.first = base
		at = base.Add(tt.wall)
		if _, err := c.read(); (err != nil) != tt.stops {
			t.Errorf("wall %v, monotonic %v: got %v, want stop %v", tt.wall, tt.mono, err, tt.stops)
		}
	}
}

// After a suspension the clock is believed once it has run steadily for some
// seconds; one that keeps jumping is not, nor one that jumped by more than a day.
func TestClockAfterASuspension(t *testing.T) {
	for _, tt := range []struct {
		name        string
		sleep, each time.Duration // the jump, and by how much wall time moves a second afterwards
		recovers    bool
	}{
		{"suspended for six minutes", 6 * time.Minute, time.Second, true},
		{"suspended for 23 hours", 23 * time.Hour, time.Second, true},
		{"a jump of more than a day", 25 * time.Hour, time.Second, false},
		{"a clock that runs on", 6 * time.Minute, time.Minute, false},
	} {
		wall, mono := dawn, time.Duration(0)
		c := clock{now: func() time.Time { return wall }, mono: func(time.Time) time.Duration { return mono }}
		if _, err := c.read(); err != nil {
			t.Fatal(err)
		}
		wall = wall.Add(tt.sleep)
		if _, err := c.read(); err == nil {
			t.Errorf("%s: got no refusal at once", tt.name)
		}
		var err error
		for range 10 {
			wall, mono = wall.Add(tt.each), mono+time.Second
			_, err = c.read()
		}
		if (err == nil) != tt.recovers {
			t.Errorf("%s: got %v after ten seconds, want recovery %v", tt.name, err, tt.recovers)
		}
	}
}

// Health says that nothing is written while the clock forbids it.
func TestHealthKnowsTheClock(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.clock.mono = func(time.Time) time.Duration { return 0 }
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
	r, err := f.IssueToken(t.Context(), f.op, IssueToken{Scopes: []Scope{ScopeRead}, ExpiresAt: At(f.now.Add(time.Hour))})
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

// A clock that is set back by hours while the network runs stops the writing,
// with a reason, until it is right again.
func TestClockSetBack(t *testing.T) {
	wall, mono := dawn, time.Duration(0)
	c := clock{now: func() time.Time { return wall }, mono: func(time.Time) time.Duration { return mono }}
	for _, step := range []struct {
		by   time.Duration
		code string
	}{{0, ""}, {-3 * time.Hour, "clock_behind"}, {time.Hour, "clock_behind"}, {2 * time.Hour, ""}} {
		wall = wall.Add(step.by)
		_, err := c.read()
		var r *Refusal
		if errors.As(err, &r); (err != nil) != (step.code != "") || r != nil && r.Code != step.code {
			t.Errorf("moved by %v: got %v, want %q", step.by, err, step.code)
		}
		wall, mono = wall.Add(time.Second), mono+time.Second
	}
}
