package archive

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// Config is the configuration of a [Writer]. Fields are required unless their
// comment gives a default.
type Config struct {
	Store      Store
	Journal    journal.Copier
	Network    string // its id
	Key        string // public key of its log; "" without one
	Recipients []age.Recipient
	// ID is who writes; see [Identity].
	ID Identity
	// Keep stores ID after it changed, durably.
	Keep func(Identity) error
	// Reached makes [Open] fail while the store is out of reach. Otherwise the writer
	// begins, and looks for the end of the archive once it is in reach.
	Reached bool
	// Every is the least time between two objects; 0 means a second.
	Every time.Duration
	// Checkpoint returns the newest signed checkpoint; nil means never.
	Checkpoint func() ([]byte, error)
	// Entry reads the public part of an entry.
	Entry func(seq uint64, public []byte) (Entry, error)
	// Recording returns a stored recording, or [ErrNotFound] if it is gone.
	Recording func(file netkit.Hash) ([]byte, error)
	// Erased returns the recordings that an erased entry named and no other names.
	Erased func(ctx context.Context, entry uint64) ([]netkit.Hash, error)
	// Files returns the small files of the folder by path.
	Files func() (map[string][]byte, error)
	// Alarm gets errors; nil drops them.
	Alarm func(error)
	Now   func() time.Time // nil means time.Now
}

// Entry holds the properties of an entry that matter to an archive.
type Entry struct {
	At         netkit.Millis
	Recordings []netkit.Hash // that it publishes
	Open       bool          // everybody may hear them
	Erases     *uint64       // entry whose private part it erases, or nil
}

// Identity is who writes an archive. A folder keeps it.
type Identity struct {
	Writer string `json:"writer"` // random
	Epoch  uint64 `json:"epoch"`
	// Swept is how far the keys of erased entries were removed from the archive.
	Swept uint64 `json:"swept"`
}

// Status is how far a [Writer] has come.
type Status struct {
	Objects  uint64        // in the archive
	Entries  uint64        // in the archive
	Behind   uint64        // entries that the journal has beyond
	Lag      time.Duration // age of the first of them
	Failing  time.Duration // how long no request has succeeded, 0 if the latest did
	Problem  string        // of the latest request that failed
	Replaced bool          // another writer took over
}

// Writer copies a journal into a store as it grows. Its methods may be called from any
// goroutine.
type Writer struct {
	cfg  Config
	id   Identity
	tree journal.Tree // of the entries in the archive
	next uint64       // number of the next object

	begun   bool           // the end of the archive is known
	pending *pendingObject // whose outcome is not known
	files   [32]byte       // hash of the small files as they were uploaded last
	filesAt time.Time
	merging chan uint64 // numbers of objects

	keysMu sync.Mutex // held while keys are replaced

	mu      sync.Mutex
	status  Status
	local   uint64    // entries in the journal
	waiting time.Time // since when entries wait
	failing time.Time // since when no request has succeeded
	changed chan struct{}
	fatal   error // ends writing for good

	stop      context.CancelFunc
	stopMerge context.CancelFunc
	done      chan struct{}
}

// Open probes a store and finds how far the archive in it has come. The archive has
// to be empty, or written by this folder and a beginning of its journal. The error is
// [ErrUnfit], [ErrOtherWriter] or [ErrAhead], if not one of the store.
func Open(ctx context.Context, cfg Config) (*Writer, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Every == 0 {
		cfg.Every = time.Second
	}
	if cfg.Alarm == nil {
		cfg.Alarm = func(error) {}
	}
	if len(cfg.Recipients) == 0 {
		return nil, errors.New("archive: it needs a recipient of age for its private objects; set serve.archive-recipient")
	}
	w := &Writer{cfg: cfg, id: cfg.ID, changed: make(chan struct{}), done: make(chan struct{}), merging: make(chan uint64, 64)}
	if err := w.begin(ctx); err != nil && (cfg.Reached || definite(err)) {
		return nil, err
	} else if !w.report(ctx, err) && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	background := context.WithoutCancel(ctx)
	ctx, w.stop = context.WithCancel(background)
	background, w.stopMerge = context.WithCancel(background)
	go w.merge(background)
	go w.run(ctx)
	return w, nil
}

// ErrAhead means that an archive holds entries that the journal lacks.
var ErrAhead = errors.New("archive: it is ahead of the journal")

// definite reports whether an error of begin ends the writer, whatever the store does
// later.
func definite(err error) bool {
	return errors.Is(err, ErrUnfit) || errors.Is(err, ErrOtherWriter) || errors.Is(err, ErrAhead) || errors.Is(err, ErrVersion)
}

// begin probes the store and compares the archive with the journal.
func (w *Writer) begin(ctx context.Context) error {
	if err := Probe(ctx, w.cfg.Store); err != nil {
		return err
	}
	head, err := w.cfg.Journal.Head(ctx)
	if err != nil {
		return err
	}
	w.Advance(head.Size)
	tail, err := Tail(ctx, w.cfg.Store)
	if errors.Is(err, ErrNotFound) {
		w.begun = true
		return w.adopt(Identity{Writer: newWriter(), Epoch: 0})
	}
	if err != nil {
		return err
	}
	if err := w.cfg.continues(ctx, &tail.Header, head); err != nil {
		return err
	}
	if tail.Writer != w.id.Writer || tail.Epoch != w.id.Epoch {
		return fmt.Errorf("%w: %s has been written by another folder since %s, entry %d. Exactly one folder may serve this network: if it is this one, run netctl follow --take-over with it; netctl doctor lists the entries that only this folder has",
			ErrOtherWriter, w.cfg.Store, tail.At.Format(time.RFC3339), tail.First)
	}
	tree, err := journal.OpenTree(ctx, w.cfg.Journal, tail.Tree.Size)
	if err != nil {
		return err
	}
	w.tree, w.next, w.begun = *tree, tail.Number+1, true
	if full := w.next / mergeWidth * mergeWidth; full > 0 {
		w.merging <- full - 1 // an earlier run may have ended before it merged them
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.status.Objects, w.status.Entries = w.next, tail.Tree.Size
	w.wake()
	return nil
}

// continues checks that the journal begins with the entries of the archive.
func (cfg *Config) continues(ctx context.Context, tail *Header, head journal.Head) error {
	if tail.Network != cfg.Network || tail.Key != cfg.Key {
		return fmt.Errorf("%w: %s holds the network %s, and the folder %s; give each network an archive of its own", ErrUnfit, cfg.Store, tail.Network, cfg.Network)
	}
	if head.Size < tail.Tree.Size {
		return fmt.Errorf("%w: %s holds %d entries, and the folder %d. The folder lost entries, or is an old copy: restore it from the archive", ErrAhead, cfg.Store, tail.Tree.Size, head.Size)
	}
	tree, err := journal.OpenTree(ctx, cfg.Journal, tail.Tree.Size)
	if err == nil && netkit.Hash(tree.Root()) != tail.Tree.Root {
		err = fmt.Errorf("%w: the first %d entries have the root %s there and %s here. The journal was forked: netctl doctor shows where; nothing is written", ErrOtherWriter, tail.Tree.Size, tail.Tree.Root, netkit.Hash(tree.Root()))
	}
	return err
}

func (w *Writer) adopt(id Identity) error {
	w.id = id
	return w.cfg.Keep(id)
}

// Advance reports to the writer that the journal durably holds size entries.
func (w *Writer) Advance(size uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if size <= w.local {
		return
	}
	if w.local == w.status.Entries {
		w.waiting = w.cfg.Now()
	}
	w.local = size
	w.wake()
}

// wake lets those continue who wait for a change; the caller holds mu.
func (w *Writer) wake() {
	close(w.changed)
	w.changed = make(chan struct{})
}

// Wait waits until the archive holds size entries. The error is the context's, or
// the one that ended writing.
func (w *Writer) Wait(ctx context.Context, size uint64) error {
	for {
		w.mu.Lock()
		reached, fatal, changed := w.status.Entries >= size, w.fatal, w.changed
		w.mu.Unlock()
		if reached || fatal != nil {
			return fatal
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Status returns how far the writer has come. It never waits.
func (w *Writer) Status() Status {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.status
	s.Behind = w.local - s.Entries
	if s.Behind > 0 {
		s.Lag = w.cfg.Now().Sub(w.waiting)
	}
	if !w.failing.IsZero() {
		s.Failing = w.cfg.Now().Sub(w.failing)
	}
	return s
}

// Err returns the error that ended writing for good, nil while it writes.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.fatal
}

// Close uploads the rest and merges full groups, as long as the context lasts,
// and ends the writer.
func (w *Writer) Close(ctx context.Context) error {
	w.mu.Lock()
	local := w.local
	w.mu.Unlock()
	err := w.Wait(ctx, local)
	w.stop()
	defer context.AfterFunc(ctx, w.stopMerge)()
	<-w.done
	w.stopMerge()
	if err != nil {
		err = fmt.Errorf("archive: the last entries are not in %s: %w", w.cfg.Store, err)
	}
	return err
}
