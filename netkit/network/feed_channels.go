package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// SetChannels subscribes the caller to channels.
//
// Refusals: agents_only, niche_unknown.
func (ses *Session) SetChannels(ctx context.Context, in netkit.SetChannels) (netkit.ChannelsReceipt, error) {
	return run(ctx, ses, &rules.SetChannels{SetChannels: in}, nil)
}
