package replica

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/timespan"
)

// Network is the network of a node; *network.Network is one.
type Network interface {
	// CatchUp applies the entries that the store holds by now.
	CatchUp(ctx context.Context) (uint64, error)
	// Lead catches up and takes commands from then on.
	Lead(ctx context.Context) error
	// Yield refuses commands from then on.
	Yield()
}

// NodeConfig is the configuration of a node. Store, Name and Address are required.
type NodeConfig struct {
	Store   *Store
	Name    string // of the node, unlike that of every other
	Address string // where other nodes reach it
	// Every is how often the writer beats and the others look; 0 means 300 ms.
	Every time.Duration
	// Silence is how long the writer's beat may stay the same, by the clock of the
	// node that looks, until that node takes over; 0 means 1.5 s.
	Silence time.Duration
	// Follower keeps the node from ever taking over.
	Follower bool
	// Unfit returns why the node is not to write now, such as a full disk. One that
	// writes hands over then, and takes over no more until Unfit returns nil. It must
	// not block. A nil Unfit always lets the node write.
	Unfit func() error
	// Report is called when the writer changes and when the engine is lost or found
	// again; it must not block. Nil reports nothing.
	Report func(Event)
}

// Event is a change that a node noticed.
type Event struct {
	Writer journal.Writer // as it is known
	Leads  bool           // this node writes
	Err    error          // why the engine is not followed, nil where it is
}

// Node follows an engine with a network, or writes to it. Make one with [NewNode].
type Node struct {
	cfg     NodeConfig
	engine  journal.Engine
	network Network

	retired   atomic.Bool   // it takes over no more
	leads     atomic.Uint64 // the term in which this node writes, 0 where it does not
	writer    atomic.Pointer[journal.Writer]
	confirmed atomic.Int64 // nanoseconds after begin at which the position was confirmed last
	begin     time.Time
	applied   atomic.Uint64                  // entries that the network had after it caught up last
	peers     atomic.Pointer[[]journal.Peer] // nil before the first look at the roster

	reporting sync.Mutex
	last      Event
}

// NewNode joins a network, which was opened on the store to follow, with its engine.
func NewNode(cfg NodeConfig, n Network) *Node {
	if cfg.Every == 0 {
		cfg.Every = 300 * time.Millisecond
	}
	if cfg.Silence == 0 {
		cfg.Silence = 1500 * time.Millisecond
	}
	if cfg.Report == nil {
		cfg.Report = func(Event) {}
	}
	if cfg.Unfit == nil {
		cfg.Unfit = func() error { return nil }
	}
	node := &Node{cfg: cfg, engine: cfg.Store.engine, network: n, begin: time.Now()}
	node.writer.Store(new(journal.Writer))
	node.confirmed.Store(-1)
	return node
}

// Leads reports whether the node takes commands.
func (n *Node) Leads() bool { return n.leads.Load() != 0 }

// Writer returns the node that writes, by the latest look at the engine.
func (n *Node) Writer() journal.Writer { return *n.writer.Load() }

// Lag returns how long ago the node began the question to the engine by which its
// entries were confirmed last. It is negative before the first.
func (n *Node) Lag() time.Duration {
	at := n.confirmed.Load()
	if at < 0 {
		return -1
	}
	return time.Since(n.begin) - time.Duration(at)
}

// Fresh applies all entries that the engine holds, as network.Config.Fresh requires.
func (n *Node) Fresh(ctx context.Context) error {
	began := time.Since(n.begin)
	_, err := n.cfg.Store.Confirm(ctx)
	if err == nil && n.applied.Load() < n.cfg.Store.copied.Load() { // also by another goroutine
		err = n.catchUp(ctx)
	}
	if err == nil {
		n.confirm(began)
	}
	return err
}

// catchUp applies the entries of the folder.
func (n *Node) catchUp(ctx context.Context) error {
	size, err := n.network.CatchUp(ctx)
	for was := n.applied.Load(); err == nil && size > was && !n.applied.CompareAndSwap(was, size); was = n.applied.Load() {
	}
	return err
}

func (n *Node) confirm(began time.Duration) {
	for {
		was := n.confirmed.Load()
		if int64(began) <= was || n.confirmed.CompareAndSwap(was, int64(began)) {
			return
		}
	}
}

// Run follows the engine and, where the writer is silent, takes over, until the
// context ends; then a node that writes hands over. It returns an error that is
// [ErrFork] or [journal.ErrRetired] at once; other errors are reported and tried again.
func (n *Node) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var parts sync.WaitGroup
	parts.Go(func() { n.follow(ctx, cancel) })
	parts.Go(func() { n.watch(ctx, cancel) })
	parts.Go(func() { n.attend(ctx) })
	parts.Wait()
	n.HandOver(context.WithoutCancel(ctx))
	if err := context.Cause(ctx); final(err) {
		n.report(err)
		return err
	}
	return nil
}

// final reports whether trying again cannot help a node.
func final(err error) bool { return errors.Is(err, ErrFork) || errors.Is(err, journal.ErrRetired) }

// follow copies and applies the batches that the engine gets.
func (n *Node) follow(ctx context.Context, stop context.CancelCauseFunc) {
	for ctx.Err() == nil {
		err := n.copyAndApply(ctx)
		if err == nil {
			n.report(nil)
			err = n.wait(ctx)
		}
		if err == nil || ctx.Err() != nil {
			continue
		}
		if final(err) {
			stop(err)
			return
		}
		n.report(err)
		timespan.Wait(ctx, n.cfg.Every)
	}
}

// copyAndApply applies the batches that the engine has. An engine that holds them on
// this node is asked for a confirmation once in the time between two beats.
func (n *Node) copyAndApply(ctx context.Context) error {
	began, held := time.Since(n.begin), false
	var err error
	if lag := n.Lag(); lag >= 0 && lag < n.cfg.Every {
		held, err = n.cfg.Store.pullHeld(ctx)
	}
	if !held {
		_, err = n.cfg.Store.Pull(ctx)
	}
	if err == nil {
		err = n.catchUp(ctx)
	}
	if err == nil && !held {
		n.confirm(began)
	}
	return err
}

// wait waits until the engine has more, at most for the time between two beats. The
// node that writes appended them itself.
func (n *Node) wait(ctx context.Context) error {
	if n.Leads() {
		timespan.Wait(ctx, n.cfg.Every)
		return nil
	}
	waiting, cancel := context.WithTimeout(ctx, n.cfg.Every)
	defer cancel()
	err := n.engine.Wait(waiting, n.cfg.Store.held.Load())
	if waiting.Err() != nil {
		return nil
	}
	return err
}

// report calls Report if something has changed.
func (n *Node) report(err error) {
	e := Event{Writer: n.Writer(), Leads: n.Leads(), Err: err}
	e.Writer.Beat = 0
	n.reporting.Lock()
	defer n.reporting.Unlock()
	same := n.last.Writer == e.Writer && n.last.Leads == e.Leads && (n.last.Err == nil) == (err == nil)
	if n.last = e; !same {
		n.cfg.Report(e)
	}
}
