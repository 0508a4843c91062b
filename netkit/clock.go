package netkit

import (
	"sync"
	"time"
)

const (
	// maxSkew is how far wall time may outrun the monotonic clock.
	maxSkew = 5 * time.Minute
	// maxSleep is how long a machine may have been suspended so that its wall
	// clock is believed again without an operator.
	maxSleep = 24 * time.Hour
	// steadyFor is how long the two clocks must run together after a jump
	// before the new time is believed, steadyWithin how closely.
	steadyFor    = 5 * time.Second
	steadyWithin = time.Second
)

// clock watches that wall time and the monotonic clock stay together: a wall
// clock that jumped ahead would expire requests that no one had time to
// answer. A machine that was suspended shows the same jump, since its monotonic
// clock stands still meanwhile; so a jump of up to a day is believed once the
// clocks have run together for some seconds. A clock that is set back by more
// than that is not believed: the times of entries would stand still. It is
// believed again once it is right, or after a restart.
type clock struct {
	now  func() time.Time
	mono func(time.Time) time.Duration // monotonic time since the first reading; nil asks t itself

	mu    sync.Mutex
	first time.Time // zero before the first reading
	base  reading   // believed
	jump  reading   // the first of those that run together after a jump; zero without one
	seen  Millis    // latest time that was believed
}

// reading is both clocks at one moment, since the first reading.
type reading struct{ wall, mono time.Duration }

// ahead is by how much wall time outran monotonic time between two readings.
func (r reading) ahead(of reading) time.Duration {
	return (r.wall - of.wall) - (r.mono - of.mono)
}

// read returns the time, or a refusal while the clock cannot be trusted.
func (c *clock) read() (Millis, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.now()
	if c.first.IsZero() {
		c.first = t
	}
	// Round strips the monotonic reading. A clock without one, as tests and
	// simulations inject, shows no difference.
	r := reading{t.Round(0).Sub(c.first.Round(0)), t.Sub(c.first)}
	if c.mono != nil {
		r.mono = c.mono(t)
	}
	if err := c.judge(r); err != nil {
		return 0, err
	}
	c.seen = max(c.seen, At(t))
	return At(t), nil
}

// judge believes a reading or refuses it.
func (c *clock) judge(r reading) error {
	if skew := r.ahead(c.base); skew < -maxSkew {
		c.jump = reading{}
		return &Refusal{Kind: ErrUnavailable, Code: "clock_behind", After: time.Minute,
			What: "the wall clock was set back by more than five minutes while the network ran, so writing has stopped",
			Next: "reads go on; an operator sets the clock right, and writing goes on by itself; or, if it is right, restarts with netctl serve --accept-clock"}
	}
	skew := r.ahead(c.base)
	if skew <= maxSkew {
		c.jump = reading{}
		return nil
	}
	if skew > maxSleep {
		c.jump = reading{}
		return &Refusal{Kind: ErrUnavailable, Code: "clock_jumped", After: time.Minute,
			What: "the wall clock ran ahead of the monotonic clock by more than a day, writing has stopped",
			Next: "an operator sets the clock right, or restarts the server if the clock is right"}
	}
	if c.jump == (reading{}) || r.ahead(c.jump).Abs() > steadyWithin {
		c.jump = r
	}
	if r.mono-c.jump.mono < steadyFor {
		return &Refusal{Kind: ErrUnavailable, Code: "clock_jumped", After: steadyFor,
			What: "the wall clock ran ahead of the monotonic clock by more than five minutes, as after a suspension",
			Next: "try again in a few seconds; writing goes on once the clock runs steadily"}
	}
	c.base, c.jump = r, reading{}
	return nil
}

// latest returns the time now, but never one before a time that was believed:
// what has expired stays expired when the clock is set back.
func (c *clock) latest() Millis {
	now := At(c.now())
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(now, c.seen)
}
