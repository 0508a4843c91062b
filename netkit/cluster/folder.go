package cluster

import (
	"context"
	"fmt"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/replica"
)

// Folder returns the folder of the node for a replica.Store. The state machine writes
// it, so that an append waits for the batches instead.
func (n *Node) Folder() replica.Folder { return follower{n.machine.folder, n.machine} }

type follower struct {
	Folder
	machine *machine
}

// AppendCopies implements replica.Folder.
func (f follower) AppendCopies(ctx context.Context, at journal.Head, tree *journal.Tree, batches []journal.SealedBatch, _ []journal.BatchKeys, _ []uint64) (journal.Head, error) {
	grown := *tree
	for _, b := range batches {
		for _, public := range b.Public {
			at = journal.Head{Size: at.Size + 1, Tip: journal.Leaf(public)}
			grown.Append(at.Tip, nil)
		}
	}
	if err := f.machine.wait(ctx, at.Size); err != nil {
		return journal.Head{}, err
	}
	have, err := f.rootAt(ctx, at.Size)
	if err != nil {
		return journal.Head{}, err
	}
	if have != grown.Root() {
		return journal.Head{}, fmt.Errorf("%w: its first %d entries have the root %x, and the cluster named %x", ErrDamaged, at.Size, have, grown.Root())
	}
	*tree = grown
	return at, nil
}

// rootAt returns the root of the first entries of the folder.
func (f follower) rootAt(ctx context.Context, size uint64) (root [journal.HashSize]byte, err error) {
	if root, ok := f.machine.recentRoot(size); ok {
		return root, nil
	}
	tree, err := journal.OpenTree(ctx, f.Folder, size)
	if err != nil {
		return root, err
	}
	return tree.Root(), nil
}

// Append implements journal.Store: a node appends through the engine.
func (follower) Append(context.Context, journal.Head, journal.Batch) (journal.Head, error) {
	return journal.Head{}, fmt.Errorf("%w: the cluster writes the folder", journal.ErrNotWritable)
}
