package pace

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A reader holds its lock for a turn, then leaves it for twenty.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const row, rows = turn / perRow, 800
		var mu sync.RWMutex
		reader := NewTurns(t.Context(), &mu)
		mu.RLock()
		begin := time.Now()
		reader.begin = begin
		held := 0
		for range rows {
			time.Sleep(row)
			before := time.Now()
			if reader.Pause(); time.Since(before) > 0 {
				held++
			}
		}
		mu.RUnlock()
		if want := rows / perRow; held != want {
			t.Errorf("got %d rests, want %d", held, want)
		}
		if got, want := time.Since(begin), 21*rows*row; got != want {
			t.Errorf("got %v for %v of work, want %v", got, rows*row, want)
		}
	})
}

// During a rest the writer finds the lock free.
func TestTurnsLeaveTheLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.RWMutex
		reader := NewTurns(t.Context(), &mu)
		wrote := false
		mu.RLock()
		go func() {
			time.Sleep(pause / 2)
			if wrote = mu.TryLock(); wrote {
				mu.Unlock()
			}
		}()
		for range perRow { // the first turn began long ago
			reader.Pause()
		}
		if !wrote {
			t.Error("the lock was held during a rest")
		}
		if mu.TryLock() {
			t.Error("the lock was not taken again")
		}
		mu.RUnlock()
	})
}

// A writer that waits goes before the end of the turn: the clock does not move here.
func TestTurnsYieldToTheWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.RWMutex
		reader := NewTurns(t.Context(), &mu)
		reader.begin = time.Now()
		var wrote atomic.Bool
		mu.RLock()
		go func() {
			mu.Lock()
			wrote.Store(true)
			mu.Unlock()
		}()
		for !wrote.Load() {
			reader.Pause()
			runtime.Gosched()
		}
		mu.RUnlock()
		if time.Since(reader.begin) > 0 {
			t.Error("the writer waited for the end of the turn")
		}
	})
}

// Once the context is over, a reader comes to its end without rests.
func TestTurnsEndWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var mu sync.RWMutex
		reader := NewTurns(ctx, &mu)
		cancel()
		begin := time.Now()
		mu.RLock()
		for range 100 * perRow {
			reader.begin = time.Time{}
			reader.Pause()
		}
		mu.RUnlock()
		if time.Since(begin) > 0 {
			t.Errorf("rested for %v", time.Since(begin))
		}
	})
}

// A replay works a thirtieth of the time, in pieces of any length.
func TestReplayRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewReplay(t.Context())
		begin, worked := time.Now(), time.Duration(0)
		for k := range 200 {
			piece := time.Duration(k%7) * time.Millisecond / 2
			time.Sleep(piece)
			worked += piece
			r.Rest()
		}
		if rested := time.Since(begin) - worked; rested < (worked-time.Millisecond)*idle || rested > worked*idle {
			t.Errorf("rested %v for %v of work", rested, worked)
		}
	})
}

// A piece of work that waited for long is not followed by a rest of hours.
func TestLongestRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewReplay(t.Context())
		time.Sleep(time.Hour)
		begin := time.Now()
		if r.Rest(); time.Since(begin) != longestRest {
			t.Errorf("rested for %v, want %v", time.Since(begin), longestRest)
		}
	})
}

// A replay for a person never rests; one whose context ended rests no longer.
func TestReplayWithoutRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := NewReplay(ctx)
		go func() {
			time.Sleep(time.Second)
			cancel()
		}()
		time.Sleep(time.Minute)
		for _, r := range []*Replay{ended, new(Replay)} {
			begin := time.Now()
			if r.Rest(); time.Since(begin) > 0 {
				t.Errorf("rested for %v", time.Since(begin))
			}
		}
	})
}
