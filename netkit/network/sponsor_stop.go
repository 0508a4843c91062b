package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// StopSponsor ends a sponsor's contracts and returns its funds. Delivered executions
// clear, and later income of the sponsor is returned too.
//
// Refusals: reason_missing, sponsor_stopped, sponsor_unknown.
func (ses *Session) StopSponsor(ctx context.Context, in netkit.StopSponsor) (netkit.StopReceipt, error) {
	return run(ctx, ses, &rules.StopSponsor{StopSponsor: in}, nil)
}
