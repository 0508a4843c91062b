package network

import (
	"context"
	"errors"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/rules"
)

// RecoverAgent gives an agent without a valid token the one whose hash it
// names. The same call again gives the same receipt.
//
// Refusals: agent_has_token, agent_unknown, reason_missing.
func (ses *Session) RecoverAgent(ctx context.Context, in netkit.RecoverAgent) (netkit.RecoveryReceipt, error) {
	if in.TokenSHA256 == (netkit.Hash{}) {
		return netkit.RecoveryReceipt{}, netkit.Invalid("token_sha256", code.HashMissing, "is required", "the agent makes 32 random bytes and sends their SHA-256")
	}
	c := &rules.RecoverAgent{RecoverAgent: in}
	r, err := run(ctx, ses, c, c)
	if errors.Is(err, netkit.ErrConflict) {
		if e, ok := ses.n.recovered(ctx, in); ok {
			return c.Receipt(e), nil
		}
	}
	return r, err
}

// recovered finds the entry of a recovery whose receipt was lost.
func (n *Network) recovered(ctx context.Context, in netkit.RecoverAgent) (*rules.Entry, bool) {
	n.mu.RLock()
	row, known := n.secrets.Tokens.ByHash(in.TokenSHA256)
	n.mu.RUnlock()
	if !known || row.Owner != in.Agent {
		return nil, false
	}
	e, err := n.Entry(ctx, row.ID)
	if err != nil {
		return nil, false
	}
	return e, e.Kind == netkit.KindAgentRecovered
}
