package clerk

import (
	"errors"
	"sync"
	"time"
)

const (
	// maxSkew is how far wall time may outrun the monotonic clock.
	maxSkew = 5 * time.Minute
	// maxSleep is how long a machine may have been suspended so that its wall
	// clock is believed again without an operator.
	maxSleep = 24 * time.Hour
	// SteadyFor is how long the two clocks must run together after a jump
	// before the new time is believed, steadyWithin how closely.
	SteadyFor    = 5 * time.Second
	steadyWithin = time.Second
)

// Why a clock is not believed.
var (
	ErrClockBehind = errors.New("clerk: the wall clock was set back by more than five minutes")
	ErrClockAhead  = errors.New("clerk: the wall clock ran ahead of the monotonic clock by more than a day")
	ErrClockJumped = errors.New("clerk: the wall clock ran ahead of the monotonic clock by more than five minutes")
)

// Clock watches that wall time and the monotonic clock stay together: a wall
// clock that jumped ahead would expire requests that no one had time to
// answer. A machine that was suspended shows the same jump, since its monotonic
// clock pauses meanwhile; so a jump of up to a day is believed once the
// clocks have run together for some seconds. A clock that is set back by more
// than that is not believed: all entries would get the same time. It is
// believed again once it is right, or after a restart.
type Clock struct {
	now  func() time.Time
	mono func(time.Time) time.Duration

	mu    sync.Mutex
	first time.Time // zero before the first reading
	base  reading   // believed
	jump  reading   // the first of those that run together after a jump; zero without one
	seen  int64     // latest time that was believed, in milliseconds since 1970
}

// NewClock returns a clock that asks now. Mono returns the monotonic time since
// the first reading; nil takes it from the readings themselves.
func NewClock(now func() time.Time, mono func(time.Time) time.Duration) *Clock {
	return &Clock{now: now, mono: mono}
}

// reading is both clocks at one moment, since the first reading.
type reading struct{ wall, mono time.Duration }

// ahead is by how much wall time outran monotonic time between two readings.
func (r reading) ahead(of reading) time.Duration {
	return (r.wall - of.wall) - (r.mono - of.mono)
}

// Now returns the time of the wall clock, believed or not.
func (c *Clock) Now() time.Time { return c.now() }

// Read returns the time in milliseconds since 1970, or one of the errors above
// while the clock is not believed.
func (c *Clock) Read() (int64, error) {
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
	c.seen = max(c.seen, t.UnixMilli())
	return t.UnixMilli(), nil
}

// judge believes a reading or refuses it.
func (c *Clock) judge(r reading) error {
	skew := r.ahead(c.base)
	switch {
	case skew < -maxSkew:
		c.jump = reading{}
		return ErrClockBehind
	case skew <= maxSkew:
		c.jump = reading{}
		return nil
	case skew > maxSleep:
		c.jump = reading{}
		return ErrClockAhead
	}
	if c.jump == (reading{}) || r.ahead(c.jump).Abs() > steadyWithin {
		c.jump = r
	}
	if r.mono-c.jump.mono < SteadyFor {
		return ErrClockJumped
	}
	c.base, c.jump = r, reading{}
	return nil
}

// Latest returns the time now, but never one before a time that was believed, so
// that an expiry holds when the clock is set back.
func (c *Clock) Latest() int64 {
	now := c.now().UnixMilli()
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(now, c.seen)
}
