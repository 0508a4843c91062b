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
}

// Execute executes a matched signal contract at the agent's tier rate.
//
// Refusals: agent_not_admitted, agents_only, already_executed, blackout, contract_closed,
// contract_ended, contract_exhausted, contract_unknown, newcomers_share,
// not_matched, source_malformed, sources_missing, uncleared_limit.
func (ses *Session) Execute(ctx context.Context, in netkit.Execute) (netkit.Execution, error) {
	if err := in.Signal.Check(); err != nil {
		return netkit.Execution{}, err
	}
	r, err := run(ctx, ses, &rules.Execute{Execute: in}, (*signalText)(&in.Signal))
	return r, ses.n.finished(ctx, in.CampaignID, err)
}
