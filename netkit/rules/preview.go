package rules

import (
	"github.com/agentnet/netctl/netkit"
)

// Previewed returns the postings of an entry that is not in the journal.
func (e *Entry) Previewed() []netkit.PreviewPosting {
	all := make([]netkit.PreviewPosting, 0, len(e.Postings))
	for _, p := range e.Postings {
		account := p.Account.String()
		if p.Account == netkit.Escrow(e.Seq) {
			account = netkit.NewEscrow
		}
		all = append(all, netkit.PreviewPosting{Account: account, Amount: p.Amount, After: p.After})
	}
	return all
}

// Preview returns the entry that a command of one fact would become if it were the
// next.
func (s *State) Preview(x *Secrets, by netkit.Caller, cmd Command, now netkit.Millis) (*Entry, error) {
	c := Call{At: s.Moment(now), By: by}
	if err := cmd.Decide(s, &c); err != nil {
		return nil, err
	}
	e := new(Entry)
	s.Enter(e, c.At, by.Slug, &c.Facts[0])
	return e, x.Allow(by, c.Facts)
}

// Preview returns the answer about an execution that is not made.
func (*Execute) Preview(e *Entry, asOf netkit.AsOf) netkit.ExecutionPreview {
	f := e.Fact.(*Executed)
	pay := netkit.Pay{Rate: netkit.Rate{Tier: f.Tier, Payout: f.Payout, AgentShare: e.Amount(netkit.Wallet(f.Agent)), TreasuryShare: e.Amount(netkit.Treasury)}, Newcomer: f.Newcomer, Exclusive: f.Exclusive, ClearsAt: f.Clears.Millis()}
	return netkit.ExecutionPreview{CampaignID: f.Campaign, Pay: pay, Postings: e.Previewed(), AsOf: asOf}
}

// Preview returns the answer about a request that is not sent.
func (*SendAttention) Preview(e *Entry, asOf netkit.AsOf) netkit.AttentionPreview {
	f := e.Fact.(*AttentionSent)
	return netkit.AttentionPreview{To: f.To, Price: f.Price, ExpiresAt: f.Expires, Postings: e.Previewed(), AsOf: asOf}
}
