package network

import (
	"cmp"
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// OpenContract opens a signal contract from a sponsor's funds.
//
// Refusals: agent_unknown, budget_below_payout, channel_missing, clearing_too_long,
// exclusive_unavailable, foreign_sponsor, kind_unknown, max_tier_below_min, niche_unknown,
// operational_needs_operator, provider_malformed, schema_malformed, sponsor_funds,
// sponsor_stopped, sponsor_unknown, sponsors_only.
func (ses *Session) OpenContract(ctx context.Context, in netkit.OpenContract) (netkit.ContractReceipt, error) {
	if err := in.Matching.NamedAgents.Check(); err != nil {
		return netkit.ContractReceipt{}, err
	}
	in.Matching.Own()
	c := &rules.OpenContract{OpenContract: in}
	if err := cmp.Or(c.CheckTexts(), checkSchema(in.Schema)); err != nil {
		return netkit.ContractReceipt{}, err
	}
	return run(ctx, ses, c, c)
}
