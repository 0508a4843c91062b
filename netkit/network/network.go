package network

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/clerk"
	"github.com/agentnet/netctl/netkit/internal/pace"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

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
	cfg.setDefaults()
	n := &Network{store: checked(cfg.Store), rand: cfg.Rand, clock: clerk.NewClock(cfg.Now, nil), state: newState(), secrets: newSecrets(),
		witnessed: cfg.Witnessed, draw: cfg.Draw, allowance: cfg.Allowance, snapshotKey: cfg.SnapshotKey, every: cfg.SnapshotEvery,
		alarm: cfg.Alarm, fresh: cfg.Fresh, current: cfg.Current, followed: newFollowed()}
	n.follows.Store(cfg.Follow)
	head, err := n.load(ctx, cfg)
	if err != nil {
		return nil, err
	}
	n.durable = clerk.NewBarrier(head.Size)
	n.machine = &machine{n: n}
	n.clerk = clerk.New(clerk.Config[*job]{Store: n.store, Head: head, Machine: n.machine,
		Queue: cfg.Queue, Bytes: cfg.Batch, Wait: waitOf(cfg.Wait), Pause: cfg.Pause, Alarm: cfg.Alarm, Wrote: cfg.wrote()})
	// What fell due while the network was down ends now. If that cannot be
	// written, the network still answers reads, and every later tick tries again.
	if n.dueNow() {
		if err := n.Tick(ctx); err != nil && !errors.Is(err, netkit.ErrUnavailable) && !errors.Is(err, netkit.ErrUnknownOutcome) {
			return nil, errors.Join(err, n.clerk.Close(ctx))
		}
	}
	n.startKeeping()
	return n, nil
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
