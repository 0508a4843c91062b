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
	hash := netkit.Hash(in.Document.SHA256())
	r, err := run(ctx, ses, c, nil, func(e *rules.Entry) netkit.AcceptReceipt {
		out := netkit.AcceptReceipt{Version: in.Document.Version, SHA256: hash, Seq: e.Seq, At: e.At}
		if f, ok := e.Fact.(*rules.ConstitutionAnnounced); ok {
			out.EffectiveAt = f.Effective
		}
		return out
	})
	ses.n.followUp(ctx, err)
	return r, err
}
