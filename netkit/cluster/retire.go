package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/timespan"
)

var _ journal.Retirer = (*Node)(nil)

// Retire implements [journal.Retirer]. An entry of raft's log retires the cluster, so that
// every node decides alike which append came before it. This node leads first, and
// therefore needs a vote: then it has the last entry and knows the outcome, also after
// the other nodes have stopped.
func (n *Node) Retire(ctx context.Context, to string) (head journal.Head, err error) {
	n.retiring.Store(true)
	defer n.retiring.Store(false)
	for deadline := time.Now().Add(10 * n.timing.Election); ; {
		err := n.retireAsLeader(ctx, to)
		if err == nil {
			break
		}
		if errors.Is(err, journal.ErrRetired) || errors.Is(err, journal.ErrDoubtful) {
			return head, err
		}
		if time.Now().After(deadline) {
			return head, fmt.Errorf("%w: %s does not get to lead: %w", ErrNoLeader, n.Name(), err)
		}
		if !timespan.Wait(ctx, n.timing.Election/5) {
			return head, ctx.Err()
		}
	}
	n.keepRetirement()
	head, _ = n.machine.lastHead()
	return head, nil
}

// retireAsLeader makes one attempt.
func (n *Node) retireAsLeader(ctx context.Context, to string) error {
	if _, err := n.Head(ctx); err != nil {
		return err
	}
	if err := n.Transfer(ctx, n.member.ID); err != nil {
		return err
	}
	if err := n.beginTerm(); err != nil {
		return err
	}
	return n.applyControl(&control{Retire: &retire{to}})
}

// keepRetirement makes a snapshot of a cluster that was retired, from which a node that
// starts later knows it, also where no majority runs.
func (n *Node) keepRetirement() {
	if n.machine.retired() != nil {
		_ = n.raft.Snapshot().Error() // without it, the node asks the others again
	}
}

// passLead has another voter lead soon after this node was elected, unless it retires
// the cluster.
func (n *Node) passLead(ctx context.Context) {
	for timespan.Wait(ctx, n.timing.Heartbeat) {
		if n.raft.State() == raft.Leader && !n.retiring.Load() && n.machine.retired() == nil {
			_ = n.raft.LeadershipTransfer().Error() // tried again; a lone voter keeps the lead
		}
	}
}
