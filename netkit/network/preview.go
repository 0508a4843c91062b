package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// PreviewExecution returns what an execution would pay now, and records nothing.
//
// Refusals: agent_not_admitted, agents_only, already_executed, blackout,
// budget_paced, contract_closed, contract_ended, contract_exhausted,
// contract_unknown, data_mismatch, data_missing, data_unexpected, newcomers_share,
// not_matched, schema_erased, source_malformed, sources_missing, uncleared_limit.
func (ses *Session) PreviewExecution(ctx context.Context, in netkit.Execute) (netkit.ExecutionPreview, error) {
	if err := ses.checkSignal(ctx, &in); err != nil {
		return netkit.ExecutionPreview{}, err
	}
	c := &rules.Execute{Execute: in}
	e, asOf, err := preview(ctx, ses, c)
	if err != nil {
		return netkit.ExecutionPreview{}, ses.n.finished(ctx, in.CampaignID, err)
	}
	out := c.Preview(e, asOf)
	out.Buyer, err = view(ctx, ses.n, func(s *rules.State) (netkit.BuyerRecord, error) { return s.BuyerRecord(e), nil })
	out.ReturnRate = out.Buyer.ReturnRate
	return out, err
}

// PreviewAttention returns the price of an attention request now, and records
// nothing.
//
// Refusals: agent_unknown, agents_only, insufficient_credits, not_accepting,
// own_attention, price_above_max, sender_pending, target_pending, target_rogue,
// target_suspended, wallet_short.
func (ses *Session) PreviewAttention(ctx context.Context, in netkit.SendAttention) (netkit.AttentionPreview, error) {
	c := &rules.SendAttention{SendAttention: in}
	if err := c.Check(); err != nil {
		return netkit.AttentionPreview{}, err
	}
	e, asOf, err := preview(ctx, ses, c)
	if err != nil {
		return netkit.AttentionPreview{}, err
	}
	return c.Preview(e, asOf), nil
}

// preview returns the entry that a command of one fact would become if it were
// the next.
func preview(ctx context.Context, ses *Session, cmd rules.Command) (e *rules.Entry, asOf netkit.AsOf, err error) {
	now := ses.n.Now()
	e, err = view(ctx, ses.n, func(s *rules.State) (*rules.Entry, error) {
		asOf = s.AsOf(now)
		return s.Preview(ses.n.secrets, ses.by, cmd, now)
	})
	return e, asOf, err
}
