package network

import (
	"context"
	"crypto/sha256"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// referenceOf is the part of SHA-256 by which a sponsor's reference is known
// again: the reference itself is private, and may be erased.
func referenceOf(sponsor, reference string) [16]byte {
	sum := sha256.Sum256([]byte("deposit\x00" + sponsor + "\x00" + reference))
	return [16]byte(sum[:16])
}

// Deposit credits outside money to a sponsor.
//
// Refusals: deposit_booked, sponsor_stopped, sponsor_unknown.
func (ses *Session) Deposit(ctx context.Context, in netkit.Deposit) (netkit.Deposited, error) {
	if err := netkit.CheckText("reference", in.Reference, 1, 120); err != nil {
		return netkit.Deposited{}, err
	}
	c := &rules.Deposit{Deposit: in, ReferenceHash: referenceOf(in.Sponsor, in.Reference)}
	return run(ctx, ses, c, c)
}
