package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// Manifest reads the feed, newest first. A read that delivers a paid dispatch
// which the agent has not opened costs the feed price and opens the newest that
// match, at most as many as the constitution says; a page ends where more would
// have to be paid. With less in the wallet, or at more than MaxCost, it delivers
// and charges nothing.
//
// Refusals: agents_only, channel_unknown, cost_above_max, insufficient_credits,
// priority_unknown, wallet_short.
func (ses *Session) Manifest(ctx context.Context, in netkit.ReadManifest) (netkit.Manifest, error) {
	if err := in.Check(ses.by); err != nil {
		return netkit.Manifest{}, err
	}
	old := rules.Fetched{}
	sel, err := ses.selected(ctx, &in, old, ^uint64(0))
	if err != nil {
		return netkit.Manifest{}, err
	}
	var charged netkit.Credits
	cost := sel.Cost
	if cost != 0 && !in.Quote {
		if sel, charged, err = ses.open(ctx, in, old); err != nil {
			return netkit.Manifest{}, err
		}
		cost = charged
	}
	out := sel.Manifest
	out.Cost, out.Charged = cost, charged
	if out.Unopened, err = ses.n.datedUnopened(ctx, sel.Unopened); err != nil {
		return netkit.Manifest{}, err
	}
	if !in.Quote {
		out.Items, err = ses.n.dispatchTexts(ctx, sel.Rows)
	}
	return out, err
}

func (ses *Session) selected(ctx context.Context, in *netkit.ReadManifest, old rules.Fetched, through uint64) (sel *rules.Selection, err error) {
	now := ses.n.Now()
	err = old.Until(ses.n.reader(ctx), func() error {
		sel, err = view(ctx, ses.n, func(s *rules.State) (*rules.Selection, error) {
			return rules.ChooseDispatches(in, s, old, ses.by.Slug, through, now)
		})
		return err
	})
	return sel, err
}

// open pays for a read and returns its page, up to the entry that was the latest
// when it was decided. If an earlier request of the same idempotency key paid, it
// is that one's. Where another read opened it all in the meantime it looks again.
func (ses *Session) open(ctx context.Context, in netkit.ReadManifest, old rules.Fetched) (*rules.Selection, netkit.Credits, error) {
	for {
		var paid rules.PaidRead
		err := old.Until(ses.n.reader(ctx), func() (err error) {
			paid, err = run(ctx, ses, &rules.FeedRead{ReadManifest: in, Old: old}, nil)
			return err
		})
		if err != nil {
			return nil, 0, err
		}
		sel, err := ses.selected(ctx, &in, old, paid.Through)
		if err != nil {
			return nil, 0, err
		}
		if paid.Price != 0 {
			sel.Balance = &paid.Left
			sel.Cut()
			return sel, paid.Price, nil
		}
		if sel.Cost == 0 {
			return sel, 0, nil
		}
	}
}

// dispatchTexts reads dispatches from their entries. Those erased since come
// without texts.
func (n *Network) dispatchTexts(ctx context.Context, rows []rules.Dispatch) ([]netkit.Dispatch, error) {
	items := make([]netkit.Dispatch, 0, len(rows))
	for i := range rows {
		d, err := n.readDispatch(ctx, &rows[i])
		if err != nil {
			return nil, err
		}
		items = append(items, d)
	}
	return items, nil
}

func (n *Network) readDispatch(ctx context.Context, row *rules.Dispatch) (netkit.Dispatch, error) {
	e, p, err := n.entry(ctx, row.ID())
	if err != nil {
		return netkit.Dispatch{}, err
	}
	return row.Read(e, p)
}
