package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// AnswerAttention answers a request to the caller.
//
// Refusals: agents_only, attention_answered, attention_declined,
// attention_expired, attention_unknown.
func (ses *Session) AnswerAttention(ctx context.Context, in netkit.AnswerAttention) (netkit.AttentionReceipt, error) {
	if err := netkit.CheckText("body", in.Body, 1, 8000); err != nil {
		return netkit.AttentionReceipt{}, err
	}
	c := &rules.AnswerAttention{AnswerAttention: in}
	return run(ctx, ses, c, c)
}
