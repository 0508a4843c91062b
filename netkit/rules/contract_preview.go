package rules

import (
	"cmp"
	"fmt"

	"github.com/agentnet/netctl/netkit"
)

// MarketPreview counts the agents that match a contract, a step at a time.
type MarketPreview struct {
	out        netkit.ContractPreview
	in         *netkit.PreviewContract
	market     netkit.MarketRules
	ct         Contract // what the matching asks for
	next, rows uint32
	stride     uint32 // one row stands for so many
}

// PreviewMarket begins a preview that looks at up to most agents.
func (s *State) PreviewMarket(by netkit.Caller, in *netkit.PreviewContract, most uint32, now netkit.Millis) (*MarketPreview, error) {
	if _, _, err := s.reader(by); err != nil {
		return nil, err
	}
	c := OpenContract{OpenContract: netkit.OpenContract{Budget: in.Budget, Matching: in.Matching, ExecutionsPerAgent: in.ExecutionsPerAgent}}
	if err := cmp.Or(c.checkMatching(), c.checkMoney(s)); err != nil {
		return nil, err
	}
	p := &MarketPreview{in: in, market: s.law.Market, rows: s.parties.Len(), out: netkit.ContractPreview{NewcomersBudget: in.Budget, AsOf: s.AsOf(now)},
		ct: Contract{niches: in.Matching.Niches, provider: in.Matching.LLMProviders, min: in.Matching.MinTier, max: ceilingOf(in.Matching.MaxTier)}}
	p.stride = (p.rows + most - 1) / most
	p.out.Estimated = p.stride > 1
	if m := &s.law.Market; m.NewcomersShare > 0 {
		p.out.NewcomersBudget = max(m.NewcomersPart(in.Budget), s.law.Tier(in.Matching.MinTier).Payout)
	}
	for t := range s.law.Tiers {
		p.out.Tiers = append(p.out.Tiers, netkit.TierPreview{Tier: netkit.Tier(t), Payout: s.law.Tiers[t].Payout})
	}
	return p, nil
}

// Count looks at the next agents, up to most, and reports whether more are left.
func (p *MarketPreview) Count(s *State, most uint32, now netkit.Millis) bool {
	at := s.Moment(now)
	for range most {
		if p.next >= p.rows {
			return false
		}
		p.countAgent(s, p.next, at)
		p.next += p.stride
	}
	return p.next < p.rows
}

// Result returns the preview with the executions that the budget buys.
func (p *MarketPreview) Result() netkit.ContractPreview {
	if p.market.NewcomersYield && p.out.Agents == p.out.Newcomers && p.rows <= maxOthers {
		p.out.NewcomersBudget = p.in.Budget
	}
	if p.out.AboveCeiling > 0 {
		p.out.Advice = fmt.Sprintf("max_tier leaves out %d of %d agents that would match, and every agent that rises above it; without it the contract pays each by its tier", p.out.AboveCeiling, p.out.Agents+p.out.AboveCeiling)
	}
	for k := range p.out.Tiers {
		t := &p.out.Tiers[k]
		t.Executions = p.executions(t)
	}
	return p.out
}

// executions returns how many executions of a tier's agents the contract pays, if
// those who are no newcomers come first.
func (p *MarketPreview) executions(t *netkit.TierPreview) uint64 {
	each := max(uint64(p.in.ExecutionsPerAgent), 1)
	paid := min(uint64(p.in.Budget/t.Payout), (t.Agents-t.Newcomers)*each)
	left := p.in.Budget - netkit.Credits(paid)*t.Payout
	all := min(uint64(left/t.Payout), t.Newcomers*each)
	if p.market.NewcomersShare == 0 {
		return paid + all
	}
	part := min(all, max(1, uint64(p.market.NewcomersPart(p.in.Budget)/t.Payout)))
	if p.market.NewcomersLeast > 0 {
		part = min(part, t.Newcomers*max(1, uint64(p.market.NewcomerPart(p.in.Budget)/t.Payout)))
	}
	if !p.market.NewcomersYield || p.paysOthers(t.Tier, left-netkit.Credits(part)*t.Payout) {
		return paid + part
	}
	return paid + all
}

// paysOthers reports whether what is left of the budget pays an agent of another
// tier that is no newcomer.
func (p *MarketPreview) paysOthers(than netkit.Tier, left netkit.Credits) bool {
	for k := range p.out.Tiers {
		if t := &p.out.Tiers[k]; t.Tier != than && t.Agents > t.Newcomers && t.Payout <= left {
			return true
		}
	}
	return p.rows > maxOthers
}

// countAgent counts an agent, as many times as it stands for.
func (p *MarketPreview) countAgent(s *State, i uint32, at netkit.Millis) {
	agent := s.parties.At(i)
	if agent.Kind != netkit.AgentParty || agent.Status != netkit.Active {
		return
	}
	who := s.payee(i, agent, at)
	times, tier := uint64(p.stride), &p.out.Tiers[who.rate.Tier]
	if missing := p.ct.mismatch(agent, who.rate.Tier); len(missing) > 0 {
		if len(missing) == 1 && missing[0] == maxTier {
			p.out.AboveCeiling += times
		}
		return
	}
	p.out.Agents += times
	tier.Agents += times
	if who.newcomer {
		p.out.Newcomers += times
		tier.Newcomers += times
	}
}
