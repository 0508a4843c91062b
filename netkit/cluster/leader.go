package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/timespan"
)

// askLeader has the leader carry out a call, this node or another one. While no node
// leads, it waits for an election or two.
func (n *Node) askLeader(ctx context.Context, name string, body []byte, result any) error {
	deadline := time.Now().Add(10 * n.timing.Election)
	for {
		err := n.askOnce(ctx, name, body, result)
		if !errors.Is(err, errNotLeader) && !errors.Is(err, errUnsent) {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%w: %w", ErrNoLeader, err)
		}
		if !timespan.Wait(ctx, n.timing.Election/20) {
			return ctx.Err()
		}
		if _, _, broken := n.machine.head(); broken != nil {
			return broken
		}
	}
}

func (n *Node) askOnce(ctx context.Context, name string, body []byte, result any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	at, id := n.raft.LeaderWithID()
	if id == "" {
		return errNotLeader
	}
	if string(id) == n.member.ID {
		return decodeAnswer(n.answerCall(ctx, n.member.ID, name, body), result)
	}
	calling, end := n.whileLeading(ctx, id)
	defer end()
	reply, err := n.caller.call(calling, at, name, body)
	if err != nil && calling.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("cluster: %s led no more, and did not answer: %w", at, err)
	}
	if err != nil {
		return err
	}
	return decodeAnswer(reply, result)
}

// whileLeading returns a context that ends once this node knows another leader than a
// server, or none: one that was paused or cut off keeps its connections and never answers.
func (n *Node) whileLeading(ctx context.Context, id raft.ServerID) (_ context.Context, end func()) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		for timespan.Wait(ctx, n.timing.Election/20) {
			if _, now := n.raft.LeaderWithID(); now != id {
				cancel()
			}
		}
	}()
	return ctx, cancel
}

// Head implements [journal.Engine].
func (n *Node) Head(ctx context.Context) (journal.Head, error) {
	out, err := n.askHead(ctx)
	if err != nil {
		return journal.Head{}, err
	}
	head, err := out.head()
	if err == nil && out.Retired != nil {
		err = &journal.RetiredError{Head: head, To: out.Retired.To}
	}
	return head, err
}

// lastHead is the head that the leader confirmed, and whether the network left.
type lastHead struct {
	wireHead
	Retired *retire `json:"retired,omitempty"`
}

// askHead asks the leader for the head. A node that applied the retirement of its cluster
// knows the last head.
func (n *Node) askHead(ctx context.Context) (out lastHead, err error) {
	if head, to := n.machine.lastHead(); to != nil {
		return lastHead{*sendHead(head), to}, nil
	}
	err = n.askLeader(ctx, callHead, nil, &out)
	return out, err
}

// leaderHead returns the head after it has confirmed that this node still leads, and
// has applied all that former leaders acknowledged.
func (n *Node) leaderHead(ctx context.Context, _ string, _ []byte) (any, error) {
	if err := n.beginTerm(); err != nil {
		return nil, err
	}
	head, _, err := n.machine.head()
	if err == nil {
		err = n.confirmTerm(ctx, n.began.Load())
	}
	return lastHead{*sendHead(head), n.machine.retired()}, err
}

// confirmTerm asks the voters for their terms. A majority that is in the term of this
// leader has elected no other one. Raft's own VerifyLeader would count answers that were
// on their way when the call began, as after a pause of this process.
func (n *Node) confirmTerm(ctx context.Context, term uint64) error {
	// A call that was cancelled would cost its connection, so that each one ends by itself.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), n.timing.Election)
	var asking sync.WaitGroup
	defer func() { go func() { asking.Wait(); cancel() }() }()
	var voters []raft.Server
	for _, s := range n.servers() {
		if s.Suffrage == raft.Voter {
			voters = append(voters, s)
		}
	}
	same := make(chan bool, len(voters))
	for _, s := range voters {
		asking.Go(func() { same <- n.termOf(ctx, &s) == term })
	}
	agree := 0
	for i := range voters {
		if <-same {
			agree++
		}
		if agree > len(voters)/2 {
			return nil
		}
		if agree+len(voters)-i-1 <= len(voters)/2 {
			break
		}
	}
	return notLeading(fmt.Errorf("cluster: %d of %d voting nodes are in the term %d of this leader", agree, len(voters), term))
}

// termOf asks a server for its term, 0 where it does not answer.
func (n *Node) termOf(ctx context.Context, s *raft.Server) (term uint64) {
	if string(s.ID) == n.member.ID {
		return n.raft.CurrentTerm()
	}
	reply, err := n.caller.call(ctx, s.Address, callTerm, nil)
	if err == nil {
		err = decodeAnswer(reply, &term)
	}
	if err != nil {
		return 0
	}
	return term
}

// beginTerm waits, once in a term, until the entries of former leaders are applied.
func (n *Node) beginTerm() error {
	if n.raft.State() != raft.Leader {
		return errNotLeader
	}
	term := n.raft.CurrentTerm()
	if n.began.Load() == term {
		return nil
	}
	if err := n.raft.Barrier(callTime).Error(); err != nil {
		return notLeading(err)
	}
	n.began.Store(term)
	return nil
}

// notLeading names the errors of a node that does not lead, or no longer.
func notLeading(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", errNotLeader, err)
}
