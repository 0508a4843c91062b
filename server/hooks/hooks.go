// Package hooks delivers the events of a network to the addresses that agents and
// sponsors set: webhooks, signed as Standard Webhooks 1.0.0 says.
//
// [Hooks] reads the journal as the event stream does and never makes a writer
// wait. A webhook with something to send takes its events one after the other, at
// the pace of its receiver. The network keeps the entries that were read lately, so
// that webhooks and event streams on the same span cause one read of the journal.
// The backlog of a receiver is a number, not a queue, however many receivers there
// are and however far they are behind.
//
// How far each one is and the log of attempts are in a file next to the journal,
// readable by its owner only. Addresses and secrets are in the journal, in private
// parts, so that every node can sign; a webhook that the network no longer knows is
// forgotten. An event is delivered at least once and in the order of its
// owner's events; after a restart the last one may come again, under the same
// webhook-id.
package hooks

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	mathrand "math/rand/v2"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/rules"
)

// Config holds what deliveries need. Network is required.
type Config struct {
	Network *network.Network
	File    string // keeps what must survive a restart; "" keeps it in memory
	// Complete adds to an event's data what only the server knows; nil leaves
	// the data as it is.
	Complete func(data any) any
	Logger   *slog.Logger     // nil means none
	Now      func() time.Time // nil means time.Now
	Rand     io.Reader        // of the ids of tests; nil means crypto/rand
	// Jitter spreads retries: it returns a number from 0 to below 1; nil means
	// a random one.
	Jitter func() float64

	// Record has the positions of webhooks recorded in the journal, once a minute at
	// most, since another folder may continue this network without File.
	Record bool

	// Loopback lets receivers be on this machine, for tests and sandboxes alone:
	// with it, owners of webhooks can reach what listens here.
	Loopback  bool
	TLS       *tls.Config       // nil means the system's roots
	Transport http.RoundTripper // nil means the guarded one

	Timeout time.Duration // of one attempt at most; 0 means 10 s
	// Senders is how many attempts are made at the same time at receivers that
	// deliver promptly; 0 means 64. A quarter of it is for new receivers, for those
	// that fail or are slow, and for those that never delivered, each.
	Senders int
}

// Hooks delivers the webhooks of one network. Its methods may be called from any
// goroutine.
type Hooks struct {
	cfg     Config
	reading chan struct{} // a place for each who reads the journal
	poked   chan struct{} // something changed that the follower should look at
	workers sync.WaitGroup

	mu      sync.Mutex
	store   *store // nil before the first webhook
	rows    map[string]*hook
	idle    map[rules.Subscription]map[*hook]struct{} // of those that are not due, by what they want
	dirty   map[*hook]struct{}                        // rows that the store does not have yet
	front   uint64                                    // the entries before it were handed out
	noted   uint64                                    // entry with the latest positions that rows are not behind
	told    bool                                      // of an event since positions were recorded
	running context.Context                           // nil while nothing is delivered
	lanes   [laneKinds]lane
	damaged map[uint64]struct{} // entries that were stepped over and logged
	lost    string              // the failure of the store that was logged last
}

// New makes the deliveries of a network. Nothing is sent before [Hooks.Run].
func New(cfg Config) *Hooks {
	or(&cfg.Timeout, 10*time.Second)
	or(&cfg.Senders, 64)
	or(&cfg.Logger, slog.New(slog.DiscardHandler))
	or(&cfg.Rand, io.Reader(rand.Reader))
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Jitter == nil {
		cfg.Jitter = mathrand.Float64
	}
	if cfg.Complete == nil {
		cfg.Complete = func(data any) any { return data }
	}
	if cfg.Transport == nil {
		cfg.Transport = cfg.transport()
	}
	h := &Hooks{cfg: cfg, lanes: newLanes(cfg.Senders), reading: make(chan struct{}, journalReaders), poked: make(chan struct{}, 1),
		rows: map[string]*hook{}, idle: map[rules.Subscription]map[*hook]struct{}{}, dirty: map[*hook]struct{}{}, damaged: map[uint64]struct{}{}}
	return h
}

func or[T comparable](p *T, v T) {
	var zero T
	if *p == zero {
		*p = v
	}
}

// journalReaders is how many webhooks read the journal at the same time.
const journalReaders = 4

// open opens the store and reads it, if there is one or it is to be made. The
// lock is held.
func (h *Hooks) open(create bool) error {
	if h.store != nil {
		return nil
	}
	if _, err := os.Stat(h.cfg.File); !create && (h.cfg.File == "" || errors.Is(err, fs.ErrNotExist)) {
		return nil
	}
	s, err := openStore(h.cfg.File)
	if err != nil {
		return err
	}
	k, err := h.load(s)
	if err != nil {
		return errors.Join(err, s.close())
	}
	h.store, h.front, h.noted = s, k.front, k.noted
	for owner, r := range k.rows {
		r.Delivered = r.Delivered || r.QuickLeft == 0 && r.FailingAt == 0 // an earlier version did not write it
		h.rows[owner] = &hook{owner: owner, row: r}
	}
	if h.running == nil {
		for _, k := range h.rows {
			h.refresh(k)
		}
		return nil
	}
	return h.resume()
}

// load reads a store, if it is of this network: by the positions of another, events
// would be left out or sent again.
func (h *Hooks) load(s *store) (k kept, err error) {
	first, err := h.cfg.Network.Entry(context.Background(), 0)
	if err != nil {
		return k, fmt.Errorf("hooks: the network of %s is unknown: %w", h.cfg.File, err)
	}
	id := fmt.Sprintf("%x at %d", first.Private, first.At) // the operator's token makes it one of a kind
	switch own, err := s.bind(id); {
	case err != nil:
		return k, fmt.Errorf("hooks: %s cannot be read: %w; put it back, or remove it, and events are sent from then on", h.cfg.File, err)
	case !own:
		return k, fmt.Errorf("hooks: %s holds the webhooks of another network: put this network's back, or remove it, and events are sent from then on", h.cfg.File)
	}
	if k, err = s.load(); err != nil {
		return k, fmt.Errorf("hooks: %s cannot be read: %w; put it back, or remove it, and events are sent from then on", h.cfg.File, err)
	}
	return k, nil
}

// Close closes the file. Run has returned before.
func (h *Hooks) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.store == nil {
		return nil
	}
	h.save(h.front)
	err := h.store.close()
	h.store, h.rows, h.front, h.noted = nil, map[string]*hook{}, 0, 0
	return err
}

// save writes what changed, with the front. A failure is logged; what is not
// kept is sent again after a restart. The lock is held.
func (h *Hooks) save(front uint64) {
	if h.store == nil || len(h.dirty) == 0 && front == h.front {
		return
	}
	err := h.store.together(false, func() error {
		for k := range h.dirty {
			if err := h.store.put(k.owner, &k.row); err != nil {
				return err
			}
		}
		return h.store.setFront(front, h.noted)
	})
	if err == nil {
		clear(h.dirty)
	}
	h.complain(err)
}

// complain logs a failure of the store, once until another one or a success.
func (h *Hooks) complain(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if text != "" && text != h.lost {
		h.cfg.Logger.Error("webhooks", "error", text)
	}
	h.lost = text
}
