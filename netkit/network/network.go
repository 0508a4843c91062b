package network

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/clerk"
	"github.com/agentnet/netctl/netkit/internal/fanout"
	"github.com/agentnet/netctl/netkit/internal/pace"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// Config holds what a network needs. Store is required.
type Config struct {
	Store journal.Store
	// Genesis begins a new network where the journal is empty; nil means that
	// an empty journal is an error. It is ignored where there is one.
	Genesis *netkit.Genesis
	Now     func() time.Time // nil means time.Now
	Rand    io.Reader        // nil means crypto/rand
	Alarm   func(error)      // told when writing fails; nil means nobody
	Queue   int              // commands that may wait; 0 means 4,096
	// Wait bounds the age of the queue: a command is refused, with the code busy,
	// while the oldest has waited longer. 0 means 250 ms, less than 0 no bound.
	// What the network does by itself, and [Network.Batch], enters all the same.
	Wait  time.Duration
	Pause time.Duration // rest after a failed write; 0 means 1 s
	Batch int           // bytes of entries after which a batch ends; 0 means 1 MiB
	// Witnessed returns the newest tree that the network's witnesses signed, and
	// false while there is none; panels are drawn by it. It is called while
	// commands wait, so it must not block. Nil means a network without
	// witnesses, whose panels are drawn by its own tree.
	Witnessed func() (netkit.TreeHead, bool)
	// Draw returns the log key's signature of a message, 64 bytes, by which
	// reviewers and witnesses are drawn; the message is three lines that begin
	// with "draw of agentnet/". Nil means random bytes of Rand where
	// genesis names no log key, as in tests and simulations; where it names one,
	// draws then wait for a process that has the key.
	Draw func(message []byte) ([]byte, error)
	// Wrote is called after each durable write, before the commands of it are
	// answered, so it must not block. Nil means not at all.
	Wrote func(Write)
	// Allowance bounds the entries of a day that cost their actor nothing.
	Allowance netkit.Allowance
	// SnapshotEvery is how many entries go between two snapshots of a network
	// that runs; 0 means 100,000. A large state waits longer.
	SnapshotEvery uint64
	// SnapshotKey seals snapshots, so that a start uses none that another program
	// wrote into the store: it replays the journal then, and the alarm says so.
	// Nil seals none and believes what the store has, which suits a store that
	// only this process can write. The key belongs into no copy of the store.
	SnapshotKey []byte
	// IgnoreSnapshot replays the whole journal, as an audit does.
	IgnoreSnapshot bool
	// Follow opens a network whose store another process or package fills, and which
	// refuses every command, until [Network.Lead].
	Follow bool
	// Current returns an error while this network may be behind the one that it
	// follows: then no token is believed, since one that was revoked would still
	// be. Nil believes every token that the network knows.
	Current func() error
	// Fresh is called before each view of a network that leads, and returns once the
	// network has applied all that was acknowledged to others before the call. Nil
	// suits a store that only this process writes.
	Fresh func(ctx context.Context) error
}

// Write describes one durable write, which commands that come together share.
type Write struct {
	Commands int
	Entries  int
	Waited   time.Duration // of the first command, until the write began
	Took     time.Duration // the write itself
}

// Network is a running network: the state that a journal adds up to and the
// clerk that alone may add to it. Its methods may be called from any
// goroutine.
type Network struct {
	store *journal.Checked // nothing altered is read from it
	rand  io.Reader
	clock *clerk.Clock

	mu       sync.RWMutex // state, secrets and tree: written by the clerk alone
	state    *rules.State
	secrets  *rules.Secrets
	tree     logTree
	border   uint64 // size of the state when the last batch ended
	onBorder func() // called once at the next end of a batch

	witnessed func() (netkit.TreeHead, bool)
	draw      func(message []byte) ([]byte, error)
	allowance netkit.Allowance
	machines  access.Machines // what operators see of shared addresses

	duplicates duplicates
	events     eventBlocks // entries that readers of events share
	tokens     tokenMemory // emptied by the clerk

	machine *machine
	clerk   *clerk.Clerk[*job]
	durable *clerk.Barrier
	writes  atomic.Uint64 // batches made durable
	resumed uint64        // size of the snapshot that the start used

	pace     *pace.Replay                // of a network that only replays, beside others
	beside   *rules.Secrets              // of such a network: a second fold that takes the same entries
	loaded   []byte                      // that snapshot, until the comparison with the entries begins
	compared atomic.Pointer[pace.Replay] // of that comparison while it is under way
	every    uint64                      // entries between two snapshots
	alarm    func(error)                 // never nil
	stopped  atomic.Bool                 // the state is not to be believed
	follows  atomic.Bool                 // another process writes
	followed *followed                   // entries that were read from the journal; nil in a comparison
	turning  sync.Mutex                  // held while follows is changed
	turned   chan struct{}               // closed when follows changes; nil while none waits for that
	fresh    func(context.Context) error // never nil
	current  func() error                // never nil
	keeping  sync.WaitGroup              // what compares and keeps snapshots
	stopKeep context.CancelFunc          // ends that

	snapshotKey []byte // seals snapshots; nil seals none

	snapshots sync.Mutex // held while one is written
	voided    uint64     // how often the snapshot was set aside, guarded by snapshots
}

// New opens the network of a journal: from its snapshot where there is one,
// then by replaying what follows. A snapshot that was used is compared with all
// entries while the network runs, at a pace that takes a twentieth of a core at
// most; [Network.Health] shows how far that is. If it is not what they add up to,
// the alarm says so and the network refuses every command and view from then on.
func New(ctx context.Context, cfg Config) (*Network, error) {
	if cfg.Store == nil {
		return nil, errors.New("netkit: Config.Store is required")
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Rand == nil {
		cfg.Rand = rand.Reader
	}
	n := &Network{store: checked(cfg.Store), rand: cfg.Rand, clock: clerk.NewClock(cfg.Now, nil), state: newState(), secrets: newSecrets(), witnessed: cfg.Witnessed, draw: cfg.Draw, allowance: cfg.Allowance, snapshotKey: cfg.SnapshotKey, alarm: cfg.Alarm, followed: newFollowed()}
	if n.alarm == nil {
		n.alarm = func(error) {}
	}
	head, err := n.load(ctx, cfg)
	if err != nil {
		return nil, err
	}
	n.durable = clerk.NewBarrier(head.Size)
	n.machine = &machine{n: n}
	n.clerk = clerk.New(clerk.Config[*job]{Store: n.store, Head: head, Machine: n.machine,
		Queue: cfg.Queue, Bytes: cfg.Batch, Wait: waitOf(cfg.Wait), Pause: cfg.Pause, Alarm: cfg.Alarm, Wrote: cfg.wrote()})
	// What fell due while the network was down ends now. If that cannot be
	// written, reads go on all the same, and every later tick tries again.
	n.follows.Store(cfg.Follow)
	if n.fresh = cfg.Fresh; n.fresh == nil {
		n.fresh = func(context.Context) error { return nil }
	}
	if n.current = cfg.Current; n.current == nil {
		n.current = func() error { return nil }
	}
	if n.dueNow() {
		if err := n.Tick(ctx); err != nil && !errors.Is(err, netkit.ErrUnavailable) && !errors.Is(err, netkit.ErrUnknownOutcome) {
			return nil, errors.Join(err, n.clerk.Close(ctx))
		}
	}
	n.startKeeping(cfg)
	return n, nil
}

// newState returns a state that shares long work among the processors, and lets
// others go first while a snapshot is made or read.
func newState() *rules.State {
	s := rules.NewState()
	s.Use(hooks)
	return s
}

var hooks = rules.Hooks{Spread: fanout.Each, Yield: runtime.Gosched}

// waitOf returns the bound of the clerk's queue for Config.Wait; 0 is none.
func waitOf(wait time.Duration) time.Duration {
	if wait == 0 {
		return 250 * time.Millisecond
	}
	return max(0, wait)
}

// startKeeping begins to keep snapshots, until Close.
func (n *Network) startKeeping(cfg Config) {
	if n.every = cfg.SnapshotEvery; n.every == 0 {
		n.every = everyEntries
	}
	ctx, cancel := context.WithCancel(context.Background())
	n.stopKeep = cancel
	loaded := n.loaded
	n.loaded = nil
	if loaded != nil {
		n.startComparison(ctx, loaded)
	}
	n.keeping.Go(func() { n.keepSnapshots(ctx, len(loaded)) })
	n.keeping.Go(func() { n.forgetErased(ctx) })
}

// dueNow reports whether something has fallen due.
func (n *Network) dueNow() bool {
	now := n.Now()
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.state.FallsDue(now)
}

// load brings the state up to the journal's head, writing genesis first if
// the journal is empty.
func (n *Network) load(ctx context.Context, cfg Config) (journal.Head, error) {
	head, err := n.store.Head(ctx)
	if err != nil {
		return head, err
	}
	if head.Size == 0 {
		if cfg.Genesis == nil {
			return head, fmt.Errorf("netkit: the journal is empty; give Config.Genesis to begin a network")
		}
		if head, err = n.begin(ctx, cfg.Genesis); err != nil {
			return head, err
		}
	}
	if !cfg.IgnoreSnapshot {
		if err := n.restore(ctx, head); err != nil {
			return head, err
		}
	}
	if err := n.replay(ctx, head); err != nil {
		return head, err
	}
	if err := n.checkHeld(ctx); err != nil {
		return head, err
	}
	n.border = n.state.Size()
	n.state.PlanDeadlines() // a replay leaves deadlines that passed long ago
	n.store.Trust(n.tree.Tree, nil)
	return head, nil
}

// wrote hands the clerk's reports to Config.Wrote.
func (cfg *Config) wrote() func(clerk.Write) {
	if cfg.Wrote == nil {
		return nil
	}
	return func(w clerk.Write) {
		cfg.Wrote(Write{Commands: w.Jobs, Entries: w.Records, Waited: w.Waited, Took: w.Took})
	}
}

// checked returns the store as one that gives back nothing altered. One that
// changes nothing stays as it is, so that its owner shares what it knows.
func checked(s journal.Store) *journal.Checked {
	if c, ok := s.(*journal.Checked); ok {
		return c
	}
	return journal.NewChecked(s)
}

// Close stops taking commands, finishes those under way and keeps a snapshot.
// It does not close the store. A context that ends leaves work unfinished;
// nothing acknowledged is lost by that.
func (n *Network) Close(ctx context.Context) error {
	n.stopKeep()
	n.keeping.Wait()
	if err := n.clerk.Close(ctx); err != nil || n.stopped.Load() {
		return err
	}
	if n.resumed == n.durable.Size() {
		return nil // the snapshot that it began with still holds
	}
	return n.Snapshot(ctx)
}

// Writes returns how many durable writes were made since the start. Commands that
// come together share one.
func (n *Network) Writes() uint64 { return n.writes.Load() }

// QueueAge returns how long the oldest command in the queue may have waited, 0
// where none waits.
func (n *Network) QueueAge() time.Duration { return n.clerk.Age() }

// Now returns the network's time.
func (n *Network) Now() netkit.Millis { return netkit.At(n.clock.Now()) }

// Health never waits.
func (n *Network) Health() netkit.Health {
	_, down := n.clerk.Down()
	_, err := n.time()
	n.mu.RLock()
	defer n.mu.RUnlock()
	return netkit.Health{Entries: n.durable.Size(), Writing: !down && err == nil && !n.stopped.Load(), At: n.state.Time(), Comparison: n.comparison()}
}

// WaitDurable waits until the journal durably holds size entries, and returns
// how many it holds then. The error is the context's.
func (n *Network) WaitDurable(ctx context.Context, size uint64) (uint64, error) {
	for {
		reached, err := n.durable.Wait(ctx, size, n.durable.Epoch())
		if reached || err != nil {
			return n.durable.Size(), err
		}
	}
}

// Tick appends what has fallen due and goes on with long work until none is
// left, a command a step, so that others come between. A server calls it
// about once a second; every command does its first step too. A network that
// follows appends nothing.
func (n *Network) Tick(ctx context.Context) error {
	for !n.follows.Load() {
		err := do(ctx, n.As(netkit.NetworkActor), tick{})
		if err != nil {
			return err
		}
		if !n.workLeft() {
			return n.owed(ctx)
		}
	}
	return nil
}

// tick is a command that asks for nothing but the clerk's attention.
type tick struct{}

func (tick) Route() string { return "tick" }

func (tick) Decide(*rules.State, *rules.Call) error { return nil }

// workLeft reports whether something has fallen due or a step of long work is
// left.
func (n *Network) workLeft() bool {
	now := n.Now()
	n.mu.RLock()
	defer n.mu.RUnlock()
	_, long := n.state.LongWork()
	return long || n.state.FallsDue(max(now, n.state.Time()))
}
