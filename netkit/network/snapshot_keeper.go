package network

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/pace"
)

// everyEntries is how many entries go between two snapshots of a network that
// runs: about what a start replays in a second.
const everyEntries = 100_000

// bytesPerEntry makes a large state wait longer for its next snapshot: loading
// this much of one takes about as long as replaying an entry.
const bytesPerEntry = 512

// keepSnapshots writes a snapshot now and then; length is that of the one that the
// start used.
func (n *Network) keepSnapshots(ctx context.Context, length int) {
	at := n.resumed // of the journal at the latest run
	for {
		next := at + max(n.every, uint64(length/bytesPerEntry))
		if _, err := n.durable.Wait(ctx, next, n.durable.Epoch()); err != nil {
			return
		}
		if n.durable.Size() < next {
			continue // a batch was lost, which wakes as well
		}
		at = n.durable.Size()
		kept, err := n.keepSnapshot(ctx)
		switch {
		case ctx.Err() != nil || n.stopped.Load():
			return
		case err != nil: // such as a full disk: the next one is due later
			n.alarm(fmt.Errorf("netkit: writing a snapshot: %w", err))
		default:
			length = kept
		}
	}
}

// keepSnapshot writes a snapshot of the durable state and returns its length.
func (n *Network) keepSnapshot(ctx context.Context) (length int, err error) {
	before := n.voids()
	at, err := n.freezeDurable(ctx)
	if err != nil {
		return 0, err
	}
	state, second := n.encode(at)
	n.thaw()
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return n.putSnapshot(ctx, before, at, state, second)
}

// putSnapshot writes the encoded folds of a freeze, unless the snapshot was set
// aside since: the freeze may hold a text that was erased meanwhile.
func (n *Network) putSnapshot(ctx context.Context, before uint64, at *frozen, state, second [][]byte) (length int, err error) {
	n.snapshots.Lock()
	defer n.snapshots.Unlock()
	if n.voided != before || n.stopped.Load() {
		return 0, nil
	}
	return n.writeSnapshot(ctx, at, state, second)
}

// voids counts how often the snapshot was set aside.
func (n *Network) voids() uint64 {
	n.snapshots.Lock()
	defer n.snapshots.Unlock()
	return n.voided
}

// startComparison begins to compare the snapshot that the start used with the
// entries. Only that shows that the state follows from them, so
// later snapshots, which are made of its state, rest on it as well.
func (n *Network) startComparison(ctx context.Context, loaded []byte) {
	p := pace.NewReplay(ctx)
	p.Of.Store(n.state.Size())
	n.compared.Store(p)
	n.keeping.Go(func() {
		if err := compareSnapshot(ctx, n.store.Store, n.resumed, loaded, p); err != nil {
			n.distrust(ctx, err)
		}
		n.compared.Store(nil)
	})
}

// comparison returns how far the comparison with the entries is, nil where none is
// under way.
func (n *Network) comparison() *netkit.Comparison {
	p := n.compared.Load()
	if p == nil {
		return nil
	}
	return &netkit.Comparison{Entries: p.Taken.Load(), Of: p.Of.Load()}
}

// distrust stops the network: what it shows does not follow from its entries,
// or these are damaged. The next start replays all of them.
func (n *Network) distrust(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	if !errors.Is(err, netkit.ErrCorrupt) {
		n.alarm(fmt.Errorf("netkit: the snapshot that this start used could not be compared with the entries: %w", err))
		return
	}
	n.stopped.Store(true)
	// A stop that comes meanwhile waits for this: the next start must not
	// believe the snapshot again.
	failed := n.setSnapshotAside(context.WithoutCancel(ctx))
	n.alarm(fmt.Errorf("netkit: the network has stopped: %w; check the data folder with netctl ledger verify --from DIR, then start again: the start replays the journal", err))
	if failed != nil {
		n.alarm(fmt.Errorf("netkit: the snapshot could not be set aside, remove it before the next start: %w", failed))
	}
}

// voidSnapshot is all that a snapshot holds which was set aside.
const voidSnapshot = "void\n"

// setSnapshotAside puts one that no start uses into the place of the snapshot.
func (n *Network) setSnapshotAside(ctx context.Context) error {
	n.snapshots.Lock()
	defer n.snapshots.Unlock()
	n.voided++
	return n.store.WriteSnapshot(ctx, n.durable.Size(), func(w io.Writer) error {
		_, err := io.WriteString(w, voidSnapshot)
		return err
	})
}

// refuseStopped refuses everything once the network has stopped.
func (n *Network) refuseStopped() error {
	if !n.stopped.Load() {
		return nil
	}
	return netkit.Refuse(netkit.ErrUnavailable, code.NetworkStopped, "the network found that its state does not follow from its journal, and stopped", "its operator finds the reason in the log of the server")
}

// startKeeping begins to keep snapshots, until Close.
func (n *Network) startKeeping() {
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
