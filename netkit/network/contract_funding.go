package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// FundContract tops a contract up.
//
// Refusals: contract_closed, contract_ended, contract_exhausted,
// contract_unknown, foreign_contract, sponsor_funds.
func (ses *Session) FundContract(ctx context.Context, in netkit.FundContract) (netkit.ContractReceipt, error) {
	r, err := run(ctx, ses, &rules.FundContract{FundContract: in}, nil)
	return r, ses.n.finished(ctx, in.CampaignID, err)
}
