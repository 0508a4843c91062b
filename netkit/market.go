package netkit

import (
	"context"
	"slices"
)

// Campaign is a signal contract as anyone may see it. While a crisis runs, the
// payload of a commercial one is left out (L3).
type Campaign struct {
	ID                 uint64        `json:"id"`
	Sponsor            string        `json:"sponsor"`
	Title              string        `json:"title"`
	Brief              string        `json:"brief"`
	Kind               ContractKind  `json:"kind"`
	Channel            Niche         `json:"channel"`
	Payload            *string       `json:"payload,omitempty" doc:"absent while it is suppressed"`
	Budget             Credits       `json:"budget"`
	Spent              Credits       `json:"spent"`
	Remaining          Credits       `json:"remaining"`
	Matching           Matching      `json:"matching"`
	ExecutionsPerAgent uint32        `json:"executions_per_agent"`
	EndsAt             Millis        `json:"ends_at,omitempty" doc:"absent if it has no end"`
	State              ContractState `json:"state"`
	Suppressed         bool          `json:"suppressed" doc:"true while a Priority 0 crisis suppresses a commercial contract"`
	OpenedAt           Millis        `json:"opened_at"`
	Executions         uint64        `json:"executions" doc:"so far"`
	Untrusted          bool          `json:"untrusted" doc:"always true: the texts were written by a sponsor, not by the network"`
}

// MarketQuery asks for contracts.
type MarketQuery struct {
	Channel Niche          `json:"channel,omitempty"`
	Kind    *ContractKind  `json:"kind,omitempty"`
	State   *ContractState `json:"state,omitempty" doc:"default: open"`
	Sponsor string         `json:"sponsor,omitempty"`
	Matched bool           `json:"matched,omitempty" doc:"only those that the calling agent fits and has not used up"`
	Page
}

// Market browses the contracts, newest first. It is free; only Matched needs
// to know who asks.
func (n *Network) Market(ctx context.Context, by Caller, q MarketQuery) (List[Campaign], error) {
	out := List[Campaign]{Items: []Campaign{}}
	size, before, err := q.window()
	if err != nil {
		return out, err
	}
	now := n.Now()
	out.Items, err = view(ctx, n, func(s *state) ([]Campaign, error) {
		match, err := q.filter(s, by, s.today(now))
		if err != nil {
			return nil, err
		}
		var rows []uint32
		rows, out.NextCursor = pick(&s.contracts, func(ct *contract) uint64 { return ct.id }, before, size, match)
		out.AsOf = s.asOf(now)
		items := make([]Campaign, 0, len(rows))
		for _, row := range rows {
			items = append(items, s.campaign(row))
		}
		return items, nil
	})
	for i := range out.Items {
		if err := n.fillCampaign(ctx, &out.Items[i]); err != nil {
			return out, err
		}
	}
	return out, err
}

// filter says which contracts are asked for.
func (q *MarketQuery) filter(s *state, by Caller, today Day) (func(uint32, *contract) bool, error) {
	state := ContractOpen
	if q.State != nil {
		state = *q.State
	}
	fits := func(uint32, *contract) bool { return true }
	if q.Matched {
		i, p, err := s.reader(by)
		if err != nil {
			return nil, err
		}
		if p.kind != AgentParty {
			return nil, forbidden("", "agents_only", "only an agent has contracts that match it", "leave matched out, or {asAgent}")
		}
		tier := s.tier(i, today)
		fits = func(row uint32, ct *contract) bool { return s.fits(row, ct, i, p, tier) }
	}
	sponsor, any := uint32(0), q.Sponsor == ""
	if !any {
		row, _, err := s.sponsor("sponsor", q.Sponsor)
		if err != nil {
			return nil, err
		}
		sponsor = row
	}
	return func(row uint32, ct *contract) bool {
		return ct.state == state && (any || ct.sponsor == sponsor) &&
			(q.Channel == NoNiche || ct.channel == q.Channel) && (q.Kind == nil || ct.kind == *q.Kind) && fits(row, ct)
	}, nil
}

// fits reports whether an agent may execute a contract once no crisis runs.
func (s *state) fits(row uint32, ct *contract, i uint32, p *party, tier Tier) bool {
	return len(ct.mismatch(p, tier)) == 0 && s.executed.count(row, i) < ct.limit &&
		s.budgets.at(row).held >= s.law.tier(tier).Payout
}

// Campaign returns one contract. It is free.
func (n *Network) Campaign(ctx context.Context, id uint64) (Campaign, error) {
	c, err := view(ctx, n, func(s *state) (Campaign, error) {
		row, _, err := s.contract("campaign_id", id)
		if err != nil {
			return Campaign{}, err
		}
		return s.campaign(row), nil
	})
	if err != nil {
		return c, err
	}
	return c, n.fillCampaign(ctx, &c)
}

// campaign makes the view of a contract without its texts.
func (s *state) campaign(row uint32) Campaign {
	ct := s.contracts.at(row)
	return Campaign{ID: ct.id, Sponsor: s.parties.at(ct.sponsor).slug, Kind: ct.kind, Channel: ct.channel, Budget: ct.budget, Spent: ct.spent,
		Remaining: s.budgets.at(row).held, Matching: Matching{slices.Clone(ct.niches), slices.Clone(ct.provider), ct.min},
		ExecutionsPerAgent: ct.limit, EndsAt: ct.ends, State: ct.state, Suppressed: s.suppressed(ct), OpenedAt: ct.opened,
		Executions: ct.runs, Untrusted: true}
}

// suppressed reports whether L3 keeps a contract's payload back. No flag,
// role or setting does either way.
func (s *state) suppressed(ct *contract) bool { return ct.kind == Commercial && s.blackout() }

// fillCampaign reads a contract's texts; a suppressed payload stays out.
func (n *Network) fillCampaign(ctx context.Context, c *Campaign) error {
	var t openContract
	there, err := n.text(ctx, c.ID, &t)
	if err != nil || !there {
		return err
	}
	c.Title, c.Brief = t.Title, t.Brief
	if !c.Suppressed {
		c.Payload = &t.Payload
	}
	return nil
}
