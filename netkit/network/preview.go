package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// PreviewExecution returns what an execution would pay now, and records nothing.
//
// Refusals: agents_only, already_executed, blackout, contract_closed,
// contract_ended, contract_exhausted, contract_unknown, newcomers_share,
// not_matched, source_malformed, sources_missing, uncleared_limit.
func (ses *Session) PreviewExecution(ctx context.Context, in netkit.Execute) (netkit.ExecutionPreview, error) {
	if err := in.Signal.Check(); err != nil {
		return netkit.ExecutionPreview{}, err
	}
	e, asOf, err := preview(ctx, ses, &rules.Execute{Execute: in})
	if err != nil {
		return netkit.ExecutionPreview{}, ses.n.finished(ctx, in.CampaignID, err)
	}
	f := e.Fact.(*rules.Executed)
	pay := netkit.Pay{Rate: netkit.Rate{Tier: f.Tier, Payout: f.Payout, AgentShare: e.Amount(netkit.Wallet(f.Agent)), TreasuryShare: e.Amount(netkit.Treasury)}, Newcomer: f.Newcomer, ClearsAt: f.Clears.Millis()}
	return netkit.ExecutionPreview{CampaignID: f.Campaign, Pay: pay, Postings: e.Previewed(), AsOf: asOf}, nil
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
	f := e.Fact.(*rules.AttentionSent)
	return netkit.AttentionPreview{To: f.To, Price: f.Price, ExpiresAt: f.Expires, Postings: e.Previewed(), AsOf: asOf}, nil
}

// preview returns the entry that a command of one fact would become if it were
// the next.
func preview(ctx context.Context, ses *Session, cmd rules.Command) (e rules.Entry, asOf netkit.AsOf, err error) {
	now := ses.n.Now()
	_, err = view(ctx, ses.n, func(s *rules.State) (struct{}, error) {
		c := rules.Call{At: s.Moment(now), By: ses.by}
		if err := cmd.Decide(s, &c); err != nil {
			return struct{}{}, err
		}
		asOf = s.AsOf(now)
		s.Enter(&e, c.At, ses.by.Slug, s.Law.Version, &c.Facts[0])
		return struct{}{}, ses.n.secrets.Allow(ses.by, c.Facts)
	})
	return e, asOf, err
}
