package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/replica"
)

var _ journal.Holder = (*Node)(nil)

// Append implements [journal.Engine].
func (n *Node) Append(ctx context.Context, at journal.Head, b journal.EngineBatch) (journal.Head, error) {
	next, err := b.Next(at)
	if err != nil {
		return journal.Head{}, err
	}
	if err := ctx.Err(); err != nil {
		return journal.Head{}, err
	}
	entry := appendBatch(nil, at, &b)
	if len(entry) > maxEntry {
		return journal.Head{}, fmt.Errorf("%w: its %d entries have %d bytes, at most %d are allowed", journal.ErrBadBatch, len(b.Public), len(entry), maxEntry)
	}
	err = n.askLeader(context.WithoutCancel(ctx), callAppend, entry, nil)
	var moved *journal.HeadMovedError
	switch {
	case err == nil || errors.As(err, &moved) || isDefinite(err):
		return next, err
	}
	return journal.Head{}, fmt.Errorf("%w: %w", journal.ErrDoubtful, err)
}

// isDefinite reports that nothing was appended.
func isDefinite(err error) bool {
	return errors.Is(err, journal.ErrBadBatch) || errors.Is(err, journal.ErrRetired) || errors.Is(err, ErrNoLeader) || errors.Is(err, errUnsent)
}

// leaderAppend appends a batch. Once raft has the entry, nothing cuts the wait: a
// leader that does not reach the others ends its leadership within its lease.
func (n *Node) leaderAppend(ctx context.Context, _ string, entry []byte) (any, error) {
	at, b, err := parseBatch(entry)
	if err != nil {
		return nil, err
	}
	answer, err := n.applyEntry(entry)
	if err != nil {
		return nil, err
	}
	switch answer := answer.(type) {
	case journal.Head:
		return sendHead(answer), nil
	case *journal.HeadMovedError:
		if held, err := n.holdsBatch(context.WithoutCancel(ctx), &b); err != nil || !held {
			return nil, errors.Join(answer, err)
		}
		next, err := b.Next(at)
		return sendHead(next), err
	case error:
		return nil, answer
	}
	return nil, errEntry
}

// applyEntry has raft carry out an entry, and returns the answer of the state machine.
func (n *Node) applyEntry(entry []byte) (any, error) {
	f := n.raft.Apply(entry, callTime)
	err := f.Error()
	switch {
	case err == nil:
		return f.Response(), nil
	case errors.Is(err, raft.ErrNotLeader) || errors.Is(err, raft.ErrLeadershipTransferInProgress) || errors.Is(err, raft.ErrEnqueueTimeout):
		return nil, notLeading(err)
	}
	return nil, fmt.Errorf("%w: %w", journal.ErrDoubtful, err)
}

// holdsBatch reports whether the folder has a batch, byte for byte.
func (n *Node) holdsBatch(ctx context.Context, b *journal.EngineBatch) (bool, error) {
	for have, err := range n.folderBatches(ctx, b.First) {
		if errors.Is(err, journal.ErrNotFound) {
			return false, nil
		}
		return err == nil && have.First == b.First && have.Root == b.Root &&
			slices.EqualFunc(have.Public, b.Public, bytes.Equal) && slices.EqualFunc(have.Sealed, b.Sealed, bytes.Equal), err
	}
	return false, nil
}

// Batches implements [journal.Engine]. They come from the folder, once it has
// the entries of the leader.
func (n *Node) Batches(ctx context.Context, from uint64) iter.Seq2[journal.EngineBatch, error] {
	return func(yield func(journal.EngineBatch, error) bool) {
		head, err := n.askHead(ctx)
		if err == nil {
			err = n.machine.wait(ctx, head.Size)
		}
		if err != nil {
			yield(journal.EngineBatch{}, err)
			return
		}
		for b, err := range n.folderBatches(ctx, from) {
			if !yield(b, err) {
				return
			}
		}
	}
}

// Held implements [journal.Holder].
func (n *Node) Held(ctx context.Context, from uint64) iter.Seq2[journal.EngineBatch, error] {
	return n.folderBatches(ctx, from)
}

// folderBatches yields the batches of the folder, with the roots of its tree.
func (n *Node) folderBatches(ctx context.Context, from uint64) iter.Seq2[journal.EngineBatch, error] {
	return func(yield func(journal.EngineBatch, error) bool) {
		if recent, ok := n.machine.recentFrom(from); ok {
			for _, b := range recent {
				if !yield(b, nil) {
					return
				}
			}
			return
		}
		if err := n.yieldBatches(ctx, from, yield); err != nil {
			yield(journal.EngineBatch{}, err)
		}
	}
}

func (n *Node) yieldBatches(ctx context.Context, from uint64, yield func(journal.EngineBatch, error) bool) error {
	folder := n.machine.folder
	head, _, err := n.machine.head()
	if err != nil {
		return err
	}
	if from > head.Size {
		return fmt.Errorf("%w: the journal ends at entry %d", journal.ErrNotFound, head.Size)
	}
	if from == head.Size {
		return nil
	}
	first, err := folder.BatchOf(ctx, from)
	if err != nil {
		return err
	}
	tree, err := journal.OpenTree(ctx, folder, first)
	if err != nil {
		return err
	}
	for b, err := range replica.ReadBatches(ctx, folder, first, head.Size) {
		if err != nil {
			return err
		}
		for _, public := range b.Public {
			tree.Append(journal.Leaf(public), nil)
		}
		if b.Root = tree.Root(); !yield(b, nil) {
			return nil
		}
	}
	return nil
}

// Wait implements [journal.Engine].
func (n *Node) Wait(ctx context.Context, size uint64) error {
	return n.machine.waitUnlessRetired(ctx, size+1)
}

// Limits implements [journal.Engine].
func (n *Node) Limits() journal.EngineLimits {
	voters := 0
	for _, s := range n.servers() {
		if s.Suffrage == raft.Voter {
			voters++
		}
	}
	return journal.EngineLimits{Batch: maxBatch, Acknowledged: fmt.Sprintf("synced by %d of %d nodes", voters/2+1, voters)}
}
