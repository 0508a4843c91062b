package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/timespan"
)

var _ journal.Engine = (*Node)(nil)

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
	reply := []byte(nil)
	if string(id) == n.member.ID {
		reply = n.answerCall(ctx, n.member.ID, name, body)
	} else {
		var err error
		if reply, err = n.caller.call(ctx, at, name, body); err != nil {
			return err
		}
	}
	return decodeAnswer(reply, result)
}

// Head implements [journal.Engine].
func (n *Node) Head(ctx context.Context) (head journal.Head, err error) {
	var out wireHead
	if err := n.askLeader(ctx, callHead, nil, &out); err != nil {
		return head, err
	}
	return out.head()
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
	return sendHead(head), err
}

// confirmTerm asks the voters for their terms. A majority that is in the term of this
// leader has elected no other one. Raft's own VerifyLeader would count answers that were
// on their way when the call began, as after a pause of this process.
func (n *Node) confirmTerm(ctx context.Context, term uint64) error {
	ctx, cancel := context.WithTimeout(ctx, n.timing.Election)
	defer cancel()
	var voters []raft.Server
	for _, s := range n.servers() {
		if s.Suffrage == raft.Voter {
			voters = append(voters, s)
		}
	}
	same := make(chan bool, len(voters))
	for _, s := range voters {
		go func() { same <- n.termOf(ctx, &s) == term }()
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
	return errors.Is(err, journal.ErrBadBatch) || errors.Is(err, ErrNoLeader) || errors.Is(err, errUnsent)
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
		head, err := n.Head(ctx)
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

// folderBatches yields the batches of the folder, with the roots of its tree.
func (n *Node) folderBatches(ctx context.Context, from uint64) iter.Seq2[journal.EngineBatch, error] {
	return func(yield func(journal.EngineBatch, error) bool) {
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
	_, keys, err := folder.BatchKeys(ctx, first, head.Size)
	if err != nil {
		return err
	}
	for b, err := range folder.SealedBatches(ctx, first, head.Size) {
		if err != nil {
			return err
		}
		if len(keys) == 0 || keys[0].First != b.First {
			return fmt.Errorf("%w: the keys of the batch at entry %d are missing", journal.ErrNotJournal, b.First)
		}
		for _, public := range b.Public {
			tree.Append(journal.Leaf(public), nil)
		}
		if !yield(journal.EngineBatch{SealedBatch: b, Root: tree.Root(), Keys: keys[0].Keys}, nil) {
			return nil
		}
		keys = keys[1:]
	}
	return nil
}

// Wait implements [journal.Engine].
func (n *Node) Wait(ctx context.Context, size uint64) error { return n.machine.wait(ctx, size+1) }

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

// Beat implements [journal.Engine]. No log keeps it.
func (n *Node) Beat(ctx context.Context, term uint64) error {
	body, err := json.Marshal(term)
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
	if n.machine.writer().Term != term {
		return nil, journal.ErrClaimed
	}
	n.beats.Add(1)
	return nil, nil
}
