// Package stream sends the events of a network to many readers at once, as
// server-sent events.
//
// A [Hub] reads and encodes each journal entry once, into a ring that all
// readers share; a reader is a position in the ring and a filter. Whoever
// falls out of the ring, or resumes from before it, catches up from the
// journal at a limited pace. Writers never wait for a reader: the hub follows
// what is durable already.
package stream

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/agentnet/netctl/netkit/network"
)

// Config holds what a hub needs. Network is required.
type Config struct {
	Network *network.Network
	// Complete adds to an event's data what only the server knows, such as
	// addresses of recordings; nil leaves the data as it is.
	Complete func(data any) any
	Logger   *slog.Logger // nil means none

	Heartbeat   time.Duration // between heartbeats of a reader; 0 means 15 s
	Patience    time.Duration // how long a reader may take for one write; 0 means 30 s
	CatchUp     int           // journal entries a second that all readers behind the ring read together; 0 means 20,000
	CatchUpEach int           // the same of one reader; 0 means 2,000
	RingEntries int           // entries that the ring covers at most; 0 means 65,536
	RingBytes   int           // bytes of encoded events that it holds at most; 0 means 16 MiB
}

// ErrClosed means that the hub takes no more readers.
var ErrClosed = errors.New("stream: closed")

// Hub serves the readers of one network. Its methods may be called from any
// goroutine.
type Hub struct {
	cfg     Config
	pace    *rate.Limiter // of all who catch up
	journal chan struct{} // a place for each who reads the journal
	encoded atomic.Uint64 // events encoded for the ring

	mu      sync.Mutex
	readers int
	current *ring              // nil while nobody reads
	stop    context.CancelFunc // ends the feeding of current
	opened  uint32             // readers so far

	closing chan struct{}
	closed  bool
	empty   chan struct{} // closed once the hub is closed and the last reader has left
}

// New makes a hub. It reads nothing until a reader comes.
func New(cfg Config) *Hub {
	or(&cfg.Heartbeat, 15*time.Second)
	or(&cfg.Patience, 30*time.Second)
	or(&cfg.CatchUp, 20_000)
	or(&cfg.CatchUpEach, 2_000)
	or(&cfg.RingEntries, 1<<16)
	or(&cfg.RingBytes, 16<<20)
	if cfg.Complete == nil {
		cfg.Complete = func(data any) any { return data }
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &Hub{cfg: cfg, pace: rate.NewLimiter(rate.Limit(cfg.CatchUp), max(cfg.CatchUp/10, stretch)),
		journal: make(chan struct{}, journalReaders), closing: make(chan struct{}), empty: make(chan struct{})}
}

func or[T comparable](p *T, v T) {
	var zero T
	if *p == zero {
		*p = v
	}
}

// Close ends all readers. [Hub.Wait] waits until they have left.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	h.closed = true
	close(h.closing)
	if h.readers == 0 {
		close(h.empty)
	}
}

// Readers returns how many readers there are.
func (h *Hub) Readers() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.readers
}

// Wait waits after Close until the last reader has left.
func (h *Hub) Wait(ctx context.Context) error {
	select {
	case <-h.empty:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// join adds a reader and starts to feed the ring for the first one.
func (h *Hub) join() (*ring, uint32, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, 0, ErrClosed
	}
	h.readers++
	h.opened++
	switch {
	case h.current == nil:
		h.start()
	case h.current.failed():
		h.stop() // its readers are about to leave
		h.start()
	}
	h.current.readers.Add(1)
	return h.current, h.opened, nil
}

// start makes a ring that begins with the next entry.
func (h *Hub) start() {
	ctx, cancel := context.WithCancel(context.Background())
	h.current, h.stop = newRing(h.cfg.Network.Size(), h.cfg.RingEntries, h.cfg.RingBytes), cancel
	go h.feed(ctx, h.current)
}

// leave takes a reader away; with the last one the feeding ends.
func (h *Hub) leave(r *ring) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r.readers.Add(-1)
	if h.readers--; h.readers > 0 {
		return
	}
	h.stop()
	h.current = nil
	if h.closed {
		close(h.empty)
	}
}
