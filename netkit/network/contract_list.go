package network

import (
	"context"
	"errors"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// Market browses the contracts, newest first. It is free; only Matched needs an
// agent that asks. For an agent each contract has PaysYou or Refusal.
//
// Refusals: agents_only, sponsor_unknown.
func (ses *Session) Market(ctx context.Context, q netkit.MarketQuery) (netkit.List[netkit.Campaign], error) {
	out := netkit.List[netkit.Campaign]{Items: []netkit.Campaign{}}
	size, before, err := q.Window()
	if err != nil {
		return out, err
	}
	now := ses.n.Now()
	var who *rules.Payee
	page := listing[rules.Contract, netkit.Campaign]{Shelf: rules.ContractShelf, before: before, size: size, old: q.AnyState || q.State != nil && *q.State >= netkit.ContractEnded,
		match: func(s *rules.State) (func(*rules.Contract) bool, error) {
			out.AsOf, who = s.AsOf(now), s.PayeeOf(ses.by, s.Moment(now))
			return rules.FilterContracts(&q, s, ses.by, who)
		},
		show: func(s *rules.State, ct *rules.Contract) netkit.Campaign { return s.Campaign(ct, who) }}
	out.Items, out.NextCursor, err = page.read(ctx, ses.n)
	for i := range out.Items {
		if err := ses.n.fillCampaign(ctx, &out.Items[i]); err != nil {
			return out, err
		}
	}
	return out, err
}

// Campaign returns one contract. It is free. For an agent it has PaysYou or
// Refusal.
//
// Refusals: contract_unknown.
func (ses *Session) Campaign(ctx context.Context, id uint64) (netkit.Campaign, error) {
	now := ses.n.Now()
	show := func(s *rules.State, ct *rules.Contract) netkit.Campaign {
		return s.Campaign(ct, s.PayeeOf(ses.by, s.Moment(now)))
	}
	c, err := view(ctx, ses.n, func(s *rules.State) (netkit.Campaign, error) {
		ct, err := s.Contract("id", id)
		if err != nil {
			return netkit.Campaign{}, err
		}
		return show(s, ct), nil
	})
	if errors.Is(err, netkit.ErrNotFound) {
		var ct *rules.Contract
		if ct, err = archived(ctx, ses.n, rules.ContractShelf, id, err); err == nil {
			c, err = view(ctx, ses.n, func(s *rules.State) (netkit.Campaign, error) { return show(s, ct), nil })
		}
	}
	if err != nil {
		return c, err
	}
	return c, ses.n.fillCampaign(ctx, &c)
}

// fillCampaign reads a contract's texts; a suppressed payload stays out.
func (n *Network) fillCampaign(ctx context.Context, c *netkit.Campaign) error {
	var t rules.OpenContract
	there, err := n.text(ctx, c.ID, &t)
	if err != nil || !there {
		return err
	}
	c.Title, c.Brief, c.Schema, c.Criteria = t.Title, t.Brief, t.Schema, t.Criteria
	if !c.Suppressed {
		c.Payload = &t.Payload
	}
	return nil
}
