// Package pace bounds background work in a network that runs: readers of its state
// work in short turns, replays rest most of the time.
package pace

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A reader takes a twentieth of a core, and looks after a few rows whether a writer
// waits.
const (
	turn   = 200 * time.Microsecond
	pause  = 20 * turn
	perRow = 8 // rows between two looks
)

// Turns lets the writer of a state go before a reader, which holds a lock for
// reading.
type Turns struct {
	ctx   context.Context
	mu    *sync.RWMutex
	begin time.Time
	rows  int
}

// NewTurns returns the turns of a reader that holds mu. Once ctx is over, the
// reader no longer sleeps between them.
func NewTurns(ctx context.Context, mu *sync.RWMutex) *Turns { return &Turns{ctx: ctx, mu: mu} }

// Pause follows each row: it ends a turn that has lasted long enough, and leaves the
// lock to a writer that waits for it.
func (t *Turns) Pause() {
	if t.rows++; t.rows%perRow != 0 {
		return
	}
	if time.Since(t.begin) >= turn {
		t.Without(func() { sleep(t.ctx, pause) })
		return
	}
	if t.mu.TryRLock() {
		t.mu.RUnlock()
		return
	}
	t.mu.RUnlock()
	t.mu.RLock() // after the writer
}

// Without leaves the lock to the writer during a function.
func (t *Turns) Without(do func()) {
	t.mu.RUnlock()
	do()
	t.mu.RLock()
	t.begin = time.Now()
}

// idle is how many times as long as it worked a replay rests: it takes less than a
// twentieth of a core, garbage collection for it included.
const idle = 29

// longestRest is that for a second of work: a piece that took longer waited itself,
// such as for a disk.
const longestRest = idle * time.Second

// Replay is the pace and the progress of a replay in the background.
type Replay struct {
	ctx   context.Context // nil lets others go first, but never rests
	begin time.Time       // of the work since the last rest
	Taken atomic.Uint64   // entries
	Of    atomic.Uint64   // of so many
}

// NewReplay returns the pace of a replay that rests most of the time, until the
// context is over.
func NewReplay(ctx context.Context) *Replay { return &Replay{ctx: ctx, begin: time.Now()} }

// Rest ends a piece of work. The zero Replay only lets others go first.
func (r *Replay) Rest() {
	if r.ctx == nil {
		runtime.Gosched()
		return
	}
	worked := time.Since(r.begin)
	if worked < time.Millisecond {
		return
	}
	sleep(r.ctx, min(idle*worked, longestRest))
	r.begin = time.Now()
}

// sleep waits, unless the context is over.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
