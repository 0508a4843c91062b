package netkit

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/agentnet/netctl/netkit/code"
)

// Campaign is a signal contract as anyone may see it. While a crisis runs, the
// payload of a commercial one is left out (L3). An agent that asks also sees
// what an execution would pay it now, or the refusal that it would meet.
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
	PaysYou            *Pay          `json:"pays_you,omitempty" doc:"for an agent that asks: what an execution would pay it now"`
	Refusal            *PayRefusal   `json:"refusal,omitempty" doc:"for an agent that asks: why an execution would be refused now"`
	Untrusted          bool          `json:"untrusted" doc:"always true: the texts were written by a sponsor, not by the network"`
}

// MarketQuery asks for contracts.
type MarketQuery struct {
	Channel Niche          `json:"channel,omitempty"`
	Kind    *ContractKind  `json:"kind,omitempty"`
	State   *ContractState `json:"state,omitempty" doc:"default: open"`
	Sponsor string         `json:"sponsor,omitempty"`
	Matched bool           `json:"matched,omitempty" doc:"only those that pay the calling agent now"`
	Page
}

// Market browses the contracts, newest first. It is free; only Matched needs an
// agent that asks. For an agent each contract has PaysYou or Refusal.
//
// Refusals: agents_only, sponsor_unknown.
func (ses *Session) Market(ctx context.Context, q MarketQuery) (List[Campaign], error) {
	out := List[Campaign]{Items: []Campaign{}}
	size, before, err := q.window()
	if err != nil {
		return out, err
	}
	now := ses.n.Now()
	var who *payee
	page := listing[contract, Campaign]{shelf: contractShelf, before: before, size: size, old: q.State != nil && *q.State >= ContractEnded,
		match: func(s *state) (func(*contract) bool, error) {
			out.AsOf = s.asOf(now)
			who = s.payeeOf(ses.by, s.moment(now))
			return q.filter(s, ses.by, who)
		},
		show: func(s *state, ct *contract) Campaign { return s.campaign(ct, who) }}
	out.Items, out.NextCursor, err = page.read(ctx, ses.n)
	for i := range out.Items {
		if err := ses.n.fillCampaign(ctx, &out.Items[i]); err != nil {
			return out, err
		}
	}
	return out, err
}

// filter says which contracts are asked for.
func (q *MarketQuery) filter(s *state, by Caller, who *payee) (func(*contract) bool, error) {
	state := ContractOpen
	if q.State != nil {
		state = *q.State
	}
	fits := func(*contract) bool { return true }
	if q.Matched {
		if _, _, err := s.reader(by); err != nil {
			return nil, err
		}
		if who == nil {
			return nil, forbidden("", code.AgentsOnly, "only an agent has contracts that match it", "leave matched out, or {asAgent}")
		}
		fits = func(ct *contract) bool { return s.pays(ct, who) }
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

// Campaign returns one contract. It is free. For an agent it has PaysYou or
// Refusal.
//
// Refusals: contract_unknown.
func (ses *Session) Campaign(ctx context.Context, id uint64) (Campaign, error) {
	now := ses.n.Now()
	show := func(s *state, ct *contract) Campaign { return s.campaign(ct, s.payeeOf(ses.by, s.moment(now))) }
	c, err := view(ctx, ses.n, func(s *state) (Campaign, error) {
		ct, err := s.contract("id", id)
		if err != nil {
			return Campaign{}, err
		}
		return show(s, ct), nil
	})
	if errors.Is(err, ErrNotFound) {
		var ct *contract
		if ct, err = archived(ctx, ses.n, contractShelf, id, err); err == nil {
			c, err = view(ctx, ses.n, func(s *state) (Campaign, error) { return show(s, ct), nil })
		}
	}
	if err != nil {
		return c, err
	}
	return c, ses.n.fillCampaign(ctx, &c)
}

// campaign makes the view of a contract without its texts, for an agent or, with
// nil, for every other reader.
func (s *state) campaign(ct *contract, who *payee) Campaign {
	c := Campaign{ID: ct.id, Sponsor: s.parties.At(ct.sponsor).slug, Kind: ct.kind, Channel: ct.channel, Budget: ct.budget, Spent: ct.spent,
		Remaining: ct.left.held, Matching: Matching{slices.Clone(ct.niches), slices.Clone(ct.provider), ct.min, ct.max.shown()},
		ExecutionsPerAgent: ct.limit, ClearingHours: s.clearingHours(ct), EndsAt: ct.ends, State: s.stateOf(ct), Suppressed: s.suppressed(ct), OpenedAt: ct.opened,
		Executions: ct.runs, Untrusted: true}
	if who == nil {
		return c
	}
	if pay, err := s.pay(ct, who); err != nil {
		c.Refusal = payRefusalOf(err)
	} else {
		c.PaysYou = &pay
	}
	return c
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
	Newcomers  uint64  `json:"newcomers" doc:"of them"`
	Payout     Credits `json:"payout" doc:"of an execution"`
	Executions uint64  `json:"executions" doc:"that the contract would pay if only these agents came, newcomers up to their share of the budget"`
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
	var market MarketRules
	rows, err := view(ctx, ses.n, func(s *state) (uint32, error) {
		if _, _, err := s.reader(ses.by); err != nil {
			return 0, err
		}
		if err := cmp.Or(c.checkMatching(), c.checkMoney(s)); err != nil {
			return 0, err
		}
		out, market = s.previewOf(&in), s.law.Market
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
	each := max(uint64(in.ExecutionsPerAgent), 1)
	for k := range out.Tiers {
		t := &out.Tiers[k]
		t.Executions = market.executions(in.Budget, t.Payout, (t.Agents-t.Newcomers)*each, t.Newcomers*each)
	}
	return out, nil
}

// previewOf is a preview without agents.
func (s *state) previewOf(in *PreviewContract) ContractPreview {
	out := ContractPreview{NewcomersBudget: in.Budget}
	if m := &s.law.Market; m.NewcomersShare > 0 {
		out.NewcomersBudget = max(m.newcomersPart(in.Budget), s.law.tier(in.Matching.MinTier).Payout)
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
	who := s.payee(i, p, at)
	if len(ct.mismatch(p, who.rate.Tier)) > 0 {
		return
	}
	tier := &out.Tiers[who.rate.Tier]
	out.Agents += times
	tier.Agents += times
	if who.newcomer {
		out.Newcomers += times
		tier.Newcomers += times
	}
}
