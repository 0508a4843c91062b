package network

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// Root returns the tree over all durable entries.
func (n *Network) Root(ctx context.Context) (netkit.TreeHead, error) {
	return view(ctx, n, func(*rules.State) (netkit.TreeHead, error) { return n.tree.head(), nil })
}

// logTree is the tree over the entries that the state was made of. What it
// consists of goes into the batch of those entries.
type logTree struct {
	journal.Tree
	kept  journal.Tree             // as of the last commit
	fresh [][journal.HashSize]byte // leaves since then
	nodes []journal.Node           // of entries that were read, still to be compared with those stored
	bare  bool                     // the journal stores none
}

func (t *logTree) head() netkit.TreeHead { return netkit.TreeHead{Size: t.Size(), Root: t.Root()} }

func (t *logTree) commit() { t.kept, t.fresh = t.Tree, t.fresh[:0] }

func (t *logTree) rollback() { t.Tree, t.nodes, t.fresh = t.kept, nil, t.fresh[:0] }

// Append grows the tree by an entry, and nodes by what its batch has to store.
func (t *logTree) Append(leaf [journal.HashSize]byte, nodes []journal.Node) []journal.Node {
	t.fresh = append(t.fresh, leaf)
	return t.Tree.Append(leaf, nodes)
}

// follow grows the tree by an entry that stands in the journal.
func (t *logTree) follow(leaf [journal.HashSize]byte) { t.nodes = t.Append(leaf, t.nodes) }

// agree compares what follow found with what the journal stores.
func (t *logTree) agree(ctx context.Context, s journal.Store) error {
	nodes := t.nodes
	t.nodes = t.nodes[:0]
	if t.bare || len(nodes) == 0 {
		return nil
	}
	err := journal.CheckNodes(ctx, s, nodes)
	if errors.Is(err, journal.ErrNotJournal) || errors.Is(err, journal.ErrNotFound) {
		_, last := nodes[len(nodes)-1].Entries()
		return fmt.Errorf("%w: up to entry %d: %w; restore a backup", netkit.ErrCorrupt, last, err)
	}
	return err
}

// citations returns what facts may cite now.
func (n *Network) citations() (before, witnessed netkit.TreeHead) {
	before = n.tree.head()
	if n.witnessed == nil {
		return before, before
	}
	if witnessed, ok := n.witnessed(); ok {
		return before, witnessed
	}
	return before, netkit.TreeHead{}
}

// drawable refuses what draws a panel while no checkpoint is witnessed: from
// a tree that nobody else has seen, whoever writes the journal could choose
// the reviewers.
func (n *Network) drawable() error {
	n.mu.RLock()
	later := n.state.DrawsLater()
	n.mu.RUnlock()
	if n.witnessed == nil || later {
		return nil
	}
	if _, ok := n.witnessed(); ok {
		return nil
	}
	return &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.NotWitnessed, What: "no checkpoint has been signed by the network's witnesses yet, and panels are drawn by one", Next: "try again in a minute", After: time.Minute}
}
