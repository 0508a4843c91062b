package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// InviteToContract invites agents that worked for the sponsor to a contract of its.
//
// Refusals: agent_not_admitted, agent_not_paid, agent_unknown, agents_missing,
// contract_closed, contract_ended, contract_exhausted, contract_unknown,
// foreign_contract.
func (ses *Session) InviteToContract(ctx context.Context, in netkit.InviteToContract) (netkit.InvitationReceipt, error) {
	if err := in.Check(); err != nil {
		return netkit.InvitationReceipt{}, err
	}
	in.Own()
	r, err := run(ctx, ses, &rules.InviteToContract{InviteToContract: in}, nil)
	return r, ses.n.finished(ctx, in.CampaignID, err)
}
