package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/rules"
)

// signalText is a signal as the private part of its entry.
type signalText netkit.Signal

func (g *signalText) Fields(c *wire.Codec) {
	wire.Str(c, "headline", &g.Headline)
	wire.Str(c, "body", &g.Body)
	wire.Strs(c, "sources", &g.Sources)
	wire.Str(c, "data", &g.Data)
}

// Execute executes a matched signal contract at the agent's tier rate.
//
// Refusals: agent_not_admitted, agents_only, already_executed, blackout,
// budget_paced, contract_closed, contract_ended, contract_exhausted,
// contract_unknown, data_mismatch, data_missing, data_unexpected, newcomers_share,
// not_matched, schema_erased, source_malformed, sources_missing, uncleared_limit.
func (ses *Session) Execute(ctx context.Context, in netkit.Execute) (netkit.Execution, error) {
	if err := ses.checkSignal(ctx, &in); err != nil {
		return netkit.Execution{}, err
	}
	r, err := run(ctx, ses, &rules.Execute{Execute: in}, (*signalText)(&in.Signal))
	return r, ses.n.finished(ctx, in.CampaignID, err)
}
