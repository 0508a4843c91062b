package rules

import (
	"github.com/agentnet/netctl/netkit"
)

// PreviewOf is a preview without agents.
func (s *State) PreviewOf(in *netkit.PreviewContract) netkit.ContractPreview {
	out := netkit.ContractPreview{NewcomersBudget: in.Budget}
	if m := &s.Law.Market; m.NewcomersShare > 0 {
		out.NewcomersBudget = max(m.NewcomersPart(in.Budget), s.Law.Tier(in.Matching.MinTier).Payout)
	}
	for t := range s.Law.Tiers {
		out.Tiers = append(out.Tiers, netkit.TierPreview{Tier: netkit.Tier(t), Payout: s.Law.Tiers[t].Payout})
	}
	return out
}

// PreviewAgent counts an agent, as many times as it stands for.
func (s *State) PreviewAgent(out *netkit.ContractPreview, ct *Contract, i uint32, at netkit.Millis, times uint64) {
	p := s.Parties.At(i)
	if p.Kind != netkit.AgentParty || p.Status != netkit.Active {
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
