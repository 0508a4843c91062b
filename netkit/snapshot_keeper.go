package netkit

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/journal"
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
		case errors.Is(err, ErrCorrupt):
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
	if r.state.root.next == n.resumed {
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
	if !errors.Is(err, ErrCorrupt) {
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
	return refuse(ErrUnavailable, code.NetworkStopped, "the network found that its state does not follow from its journal, and stopped", "its operator finds the reason in the log of the server")
}

// A replica is a reader of the journal with a state of its own. It compares a
// snapshot with the entries, and writes one while the network goes on.

// believed names a snapshot: how many entries it is of, and its bytes.
type believed struct {
	size   uint64
	length int
	sum    [32]byte
}

// believe names the snapshot of size entries that b holds, its sum included.
func believe(size uint64, b []byte) believed {
	out := believed{size: size, length: len(b)}
	last := b[bytes.LastIndexByte(b[:len(b)-1], '\n')+1:]
	_, _ = hex.Decode(out.sum[:], last[:2*len(out.sum)]) // it was compared before
	return out
}

// is reports whether b is the snapshot.
func (x *believed) is(b []byte) bool {
	if _, err := snapshotParts(b); err != nil {
		return false
	}
	return believe(x.size, b).sum == x.sum
}

// replica returns a network that has read nothing yet and takes no commands.
func replica(s journal.Store) *Network {
	return &Network{store: journal.NewChecked(s), state: newState(), secrets: newSecrets(), beside: true}
}

// CheckSnapshot replays the journal of a store and compares the newest snapshot
// with what its entries add up to, tokens and idempotency keys included. It
// returns the number of entries of the snapshot, 0 where there is none that a
// start would use. An error that is [ErrCorrupt] names the first difference, and
// of what is secret only the place.
func CheckSnapshot(ctx context.Context, store journal.Store) (uint64, error) {
	size, b, err := loadSnapshot(ctx, store)
	if err != nil || b == nil {
		return 0, err
	}
	if _, err := snapshotParts(b); err != nil {
		return 0, nil
	}
	_, err = compareSnapshot(ctx, store, size, b)
	return size, err
}

// compareSnapshot replays the journal to its end and compares a snapshot on the
// way; it returns the replica. The second fold is compared at the end: what was
// erased since the snapshot is in neither there.
func compareSnapshot(ctx context.Context, store journal.Store, size uint64, b []byte) (*Network, error) {
	parts, err := snapshotParts(b)
	if err != nil {
		return nil, err
	}
	head, err := store.Head(ctx)
	if err != nil {
		return nil, err
	}
	if size > head.Size {
		return nil, fmt.Errorf("%w: it has %d entries and its snapshot %d", ErrCorrupt, head.Size, size)
	}
	r := replica(store)
	if err := r.replay(ctx, journal.Head{Size: size}); err != nil {
		return nil, err
	}
	if want := r.state.canonicalIn(make([]byte, 0, len(parts[0])+1)); !bytes.Equal(parts[0], want) {
		return nil, differing(size, parts[0], want, true)
	}
	if root := fmt.Sprintf("%x", r.tree.Root()); root != string(parts[2]) {
		return nil, fmt.Errorf("%w: the snapshot of %d entries names another tree than theirs", ErrCorrupt, size)
	}
	second := newSecrets()
	if _, err := readSnapshot(b, newState(), second); err != nil {
		return nil, fmt.Errorf("%w: the snapshot of %d entries: %w", ErrCorrupt, size, err)
	}
	if err := followSecrets(ctx, second, store, size, head.Size); err != nil {
		return nil, err
	}
	if err := r.replay(ctx, head); err != nil {
		return nil, err
	}
	if got, want := second.Stored(), r.secrets.Stored(); !bytes.Equal(got, want) {
		return nil, differing(size, got, want, false)
	}
	return r, nil
}

// followSecrets applies the entries from one up to another to the second fold.
func followSecrets(ctx context.Context, x *secrets, store journal.Store, from, to uint64) error {
	for r, err := range store.Read(ctx, from, to) {
		var d decoded
		if err == nil {
			err = d.read(r)
		}
		if err != nil {
			return err
		}
		p := &d.private
		if !d.secret {
			p = nil
		}
		x.take(&d.entry, p)
		x.Commit()
	}
	return nil
}

// differing names the first place at which a snapshot is not what the entries
// add up to, and both values if they are public.
func differing(size uint64, got, want []byte, public bool) error {
	where, has, due := firstDifference(json.NewDecoder(bytes.NewReader(got)), json.NewDecoder(bytes.NewReader(want)))
	what := ""
	if public {
		what = fmt.Sprintf(": it says %.80s, the entries say %.80s", has, due)
	}
	return fmt.Errorf("%w: the snapshot of %d entries is not what they add up to, first at %s%s", ErrCorrupt, size, where, what)
}

// firstDifference walks two JSON texts side by side and returns the path at
// which they part, such as wallets[3].held, and what stands there.
func firstDifference(a, b *json.Decoder) (where, has, due string) {
	type level struct {
		list bool
		name string
		n    int
	}
	var path []level
	a.UseNumber() // an amount is compared as it stands
	b.UseNumber()
	for {
		x, errX := a.Token()
		y, errY := b.Token()
		if fmt.Sprint(x, errX) != fmt.Sprint(y, errY) || errX != nil {
			for i, l := range path {
				switch {
				case l.list:
					where += fmt.Sprintf("[%d]", l.n)
				case i > 0 && l.name != "":
					where += "." + l.name
				default:
					where += l.name
				}
			}
			return where, fmt.Sprint(x), fmt.Sprint(y)
		}
		top := len(path) - 1
		if d, ok := x.(json.Delim); ok {
			if d == '{' || d == '[' {
				path = append(path, level{list: d == '['})
				continue
			}
			path = path[:top]
			top--
		} else if top >= 0 && !path[top].list && path[top].name == "" {
			path[top].name = fmt.Sprint(x) // a field's name; its value follows
			continue
		}
		if top >= 0 {
			path[top].name = ""
			path[top].n++
		}
	}
}
