package network

import (
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
// Refusals: agent_unknown, budget_below_payout, max_tier_below_min, niche_unknown,
// provider_malformed.
func (ses *Session) PreviewContract(ctx context.Context, in netkit.PreviewContract) (netkit.ContractPreview, error) {
	if err := in.Matching.NamedAgents.Check(); err != nil {
		return netkit.ContractPreview{}, err
	}
	in.Matching.Own()
	now := ses.n.Now()
	p, err := view(ctx, ses.n, func(s *rules.State) (*rules.MarketPreview, error) {
		return s.PreviewMarket(ses.by, &in, previewAgents, now)
	})
	for more := true; more && err == nil; {
		more, err = view(ctx, ses.n, func(s *rules.State) (bool, error) { return p.Count(s, previewStep, now), nil })
	}
	if err != nil {
		return netkit.ContractPreview{}, err
	}
	return p.Result(), nil
}
