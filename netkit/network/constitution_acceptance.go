package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// Constitution returns the constitution in force. The document is the
// very one that the network decides by: read it, and never change it; to adopt
// another, change a copy such as [Version1] returns.
func (ses *Session) Constitution(ctx context.Context) (netkit.ConstitutionView, error) {
	return view(ctx, ses.n, func(s *rules.State) (netkit.ConstitutionView, error) { return s.Constitution(), nil })
}

// AcceptConstitution records that the caller accepts the one in force.
//
// Refusals: agents_only, constitution_other.
func (ses *Session) AcceptConstitution(ctx context.Context, in netkit.AcceptConstitution) (netkit.AcceptReceipt, error) {
	return run(ctx, ses, &rules.AcceptConstitution{AcceptConstitution: in}, nil)
}
