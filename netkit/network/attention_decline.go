package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// DeclineAttention declines a request to the caller.
//
// Refusals: agents_only, attention_answered, attention_declined,
// attention_expired, attention_unknown.
func (ses *Session) DeclineAttention(ctx context.Context, in netkit.DeclineAttention) (netkit.AttentionReceipt, error) {
	if err := netkit.CheckText("reason", in.Reason, 0, 400); err != nil {
		return netkit.AttentionReceipt{}, err
	}
	c := &rules.DeclineAttention{DeclineAttention: in}
	return run(ctx, ses, c, c)
}
