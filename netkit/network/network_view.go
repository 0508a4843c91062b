package network

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/clerk"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// view answers a question about the state. The answer is given once
// everything that it rests on is durable; if that is lost instead, the
// question is asked again.
func view[R any](ctx context.Context, n *Network, ask func(*rules.State) (R, error)) (R, error) {
	if err := n.refuseStopped(); err != nil {
		var none R
		return none, err
	}
	_, within := n.batchOf(ctx)
	if !within && !n.follows.Load() {
		if err := n.fresh(ctx); err != nil {
			var none R
			return none, notFresh(err)
		}
	}
	for {
		n.mu.RLock()
		r, err := ask(n.state)
		seq, epoch := n.state.Size(), n.durable.Epoch()
		n.mu.RUnlock()
		if within { // its own batch is not durable before it ends
			return r, err
		}
		stands, werr := n.durable.Wait(ctx, seq, epoch)
		if werr != nil {
			var none R
			return none, werr
		}
		if stands {
			return r, err
		}
	}
}

// notFresh says why a question is not answered.
func notFresh(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.JournalUnavailable, What: "the node cannot confirm that its answer would be the latest", Next: "try again in a second, or ask another node", After: time.Second}
}

// submit hands a job to the clerk and waits for its end. A caller that goes
// away withdraws only what the clerk has not taken.
func (n *Network) submit(ctx context.Context, j *job) error {
	if b, ok := n.batchOf(ctx); ok {
		return b.decide(j)
	}
	if err := n.refuseFollowing(); err != nil {
		return err
	}
	enter := n.clerk.Submit
	if j.by.Slug == netkit.NetworkActor {
		enter = n.clerk.SubmitPatiently
	}
	withdraw, err := enter(j)
	if err != nil {
		return refusedJob(err)
	}
	select {
	case err := <-j.done:
		return err
	case <-ctx.Done():
	}
	if withdraw() {
		return fmt.Errorf("netkit: withdrawn before it was taken: %w", ctx.Err())
	}
	return <-j.done
}

// refusedJob says why the clerk took no job.
func refusedJob(err error) *netkit.Refusal {
	if errors.Is(err, clerk.ErrBusy) {
		return &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.Busy, What: "the network has more commands waiting than it takes, and nothing of this was kept", Next: "try again in a second", After: time.Second}
	}
	return &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.Closing, What: "the network is shutting down", Next: "try again with the same idempotency key", After: 5 * time.Second}
}

// Entry reads one durable entry.
func (n *Network) Entry(ctx context.Context, seq uint64) (*rules.Entry, error) {
	e, _, err := n.entry(ctx, seq)
	return e, err
}

// entry reads one durable entry with its private part, nil where it has none.
func (n *Network) entry(ctx context.Context, seq uint64) (*rules.Entry, *rules.Private, error) {
	if b, ok := n.batchOf(ctx); ok {
		if r, ok := b.record(seq); ok {
			return n.decode(r)
		}
	}
	if seq >= n.durable.Size() {
		return nil, nil, rules.NotFound(code.EntryUnknown, "there is no such entry yet", "{getHealth} tells how many there are")
	}
	for r, err := range n.read(ctx, seq, seq+1) {
		if err != nil {
			return nil, nil, netkit.EntryDamaged(err)
		}
		return n.decode(r)
	}
	return nil, nil, netkit.EntryDamaged(fmt.Errorf("%w: entry %d is missing", netkit.ErrCorrupt, seq))
}

// read reads records for an answer, and counts them for whoever asked.
func (n *Network) read(ctx context.Context, from, to uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for r, err := range n.store.Read(ctx, from, to) {
			if err == nil {
				countRead(ctx, &r)
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// decode reads a record that was read from the journal, with its private part,
// nil where it has none. It keeps none of the record's memory.
func (n *Network) decode(r journal.Record) (*rules.Entry, *rules.Private, error) {
	e, err := rules.ReadEntry(r)
	if err != nil {
		return nil, nil, netkit.EntryDamaged(err)
	}
	if r.Private == nil {
		if e.Private != [32]byte{} && !n.erased(e.Seq) && !n.store.ErasedLater(e.Seq) {
			return nil, nil, netkit.EntryDamaged(fmt.Errorf("%w: entry %d: its private part is missing, and no entry erased it", netkit.ErrCorrupt, e.Seq))
		}
		return e, nil, nil
	}
	p, err := readPrivate(bytes.Clone(r.Private))
	if err != nil {
		return nil, nil, netkit.EntryDamaged(fmt.Errorf("%w: entry %d: private part: %w", netkit.ErrCorrupt, e.Seq, err))
	}
	return e, p, nil
}

// erased reports whether the private part of an entry was erased.
func (n *Network) erased(seq uint64) bool {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.state.WasErased(seq)
}

// text reads the content of an entry into t and reports whether it is still
// there.
func (n *Network) text(ctx context.Context, seq uint64, t rules.Content) (bool, error) {
	_, p, err := n.entry(ctx, seq)
	if err != nil || p == nil || len(p.Text) == 0 {
		return false, err
	}
	return true, p.Read(t)
}
