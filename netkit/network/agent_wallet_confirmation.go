package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// ConfirmWallet confirms a declared address by a signed challenge.
//
// Refusals: agents_only, challenge_expired, challenge_other,
// signature_malformed, signature_wrong, wallet_confirmed, wallet_not_declared,
// wallet_taken.
func (ses *Session) ConfirmWallet(ctx context.Context, in netkit.ConfirmWallet) (netkit.WalletReceipt, error) {
	if err := rules.Signed(in.Address, in.Challenge, in.Signature); err != nil {
		return netkit.WalletReceipt{}, err
	}
	return run(ctx, ses, &rules.ConfirmWallet{ConfirmWallet: in}, nil)
}
