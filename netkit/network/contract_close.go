package network

import (
	"context"
	"errors"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/rules"
)

// CloseContract ends a contract early.
//
// Refusals: contract_closed, contract_ended, contract_exhausted,
// contract_unknown, foreign_contract.
func (ses *Session) CloseContract(ctx context.Context, in netkit.CloseContract) (netkit.ContractReceipt, error) {
	r, err := run(ctx, ses, &rules.CloseContract{CloseContract: in}, nil)
	return r, ses.n.finished(ctx, in.CampaignID, err)
}

// finished makes of the refusal of an unknown contract one that says how it
// ended, if it did so long ago that the journal alone knows of it.
func (n *Network) finished(ctx context.Context, id uint64, err error) error {
	var r *netkit.Refusal
	if !errors.As(err, &r) || r.Code != code.ContractUnknown {
		return err
	}
	ct, missing := archived(ctx, n, rules.ContractShelf, id, err)
	if missing != nil {
		return missing
	}
	return rules.ContractOver(ct.State)
}
