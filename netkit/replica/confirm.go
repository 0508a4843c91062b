package replica

import (
	"context"
	"sync"

	"github.com/agentnet/netctl/netkit/journal"
)

// Confirm asks the engine for its head and copies what the folder lacks, so that an
// answer from the folder is not older than the call. Calls that wait at the same time
// share one question; each is asked after the call began.
func (s *Store) Confirm(ctx context.Context) (journal.Head, error) {
	return s.rounds.join(ctx, func() (journal.Head, error) {
		ctx := context.WithoutCancel(ctx)
		head, err := s.engine.Head(ctx)
		if err != nil {
			return journal.Head{}, err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if head != s.head || s.fork != nil {
			err = s.pull(ctx)
		}
		return s.head, err
	})
}

// rounds lets callers share answers that began after they asked.
type rounds struct {
	mu      sync.Mutex
	running bool
	next    *round // that begins when the one that runs is over; nil without callers
}

type round struct {
	done chan struct{}
	head journal.Head
	err  error
}

// join waits for a round that begins after the call, and returns its result.
func (r *rounds) join(ctx context.Context, ask func() (journal.Head, error)) (journal.Head, error) {
	r.mu.Lock()
	if r.next == nil {
		r.next = &round{done: make(chan struct{})}
	}
	mine := r.next
	if !r.running {
		r.running = true
		go r.run(ask)
	}
	r.mu.Unlock()
	select {
	case <-mine.done:
		return mine.head, mine.err
	case <-ctx.Done():
		return journal.Head{}, ctx.Err()
	}
}

// run asks, a round after the other, until no call waits.
func (r *rounds) run(ask func() (journal.Head, error)) {
	for {
		r.mu.Lock()
		now := r.next
		r.next = nil
		if now == nil {
			r.running = false
			r.mu.Unlock()
			return
		}
		r.mu.Unlock()
		now.head, now.err = ask()
		close(now.done)
	}
}
