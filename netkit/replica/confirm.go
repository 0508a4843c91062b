package replica

import (
	"context"
	"fmt"
	"sync"

	"github.com/agentnet/netctl/netkit/journal"
)

// Confirm asks the engine for its head and copies the batches that the folder lacks, so
// that an answer from the folder is not older than the call. Calls that wait at the same
// time share one question; each is asked after the call began. A network on the store has
// yet to apply the entries that were copied.
func (s *Store) Confirm(ctx context.Context) (journal.Head, error) {
	r, err := s.rounds.join(ctx, func(r *round) {
		ctx := context.WithoutCancel(ctx)
		have, err := s.engine.Head(ctx)
		if err != nil {
			r.err = err
			return
		}
		if r.err = s.turn.take(ctx); r.err != nil {
			return
		}
		defer s.turn.give()
		switch {
		case have.Size == s.head.Size && have != s.head:
			r.err = s.forked(ctx, fmt.Errorf("%w: entry %d is another one in the folder than in the engine", ErrFork, have.Size-1))
		case have.Size != s.head.Size || s.fork != nil:
			r.err = s.pull(ctx)
		}
		r.head = s.head
	})
	return r.head, err
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
func (r *rounds) join(ctx context.Context, ask func(*round)) (round, error) {
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
		return *mine, mine.err
	case <-ctx.Done():
		return round{}, ctx.Err()
	}
}

// run asks, a round after the other, until no call waits.
func (r *rounds) run(ask func(*round)) {
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
		ask(now)
		close(now.done)
	}
}
