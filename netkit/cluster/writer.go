package cluster

import (
	"context"
	"encoding/json"

	"github.com/agentnet/netctl/netkit/journal"
)

// Writer implements [journal.Engine]. The writer is the node that leads; until it has
// claimed that, it sees no writer, and the others see one without a beat.
func (n *Node) Writer(ctx context.Context) (w journal.Writer, err error) {
	err = n.askLeader(ctx, callWriter, []byte(n.member.ID), &w)
	return w, err
}

func (n *Node) leaderWriter(_ context.Context, from string, _ []byte) (any, error) {
	if err := n.beginTerm(); err != nil {
		return nil, err
	}
	w := n.machine.writer()
	out := journal.Writer{Term: w.Term, Node: w.Node, Address: w.Address, Beat: n.beats.Load()}
	if w.Server != n.member.ID && w.Node != "" {
		if out.Address = ""; from == n.member.ID {
			out.Node = ""
		}
	}
	return out, nil
}

// Claim implements [journal.Engine]. A claim for no node has another one lead.
func (n *Node) Claim(ctx context.Context, before uint64, node, address string) (w journal.Writer, err error) {
	body, err := json.Marshal(claim{Before: before, Node: node, Address: address, Server: n.member.ID})
	if err == nil {
		err = n.askLeader(ctx, callClaim, body, &w)
	}
	return w, err
}

func (n *Node) leaderClaim(_ context.Context, from string, body []byte) (any, error) {
	var c claim
	if err := json.Unmarshal(body, &c); err != nil {
		return nil, err
	}
	c.Server = from
	if err := n.applyControl(&control{Claim: &c}); err != nil {
		return nil, err
	}
	if c.Node == "" && from == n.member.ID {
		go n.raft.LeadershipTransfer() // where no other node can lead, this one does
	}
	return journal.Writer{Term: c.Before + 1, Node: c.Node, Address: c.Address, Beat: n.beats.Add(1)}, nil
}

// applyControl has raft carry out an entry that is no batch.
func (n *Node) applyControl(c *control) error {
	answer, err := n.applyEntry(c.entry())
	if refused, ok := answer.(error); ok && err == nil {
		err = refused
	}
	return err
}

// Beat implements [journal.Engine]. No log keeps it. A node that applied the retirement
// of its cluster asks no other one, since that may have stopped by now.
func (n *Node) Beat(ctx context.Context, term uint64) error {
	body, err := json.Marshal(term)
	if err == nil {
		err = n.machine.retirement()
	}
	if err == nil {
		err = n.askLeader(ctx, callBeat, body, nil)
	}
	return err
}

func (n *Node) leaderBeat(_ context.Context, _ string, body []byte) (any, error) {
	var term uint64
	if err := json.Unmarshal(body, &term); err != nil {
		return nil, err
	}
	if err := n.beginTerm(); err != nil {
		return nil, err
	}
	if err := n.machine.retirement(); err != nil {
		return nil, err
	}
	if n.machine.writer().Term != term {
		return nil, journal.ErrClaimed
	}
	n.beats.Add(1)
	return nil, nil
}
