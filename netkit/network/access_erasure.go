package network

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// ErasePrivate erases the private part of an entry for ever. Only an operator
// may. Every later copy of the journal lacks it. A backup that was made before
// loses it when it is deleted, and copies made by readers are out of reach.
//
// Refusals: dispatch_unknown, entry_unknown, erasure_stays, nothing_private,
// recording_kept, snapshot_kept, token_in_use, verdict_sealed.
func (ses *Session) ErasePrivate(ctx context.Context, in netkit.ErasePrivate) (netkit.ErasureReceipt, error) {
	e, p, err := ses.n.entry(ctx, in.Entry)
	if err != nil {
		return netkit.ErasureReceipt{}, err
	}
	cmd := &rules.ErasePrivate{ErasePrivate: in}
	cmd.Settle(e)
	if p != nil {
		ses.n.mu.RLock()
		cmd.Moved = ses.n.secrets.Moving(e, p)
		ses.n.mu.RUnlock()
	}
	r, err := run(ctx, ses, cmd, cmd)
	ses.n.events.drop(in.Entry)
	if _, ok := e.Fact.(rules.SecretFact); ok && err == nil {
		err = ses.n.forgetSnapshot(ctx)
	}
	return r, err
}

// forgetSnapshot removes the snapshot, which may hold what was erased. The next
// one is made of entries that no longer have it.
func (n *Network) forgetSnapshot(ctx context.Context) error {
	if err := n.setSnapshotAside(ctx); err != nil {
		return fmt.Errorf("%w: %w", &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.SnapshotKept, What: "the private part is erased in the journal; the snapshot that may hold it could not be removed", Next: "repeat the request"}, err)
	}
	return nil
}

// A private part may be missing only where an erasure says so. Without that
// rule a text that somebody cleared in the file would take tokens and
// idempotency keys with it, and a retry would pay twice.

// checkHeld returns a violation for the first entry whose private part the store
// cannot open and that no erasure names. A start from a snapshot reads none of
// those before it.
func (n *Network) checkHeld(ctx context.Context) error {
	seq, found, err := n.store.FirstUnheld(ctx, n.state.WasErased)
	if err != nil || !found {
		return err
	}
	return notHeld(seq)
}

func notHeld(seq uint64) error {
	return (&rules.Entry{Seq: seq}).Violation(rules.RulePrivate, "it is not held here, and no erasure names this entry; restore a backup with the keys of the journal")
}

// unexplained returns a violation for the first entry of missing that no erasure
// names. The entries below from were searched by the caller. A network that runs
// may have erased a part before the caller read it, so the entries from there on
// are searched as well.
func unexplained[V any](ctx context.Context, store journal.Store, missing map[uint64]V, from uint64) error {
	if len(missing) == 0 {
		return nil
	}
	left := maps.Clone(missing)
	if l, ok := store.(journal.LaterErasures); ok {
		maps.DeleteFunc(left, func(seq uint64, _ V) bool { return l.ErasedLater(seq) })
	}
	for r, err := range store.Read(ctx, from, math.MaxUint64) {
		if err != nil {
			return err
		}
		e, err := rules.ReadEntry(r)
		if err != nil {
			return err
		}
		if erased, ok := rules.ErasedBy(e.Fact); ok {
			delete(left, erased)
		}
	}
	if len(left) == 0 {
		return nil
	}
	return notHeld(slices.Min(slices.Collect(maps.Keys(left))))
}
