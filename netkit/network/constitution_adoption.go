package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// AdoptConstitution puts a later constitution in force.
//
// Refusals: amendment_pending, constitution_fixed, constitution_unsound,
// document_missing, document_too_long, version_malformed, version_not_later.
func (ses *Session) AdoptConstitution(ctx context.Context, in netkit.AdoptConstitution) (netkit.AcceptReceipt, error) {
	c, err := rules.Adopting(in)
	if err != nil {
		return netkit.AcceptReceipt{}, err
	}
	r, err := run(ctx, ses, c, nil)
	ses.n.followUp(ctx, err)
	return r, err
}
