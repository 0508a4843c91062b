package postgres

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/agentnet/netctl/netkit/timespan"
)

// pollEvery is how long a lost notification is noticed after. PgBouncer drops a
// LISTEN without an error.
const pollEvery = 200 * time.Millisecond

// Wait implements [journal.Engine].
func (e *Engine) Wait(ctx context.Context, size uint64) error {
	for {
		rung := e.bell.after(size)
		if rung == nil {
			return nil
		}
		timer := time.NewTimer(pollEvery)
		select {
		case <-rung:
			timer.Stop()
			continue
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
		head, err := e.poll(ctx)
		if err != nil {
			return err
		}
		e.bell.ring(head)
	}
}

// poll reads the size without waiting for standbys: the next read of batches asks them.
func (e *Engine) poll(ctx context.Context) (uint64, error) {
	c, err := e.pool.Acquire(ctx)
	if err != nil {
		return 0, err
	}
	defer c.Release()
	head, err := e.headOf(ctx, c.Conn())
	return head.Size, err
}

// bell rings when the journal grows.
type bell struct {
	mu     sync.Mutex
	size   uint64        // known so far
	rung   chan struct{} // closed when size grows
	cancel context.CancelFunc
	done   sync.WaitGroup
}

func newBell() *bell { return &bell{rung: make(chan struct{})} }

// ring wakes those that wait for entries of the first size.
func (b *bell) ring(size uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if size > b.size {
		b.size = size
		close(b.rung)
		b.rung = make(chan struct{})
	}
}

// after returns nil if the journal has more than size entries, or else a channel
// that is closed when it grows.
func (b *bell) after(size uint64) <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.size > size {
		return nil
	}
	return b.rung
}

// start listens for notifications on a connection of its own.
func (b *bell) start(cfg *pgx.ConnConfig) {
	ctx, cancel := context.WithCancel(context.Background())
	b.cancel = cancel
	b.done.Go(func() {
		for ctx.Err() == nil {
			b.listen(ctx, cfg)
			timespan.Wait(ctx, time.Second)
		}
	})
}

// listen rings for each notification until the connection ends.
func (b *bell) listen(ctx context.Context, cfg *pgx.ConnConfig) {
	c, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return // Wait polls without it
	}
	defer c.Close(context.WithoutCancel(ctx))
	if _, err := c.Exec(ctx, "LISTEN agentnet"); err != nil {
		return
	}
	for {
		n, err := c.WaitForNotification(ctx)
		if err != nil {
			return
		}
		if size, err := strconv.ParseUint(n.Payload, 10, 63); err == nil {
			b.ring(size)
		}
	}
}

func (b *bell) stop() {
	b.cancel()
	b.done.Wait()
}
