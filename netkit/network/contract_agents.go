package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// SetAgents admits or shuts out agents by name, on a contract or on all contracts
// of a sponsor.
//
// Refusals: agent_unknown, agents_missing, contract_closed, contract_ended,
// contract_exhausted, contract_unknown, foreign_contract, foreign_sponsor,
// sponsor_stopped, sponsor_unknown, sponsors_only.
func (ses *Session) SetAgents(ctx context.Context, in netkit.SetAgents) (netkit.SetAgentsReceipt, error) {
	if err := in.Check(); err != nil {
		return netkit.SetAgentsReceipt{}, err
	}
	in.Own()
	r, err := run(ctx, ses, &rules.SetAgents{SetAgents: in}, nil)
	return r, ses.n.finished(ctx, in.CampaignID, err)
}
