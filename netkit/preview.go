package netkit

import (
	"context"
)

// A preview decides a command on the state as it is and records nothing. What it
// answers is what the command itself would answer now, be it a refusal.

// NewEscrow is the account of a request that does not exist yet.
const NewEscrow = "escrow:new"

// PreviewPosting is a posting that a command would make.
type PreviewPosting struct {
	Account string  `json:"account" doc:"as in statements; escrow:new is the escrow of a request that does not exist yet"`
	Amount  Credits `json:"amount"`
	After   Credits `json:"after" doc:"held by the account afterwards"`
}

// ExecutionPreview is the pay of an execution with its postings.
type ExecutionPreview struct {
	CampaignID uint64 `json:"campaign_id"`
	Pay
	Postings []PreviewPosting `json:"postings" doc:"sum to 0"`
	AsOf     AsOf             `json:"as_of"`
}

// AttentionPreview is the price of an attention request with its postings.
type AttentionPreview struct {
	To        string           `json:"to"`
	Price     Credits          `json:"price" doc:"held in escrow"`
	ExpiresAt Millis           `json:"expires_at"`
	Postings  []PreviewPosting `json:"postings" doc:"sum to 0; empty where the price is 0"`
	AsOf      AsOf             `json:"as_of"`
}

// PreviewExecution returns what an execution would pay now, and records nothing.
//
// Refusals: agents_only, already_executed, blackout, contract_closed,
// contract_ended, contract_exhausted, contract_unknown, newcomers_share,
// not_matched, source_malformed, sources_missing.
func (ses *Session) PreviewExecution(ctx context.Context, in Execute) (ExecutionPreview, error) {
	if err := in.Signal.check(); err != nil {
		return ExecutionPreview{}, err
	}
	e, asOf, err := preview(ctx, ses, &execute{in})
	if err != nil {
		return ExecutionPreview{}, ses.n.finished(ctx, in.CampaignID, err)
	}
	f := e.Fact.(*Executed)
	pay := Pay{Rate: Rate{f.Tier, f.Payout, e.amount(Wallet(f.Agent)), e.amount(Treasury)}, Newcomer: f.Newcomer, ClearsAt: f.Clears.millis()}
	return ExecutionPreview{f.Campaign, pay, e.previewed(), asOf}, nil
}

// PreviewAttention returns the price of an attention request now, and records
// nothing.
//
// Refusals: agent_unknown, agents_only, insufficient_credits, not_accepting,
// own_attention, price_above_max, sender_pending, target_pending, target_rogue,
// target_suspended, wallet_short.
func (ses *Session) PreviewAttention(ctx context.Context, in SendAttention) (AttentionPreview, error) {
	c := &sendAttention{in}
	if err := c.check(); err != nil {
		return AttentionPreview{}, err
	}
	e, asOf, err := preview(ctx, ses, c)
	if err != nil {
		return AttentionPreview{}, err
	}
	f := e.Fact.(*AttentionSent)
	return AttentionPreview{f.To, f.Price, f.Expires, e.previewed(), asOf}, nil
}

// preview returns the entry that a command of one fact would become if it were
// the next.
func preview(ctx context.Context, ses *Session, cmd command) (e Entry, asOf AsOf, err error) {
	now := ses.n.Now()
	_, err = view(ctx, ses.n, func(s *state) (struct{}, error) {
		c := call{at: s.moment(now), by: ses.by}
		if err := cmd.decide(s, &c); err != nil {
			return struct{}{}, err
		}
		asOf = s.asOf(now)
		s.enter(&e, c.at, ses.by.Slug, s.law.Version, &c.facts[0])
		return struct{}{}, ses.n.secrets.allow(ses.by, c.facts)
	})
	return e, asOf, err
}

// previewed returns the postings of an entry that is not in the journal.
func (e *Entry) previewed() []PreviewPosting {
	all := make([]PreviewPosting, 0, len(e.Postings))
	for _, p := range e.Postings {
		account := p.Account.String()
		if p.Account == Escrow(e.Seq) {
			account = NewEscrow
		}
		all = append(all, PreviewPosting{account, p.Amount, p.After})
	}
	return all
}
