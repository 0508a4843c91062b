package clerk

import (
	"context"
	"fmt"
	"sync"
)

// Barrier holds readers back until the entries that they saw are durable.
type Barrier struct {
	mu      sync.Mutex
	durable uint64
	losses  uint64
	wake    chan struct{}
}

// NewBarrier returns a barrier of a journal that durably holds size entries.
func NewBarrier(size uint64) *Barrier { return &Barrier{durable: size, wake: make(chan struct{})} }

// Size returns how many entries are durable.
func (b *Barrier) Size() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.durable
}

// Epoch counts lost batches; it moves only while readers are kept out.
func (b *Barrier) Epoch() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.losses
}

// Reach lets go the readers of the first size entries, which are durable.
func (b *Barrier) Reach(size uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if size > b.durable {
		b.durable = size
		close(b.wake)
		b.wake = make(chan struct{})
	}
}

// Lose sends the readers of the open batch back, since it was lost.
func (b *Barrier) Lose() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.losses++
	close(b.wake)
	b.wake = make(chan struct{})
}

// Wait returns true once seq entries are durable, false when a batch was lost
// since epoch and the reader has to look again.
func (b *Barrier) Wait(ctx context.Context, seq, epoch uint64) (bool, error) {
	for {
		b.mu.Lock()
		lost, reached, wake := b.losses != epoch, b.durable >= seq, b.wake
		b.mu.Unlock()
		if lost || reached {
			return !lost, nil
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return false, fmt.Errorf("netkit: waiting for the journal: %w", ctx.Err())
		}
	}
}
