package stream

import (
	"context"
	"time"

	"golang.org/x/time/rate"
)

const (
	// stretch is how many journal entries a reader who catches up reads at once,
	// for one request of its rate.
	stretch = 200
	// journalReaders is how many stretches are read at the same time.
	journalReaders = 2
)

// catchUp sends what the journal holds from the reader's position up to entry
// to, once it is the reader's turn.
func (s *Stream) catchUp(to uint64) bool {
	if delay := s.turn(int(to - s.position)); delay > 0 {
		t := time.NewTimer(delay)
		defer t.Stop()
		if !s.wait(nil, t.C) {
			return false
		}
	}
	b, ok := s.read(to)
	if !ok {
		return false
	}
	s.position = to
	return (len(b.bytes) == 0 || s.send(b.bytes)) && s.wait(ready, nil)
}

// turn books the reading of entries with all who limit it, and returns how
// long to wait.
func (s *Stream) turn(entries int) time.Duration {
	if s.pace == nil {
		s.pace = rate.NewLimiter(rate.Limit(s.h.cfg.CatchUpEach), stretch)
	}
	now := time.Now()
	delay := max(s.pace.ReserveN(now, entries).DelayFrom(now), s.h.pace.ReserveN(now, entries).DelayFrom(now))
	if s.Charge != nil {
		delay = max(delay, s.Charge())
	}
	return delay
}

// read encodes a stretch of the journal for this reader. It does so on a
// goroutine that ends with it, since reading takes a deep stack and a stream
// lives long with a small one.
func (s *Stream) read(to uint64) (*block, bool) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b, done := &block{from: s.position, to: to}, make(chan struct{})
	var err error
	sub := s.sub
	go func() {
		defer close(done)
		select {
		case s.h.journal <- struct{}{}:
			defer func() { <-s.h.journal }()
		case <-ctx.Done():
			return
		}
		for e, failed := range s.h.cfg.Network.EventsBetween(ctx, &sub, b.from, b.to) {
			if err = failed; err == nil {
				err = s.h.encode(b, &e)
			}
			if err != nil {
				return
			}
		}
	}()
	if !s.wait(done, nil) {
		return nil, false
	}
	if err != nil {
		s.h.cfg.Logger.Error("event stream", "error", err.Error())
	}
	return b, err == nil
}
