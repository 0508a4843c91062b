package network

import (
	"cmp"
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

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
func (ses *Session) PreviewContract(ctx context.Context, in netkit.PreviewContract) (netkit.ContractPreview, error) {
	in.Matching.Own()
	c := rules.OpenContract{OpenContract: netkit.OpenContract{Budget: in.Budget, Matching: in.Matching, ExecutionsPerAgent: in.ExecutionsPerAgent}}
	now := ses.n.Now()
	var out netkit.ContractPreview
	var market netkit.MarketRules
	rows, err := view(ctx, ses.n, func(s *rules.State) (uint32, error) {
		if _, _, err := s.Reader(ses.by); err != nil {
			return 0, err
		}
		if err := cmp.Or(c.CheckMatching(), c.CheckMoney(s)); err != nil {
			return 0, err
		}
		out, market = s.PreviewOf(&in), s.Law.Market
		out.AsOf = s.AsOf(now)
		return s.Parties.Len(), nil
	})
	if err != nil {
		return netkit.ContractPreview{}, err
	}
	stride := (rows + previewAgents - 1) / previewAgents
	out.Estimated = stride > 1
	ct := rules.Contract{Niches: in.Matching.Niches, Provider: in.Matching.LLMProviders, Min: in.Matching.MinTier, Max: rules.CeilingOf(in.Matching.MaxTier)}
	for from := uint32(0); from < rows; from += previewStep * stride {
		if _, err := view(ctx, ses.n, func(s *rules.State) (struct{}, error) {
			for i := from; i < min(rows, from+previewStep*stride); i += stride {
				s.PreviewAgent(&out, &ct, i, s.Moment(now), uint64(stride))
			}
			return struct{}{}, nil
		}); err != nil {
			return netkit.ContractPreview{}, err
		}
	}
	each := max(uint64(in.ExecutionsPerAgent), 1)
	for k := range out.Tiers {
		t := &out.Tiers[k]
		t.Executions = market.Executions(in.Budget, t.Payout, (t.Agents-t.Newcomers)*each, t.Newcomers*each)
	}
	return out, nil
}
