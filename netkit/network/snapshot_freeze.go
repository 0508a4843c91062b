package network

import (
	"context"

	"github.com/agentnet/netctl/netkit/internal/pace"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/journal"
)

// A snapshot is made of the running state while commands change it. Between two
// batches both folds are frozen: from then on, the first change of a row keeps a copy
// for the reader of the freeze. The reader goes from row to row in short turns, and
// leaves the lock to the writer between them.

// frozen is the durable state of a moment.
type frozen struct {
	size uint64 // of the journal
	root [journal.HashSize]byte
	view *undo.Freeze
}

// freezeDurable freezes both folds between two batches. Thaw ends that.
func (n *Network) freezeDurable(ctx context.Context) (*frozen, error) {
	ready := make(chan *frozen, 1)
	n.mu.Lock()
	n.onBorder = func() { ready <- n.freeze(undo.NewFreeze(pace.NewTurns(ctx, &n.mu))) }
	if n.state.Size() == n.border {
		n.reachBorder()
	}
	n.mu.Unlock()
	select {
	case at := <-ready:
		return at, nil
	case <-ctx.Done():
	}
	n.mu.Lock()
	n.onBorder = nil
	n.mu.Unlock()
	n.thaw()
	return nil, ctx.Err()
}

// reachBorder notes that every change of the state is durable, and calls onBorder.
// Its caller holds mu.
func (n *Network) reachBorder() {
	n.border = n.state.Size()
	if do := n.onBorder; do != nil {
		n.onBorder = nil
		do()
	}
}

// freeze freezes both folds. Its caller holds mu, and no batch is open.
func (n *Network) freeze(view *undo.Freeze) *frozen {
	n.state.Freeze(view)
	n.secrets.Freeze(view)
	return &frozen{n.state.Size(), n.tree.Root(), view}
}

// thaw ends a freeze: nothing is kept for it any more.
func (n *Network) thaw() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.state.Freeze(nil)
	n.secrets.Freeze(nil)
}

// encode returns both folds as they were at a freeze, as a snapshot holds them, in
// pieces.
func (n *Network) encode(at *frozen) (state, second [][]byte) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.state.CanonicalAt(at.view), n.secrets.StoredAt(at.view)
}
