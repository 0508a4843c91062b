package network

import (
	"context"
	"iter"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// Size returns the number of durable entries.
func (n *Network) Size() uint64 { return n.durable.Size() }

// Events tells what happens after an entry, and blocks for more until the
// context ends. Whoever wants only what is new begins after the greatest
// number there is; new is what comes after this call, though the events are
// asked for later. Nothing in it was paid for: P0 dispatches come whole, P1
// and P2 as notices, contracts without their texts. What concerns one party
// alone reaches that party alone, as events of type "notice".
//
// Each call reads and decodes the journal for itself; [Network.Stretch] serves
// many readers from one reading.
func (ses *Session) Events(ctx context.Context, after uint64, filter netkit.EventFilter) iter.Seq2[netkit.Event, error] {
	from := ses.n.Size() // now, not when the reader comes to it: a call that follows this one is new
	if after < from {
		from = after + 1
	}
	return func(yield func(netkit.Event, error) bool) {
		sub, err := ses.Subscribe(filter)
		if err != nil {
			yield(netkit.Event{}, err)
			return
		}
		for next := from; ; {
			to, err := ses.n.WaitDurable(ctx, next+1)
			if err != nil {
				return
			}
			ses.n.Resubscribe(&sub)
			for e, err := range ses.n.EventsBetween(ctx, &sub, next, to) {
				if ctx.Err() != nil || !yield(e, err) || err != nil {
					return
				}
			}
			next = to
		}
	}
}

// EventsBetween yields what the durable entries [from, to) tell one reader. An
// error ends the sequence.
func (n *Network) EventsBetween(ctx context.Context, sub *rules.Subscription, from, to uint64) iter.Seq2[netkit.Event, error] {
	r := entryRun{n: n, only: sub, from: from, to: min(to, n.Size()), notices: n.ownNotices(sub.Reader, from)}
	return func(yield func(netkit.Event, error) bool) {
		for e, err := range r.events(ctx) {
			if (err != nil || sub.Wants(&e.Audience)) && !yield(e.Event, err) {
				return
			}
		}
	}
}

// ownNotices returns what the state keeps of a reader's notices from an entry
// on. The state may be ahead of the journal and know notices of entries that
// will be lost; they lie beyond what is durable, and so are never told.
func (n *Network) ownNotices(reader string, from uint64) []rules.Addressed {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.state.NoticesFrom(reader, from)
}
