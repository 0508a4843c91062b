package network

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

var errBatchOpen = errors.New("netkit: a batch is under way, try again")

// Snapshot keeps the durable state for the next start. Writing waits meanwhile;
// a network that runs keeps snapshots by itself without that.
func (n *Network) Snapshot(ctx context.Context) error {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if n.state.Size() != n.durable.Size() {
		return errBatchOpen
	}
	at := &frozen{size: n.state.Size(), root: n.tree.Root()}
	_, err := n.writeSnapshot(ctx, at, [][]byte{n.state.Canonical()}, [][]byte{n.secrets.Stored()})
	return err
}

// writeSnapshot writes both folds over the entries of a moment with the root of
// their tree, and returns how many bytes the folds take.
func (n *Network) writeSnapshot(ctx context.Context, at *frozen, state, second [][]byte) (length int, err error) {
	h := sha256.New()
	end := [][]byte{[]byte("\n")}
	err = n.store.WriteSnapshot(ctx, at.size, func(w io.Writer) error {
		both := io.MultiWriter(w, h)
		for _, b := range slices.Concat([][]byte{[]byte(snapshotForm)}, end, state, end, second, end, [][]byte{hex.AppendEncode(nil, at.root[:])}, end) {
			length += len(b)
			if err := writePieces(both, b); err != nil {
				return err
			}
		}
		_, err := w.Write(lastLine(h.Sum(nil), n.snapshotKey))
		return err
	})
	return length, err
}

// restore loads the newest snapshot if it belongs to this journal. One that is
// damaged, or that the snapshot key does not vouch for, is passed over with an
// alarm, since replaying gives the same.
func (n *Network) restore(ctx context.Context, head journal.Head) error {
	size, b, err := loadSnapshot(ctx, n.store)
	if err != nil || b == nil {
		return err
	}
	if size > head.Size {
		return fmt.Errorf("%w: it has %d entries and its snapshot %d: entries are missing at its end; restore the journal, or remove the snapshot if you know why", netkit.ErrCorrupt, head.Size, size)
	}
	if string(b) == voidSnapshot { // the alarm was raised when it was set aside
		return nil
	}
	if err := checkSeal(b, n.snapshotKey); err != nil {
		n.alarm(fmt.Errorf("netkit: the snapshot of %d entries %w: this start replays all %d entries instead, and the next snapshot is sealed", size, err, head.Size))
		return nil
	}
	return n.adoptSnapshot(ctx, size, b)
}

// adoptSnapshot makes the state that of a snapshot, unless it is damaged or of
// another journal.
func (n *Network) adoptSnapshot(ctx context.Context, size uint64, b []byte) error {
	s, x := newState(), newSecrets()
	root, err := readSnapshot(b, s, x)
	if err != nil || s.Size() != size {
		return nil
	}
	tree, err := journal.OpenTree(ctx, n.store, size)
	if err != nil && !errors.Is(err, journal.ErrNotFound) {
		return err
	}
	if err != nil || tree.Root() != root {
		return nil // of other entries, or the stored tree is wrong: replaying tells which
	}
	n.state, n.secrets, n.resumed, n.loaded = s, x, size, b
	n.tree.Tree = *tree
	n.tree.commit()
	return nil
}

// readSnapshot reads both folds and returns the root of the tree.
func readSnapshot(b []byte, s *rules.State, x *rules.Secrets) (root [journal.HashSize]byte, err error) {
	parts, err := snapshotParts(b)
	if err != nil {
		return root, err
	}
	if _, err := hex.Decode(root[:], parts[2]); err != nil {
		return root, wire.ErrForm
	}
	if err := readFold(parts[0], s.Fields); err != nil {
		return root, err
	}
	s.Derive()
	return root, readSecrets(parts[1], x, s.Time().Day())
}

// readSecrets reads the second fold over entries of which the last is of a day.
func readSecrets(b []byte, x *rules.Secrets, day netkit.Day) error {
	if err := readFold(b, x.Fields); err != nil {
		return err
	}
	if netkit.Day(x.Unpaid.Date()) != day {
		return wire.ErrForm // of a version that did not count unpaid entries: a replay does
	}
	x.Commit()
	return nil
}

// readFold reads one of the folds.
func readFold(b []byte, fields func(*wire.Codec)) error {
	c := wire.Reader(b)
	c.Begin()
	fields(&c)
	c.End()
	return c.Done()
}

// loadSnapshot reads the newest snapshot; nil where there is none.
func loadSnapshot(ctx context.Context, store journal.Store) (size uint64, b []byte, err error) {
	size, r, err := store.ReadSnapshot(ctx)
	if errors.Is(err, journal.ErrNoSnapshot) {
		return 0, nil, nil
	}
	if err != nil {
		return 0, nil, err
	}
	defer r.Close()
	b, err = io.ReadAll(r)
	return size, b, err
}
