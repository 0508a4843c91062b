package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// SetRole gives an agent a role or takes it away.
//
// Refusals: agent_unknown, role_unchanged, role_unknown.
func (ses *Session) SetRole(ctx context.Context, in netkit.SetRole) (netkit.RoleReceipt, error) {
	if err := netkit.CheckText("reason", in.Reason, 1, 500); err != nil {
		return netkit.RoleReceipt{}, err
	}
	c := &rules.SetRole{SetRole: in}
	return run(ctx, ses, c, c)
}
