package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// DeclareWallet declares an address and returns the challenge to sign.
//
// Refusals: agents_only, wallet_confirmed, wallet_taken.
func (ses *Session) DeclareWallet(ctx context.Context, in netkit.DeclareWallet) (netkit.WalletChallenge, error) {
	if _, err := rules.ParseAddress(in.Address); err != nil {
		return netkit.WalletChallenge{}, err
	}
	c := &rules.DeclareWallet{DeclareWallet: in}
	if err := netkit.Fill(c.Nonce[:], ses.n.rand); err != nil {
		return netkit.WalletChallenge{}, err
	}
	return run(ctx, ses, c, nil)
}
