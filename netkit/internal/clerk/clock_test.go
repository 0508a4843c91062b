package clerk

import (
	"errors"
	"testing"
	"time"
)

var dawn = time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC)

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
		c := NewClock(func() time.Time { return at }, func(time.Time) time.Duration { return tt.mono })
		c.first = base
		at = base.Add(tt.wall)
		if _, err := c.Read(); (err != nil) != tt.stops {
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
		c := NewClock(func() time.Time { return wall }, func(time.Time) time.Duration { return mono })
		if _, err := c.Read(); err != nil {
			t.Fatal(err)
		}
		wall = wall.Add(tt.sleep)
		if _, err := c.Read(); err == nil {
			t.Errorf("%s: got no refusal at once", tt.name)
		}
		var err error
		for range 10 {
			wall, mono = wall.Add(tt.each), mono+time.Second
			_, err = c.Read()
		}
		if (err == nil) != tt.recovers {
			t.Errorf("%s: got %v after ten seconds, want recovery %v", tt.name, err, tt.recovers)
		}
	}
}

// A clock that is set back by hours while the network runs stops the writing,
// with a reason, until it is right again.
func TestClockSetBack(t *testing.T) {
	wall, mono := dawn, time.Duration(0)
	c := NewClock(func() time.Time { return wall }, func(time.Time) time.Duration { return mono })
	for _, step := range []struct {
		by   time.Duration
		want error
	}{{0, nil}, {-3 * time.Hour, ErrClockBehind}, {time.Hour, ErrClockBehind}, {2 * time.Hour, nil}} {
		wall = wall.Add(step.by)
		_, err := c.Read()
		if !errors.Is(err, step.want) {
			t.Errorf("moved by %v: got %v, want %v", step.by, err, step.want)
		}
		wall, mono = wall.Add(time.Second), mono+time.Second
	}
}
