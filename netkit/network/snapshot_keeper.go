package network

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// everyEntries is how many entries go between two snapshots of a network that
// runs: about what a start replays in a second.
const everyEntries = 100_000

// bytesPerEntry makes a large state wait longer for its next snapshot: loading
// this much of one takes about as long as replaying an entry.
const bytesPerEntry = 512

// keepSnapshots first compares the snapshot that the start used with the entries,
// then writes a snapshot now and then. A replica does both, so no command waits.
func (n *Network) keepSnapshots(ctx context.Context) {
	defer close(n.keeping)
	var last believed
	if n.loaded != nil {
		var err error
		if last, err = n.compareLoaded(ctx); err != nil {
			n.distrust(ctx, err)
			return
		}
	}
	at := last.size // of the journal at the latest run
	for {
		next := at + max(n.every, uint64(last.length/bytesPerEntry))
		if _, err := n.durable.Wait(ctx, next, n.durable.Epoch()); err != nil {
			return
		}
		if n.durable.Size() < next {
			continue // a batch was lost, which wakes as well
		}
		at = n.durable.Size()
		kept, err := n.replicate(ctx, last)
		if err == nil {
			last = kept
		}
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, netkit.ErrCorrupt):
			n.distrust(ctx, err)
			return
		case err != nil: // such as a full disk: the next one is due later
			n.alarm(fmt.Errorf("netkit: writing a snapshot: %w", err))
		}
	}
}

// compareLoaded replays the journal and compares what the start believed.
func (n *Network) compareLoaded(ctx context.Context) (believed, error) {
	b, before := n.loaded, n.voids()
	n.loaded = nil
	r, err := compareSnapshot(ctx, n.store.Store, n.resumed, b)
	if err != nil {
		return believed{}, err
	}
	if r.state.Size() == n.resumed {
		return believe(n.resumed, b), nil
	}
	return n.keepReplica(ctx, r, len(b), before)
}

// voids counts how often the snapshot was set aside.
func (n *Network) voids() uint64 {
	n.snapshots.Lock()
	defer n.snapshots.Unlock()
	return n.voided
}

// keepReplica writes the snapshot of a replica, unless the snapshot was set aside
// since: the replica may hold what was erased meanwhile.
func (n *Network) keepReplica(ctx context.Context, r *Network, length int, before uint64) (believed, error) {
	n.snapshots.Lock()
	defer n.snapshots.Unlock()
	if n.voided != before {
		return believed{}, nil
	}
	r.snapshotKey = n.snapshotKey
	return r.writeSnapshot(ctx, length)
}

// replicate writes a snapshot of the durable head. It begins with the last one
// if that is still there as it was written, else with entry 0.
func (n *Network) replicate(ctx context.Context, last believed) (believed, error) {
	r, before := replica(n.store.Store), n.voids()
	if err := r.resume(ctx, last); err != nil {
		return last, err
	}
	head, err := n.store.Head(ctx)
	if err == nil {
		err = r.replay(ctx, head)
	}
	if err != nil {
		return last, err
	}
	return n.keepReplica(ctx, r, last.length, before)
}

// resume loads a snapshot into a replica if its bytes are those of last.
func (n *Network) resume(ctx context.Context, last believed) error {
	size, b, err := loadSnapshot(ctx, n.store)
	if err != nil || b == nil || size != last.size {
		return err
	}
	if !last.is(b) {
		return nil
	}
	return n.adoptSnapshot(ctx, size, b)
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
