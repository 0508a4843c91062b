package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// RenewCrisis has a crisis go on for another term. The agent that was drawn for
// it may, or an operator where too few agents qualify.
//
// Refusals: crisis_not_renewable, crisis_other_drawn, crisis_undrawn,
// dispatch_unknown, reason_missing.
func (ses *Session) RenewCrisis(ctx context.Context, in netkit.RenewCrisis) (netkit.CrisisReceipt, error) {
	r, err := run(ctx, ses, &rules.RenewCrisis{RenewCrisis: in}, nil)
	ses.n.followUp(ctx, err)
	return r, err
}
