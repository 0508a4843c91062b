package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// SetPace replaces a contract's budgets of a day and an hour.
//
// Refusals: budget_below_payout, contract_closed, contract_ended,
// contract_exhausted, contract_unknown, foreign_contract.
func (ses *Session) SetPace(ctx context.Context, in netkit.SetPace) (netkit.PaceReceipt, error) {
	r, err := run(ctx, ses, &rules.SetPace{SetPace: in}, nil)
	return r, ses.n.finished(ctx, in.CampaignID, err)
}
