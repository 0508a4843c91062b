package netkit

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/score"
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
	ClearingHours      int           `json:"clearing_hours" doc:"until an execution clears; 0 is at once"`
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
//
// Refusals: agents_only, sponsor_unknown.
func (ses *Session) Market(ctx context.Context, q MarketQuery) (List[Campaign], error) {
	out := List[Campaign]{Items: []Campaign{}}
	size, before, err := q.window()
	if err != nil {
		return out, err
	}
	now := ses.n.Now()
	page := listing[contract, Campaign]{shelf: contractShelf, before: before, size: size, old: q.State != nil && *q.State >= ContractEnded,
		match: func(s *state) (func(*contract) bool, error) {
			out.AsOf = s.asOf(now)
			return q.filter(s, ses.by, s.moment(now))
		},
		show: (*state).campaign}
	out.Items, out.NextCursor, err = page.read(ctx, ses.n)
	for i := range out.Items {
		if err := ses.n.fillCampaign(ctx, &out.Items[i]); err != nil {
			return out, err
		}
	}
	return out, err
}

// filter says which contracts are asked for.
func (q *MarketQuery) filter(s *state, by Caller, at Millis) (func(*contract) bool, error) {
	state := ContractOpen
	if q.State != nil {
		state = *q.State
	}
	fits := func(*contract) bool { return true }
	if q.Matched {
		i, p, err := s.reader(by)
		if err != nil {
			return nil, err
		}
		if p.kind != AgentParty {
			return nil, forbidden("", code.AgentsOnly, "only an agent has contracts that match it", "leave matched out, or {asAgent}")
		}
		tier := s.tier(i, at)
		fits = func(ct *contract) bool { return s.fits(ct, i, p, tier) }
	}
	sponsor, any := uint32(0), q.Sponsor == ""
	if !any {
		row, _, err := s.sponsor("sponsor", q.Sponsor)
		if err != nil {
			return nil, err
		}
		sponsor = row
	}
	return func(ct *contract) bool {
		return s.stateOf(ct) == state && (any || ct.sponsor == sponsor) &&
			(q.Channel == NoNiche || ct.channel == q.Channel) && (q.Kind == nil || ct.kind == *q.Kind) && fits(ct)
	}, nil
}

// fits reports whether an agent may execute a contract once no crisis runs.
func (s *state) fits(ct *contract, i uint32, p *party, tier Tier) bool {
	return len(ct.mismatch(p, tier)) == 0 && s.executed.count(ct.id, i) < ct.limit &&
		ct.left.held >= s.law.tier(tier).Payout
}

// Campaign returns one contract. It is free.
//
// Refusals: contract_unknown.
func (ses *Session) Campaign(ctx context.Context, id uint64) (Campaign, error) {
	c, err := view(ctx, ses.n, func(s *state) (Campaign, error) {
		ct, err := s.contract("campaign_id", id)
		if err != nil {
			return Campaign{}, err
		}
		return s.campaign(ct), nil
	})
	if errors.Is(err, ErrNotFound) {
		var ct *contract
		if ct, err = archived(ctx, ses.n, contractShelf, id, err); err == nil {
			c, err = view(ctx, ses.n, func(s *state) (Campaign, error) { return s.campaign(ct), nil })
		}
	}
	if err != nil {
		return c, err
	}
	return c, ses.n.fillCampaign(ctx, &c)
}

// campaign makes the view of a contract without its texts.
func (s *state) campaign(ct *contract) Campaign {
	return Campaign{ID: ct.id, Sponsor: s.parties.At(ct.sponsor).slug, Kind: ct.kind, Channel: ct.channel, Budget: ct.budget, Spent: ct.spent,
		Remaining: ct.left.held, Matching: Matching{slices.Clone(ct.niches), slices.Clone(ct.provider), ct.min, ct.max.shown()},
		ExecutionsPerAgent: ct.limit, ClearingHours: s.clearingHours(ct), EndsAt: ct.ends, State: s.stateOf(ct), Suppressed: s.suppressed(ct), OpenedAt: ct.opened,
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

// PreviewContract asks what a contract would find, before it is opened.
type PreviewContract struct {
	Budget             Credits  `json:"budget"`
	Matching           Matching `json:"matching,omitzero"`
	ExecutionsPerAgent uint32   `json:"executions_per_agent,omitempty" doc:"default: 1"`
}

// ContractPreview says how many agents match and what a budget buys.
type ContractPreview struct {
	Agents    uint64        `json:"agents" doc:"active agents that match"`
	Newcomers uint64        `json:"newcomers" doc:"of them, agents with few cleared transactions"`
	Tiers     []TierPreview `json:"tiers" doc:"lowest first"`
	// NewcomersBudget is the part of the budget that newcomers may be paid.
	NewcomersBudget Credits `json:"newcomers_budget"`
	Estimated       bool    `json:"estimated,omitempty" doc:"true where a part of the agents was looked at and the numbers are scaled up"`
	AsOf            AsOf    `json:"as_of"`
}

// TierPreview is what a budget buys of the agents of one tier.
type TierPreview struct {
	Tier       Tier    `json:"tier"`
	Agents     uint64  `json:"agents" doc:"that match"`
	Payout     Credits `json:"payout" doc:"of an execution"`
	Executions uint64  `json:"executions" doc:"that these agents alone may do, as far as the budget goes"`
}

const (
	// previewAgents is how many agents a preview looks at; of more, every so many.
	previewAgents = 100_000
	// previewStep is how many it looks at before others may go on.
	previewStep = 2048
)

// PreviewContract says how many agents match a contract and what its budget
// buys at their tiers.
//
// Refusals: budget_below_payout, max_tier_below_min, niche_unknown,
// provider_malformed.
func (ses *Session) PreviewContract(ctx context.Context, in PreviewContract) (ContractPreview, error) {
	in.Matching.own()
	c := openContract{OpenContract{Budget: in.Budget, Matching: in.Matching, ExecutionsPerAgent: in.ExecutionsPerAgent}}
	now := ses.n.Now()
	var out ContractPreview
	rows, err := view(ctx, ses.n, func(s *state) (uint32, error) {
		if _, _, err := s.reader(ses.by); err != nil {
			return 0, err
		}
		if err := cmp.Or(c.checkMatching(), c.checkMoney(s)); err != nil {
			return 0, err
		}
		out = s.previewOf(&in)
		out.AsOf = s.asOf(now)
		return s.parties.Len(), nil
	})
	if err != nil {
		return ContractPreview{}, err
	}
	stride := (rows + previewAgents - 1) / previewAgents
	out.Estimated = stride > 1
	ct := contract{niches: in.Matching.Niches, provider: in.Matching.LLMProviders, min: in.Matching.MinTier, max: ceilingOf(in.Matching.MaxTier)}
	for from := uint32(0); from < rows; from += previewStep * stride {
		if _, err := view(ctx, ses.n, func(s *state) (struct{}, error) {
			for i := from; i < min(rows, from+previewStep*stride); i += stride {
				s.previewAgent(&out, &ct, i, s.moment(now), uint64(stride))
			}
			return struct{}{}, nil
		}); err != nil {
			return ContractPreview{}, err
		}
	}
	out.buys(in.Budget, max(uint64(in.ExecutionsPerAgent), 1))
	return out, nil
}

// previewOf is a preview without agents.
func (s *state) previewOf(in *PreviewContract) ContractPreview {
	out := ContractPreview{NewcomersBudget: in.Budget}
	if share := s.law.Market.NewcomersShare; share > 0 {
		part, _ := score.Split(int64(in.Budget), int64(share))
		out.NewcomersBudget = max(Credits(part), s.law.tier(in.Matching.MinTier).Payout)
	}
	for t := range s.law.Tiers {
		out.Tiers = append(out.Tiers, TierPreview{Tier: Tier(t), Payout: s.law.Tiers[t].Payout})
	}
	return out
}

// previewAgent counts an agent, as many times as it stands for.
func (s *state) previewAgent(out *ContractPreview, ct *contract, i uint32, at Millis, times uint64) {
	p := s.parties.At(i)
	if p.kind != AgentParty || p.status != Active {
		return
	}
	tier := s.tier(i, at)
	if len(ct.mismatch(p, tier)) > 0 {
		return
	}
	out.Agents += times
	out.Tiers[tier].Agents += times
	if s.newcomer(i, at) {
		out.Newcomers += times
	}
}

// buys fills in what a budget buys at each tier.
func (p *ContractPreview) buys(budget Credits, each uint64) {
	for k := range p.Tiers {
		t := &p.Tiers[k]
		t.Executions = min(uint64(budget/t.Payout), t.Agents*each)
	}
}
