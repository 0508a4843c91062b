package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// explainedPostings is how many postings of a wallet an explanation looks at.
const explainedPostings = 300

// ExplainAgent says how an agent's diversity comes about, payer by payer, and
// what would raise it. It refuses an agent that is not there.
//
// Refusals: agent_unknown.
func (ses *Session) ExplainAgent(ctx context.Context, slug string) (netkit.AgentExplanation, error) {
	now := ses.n.Now()
	type window struct {
		last  uint64 // entry of the wallet
		since netkit.Millis
	}
	w, err := view(ctx, ses.n, func(s *rules.State) (window, error) {
		i, _, err := s.Agent("slug", slug)
		if err != nil {
			return window{}, err
		}
		return window{s.Wallets.At(i).Last, netkit.Millis(s.Today(now)-netkit.Day(s.Law.Scores.DiversityDays)+1) * netkit.FullDay}, nil
	})
	if err != nil {
		return netkit.AgentExplanation{}, err
	}
	paid, complete, err := ses.n.paymentsTo(ctx, slug, w.last, w.since)
	if err != nil {
		return netkit.AgentExplanation{}, err
	}
	return view(ctx, ses.n, func(s *rules.State) (netkit.AgentExplanation, error) {
		i, _, err := s.Agent("slug", slug)
		if err != nil {
			return netkit.AgentExplanation{}, err
		}
		out := s.ExplainAgent(i, now, paid)
		out.Complete = complete
		return out, nil
	})
}

// paymentsTo walks an agent's wallet back, from its latest entry to a moment.
func (n *Network) paymentsTo(ctx context.Context, slug string, seq uint64, since netkit.Millis) (all []rules.PaymentTo, complete bool, err error) {
	for range explainedPostings {
		if seq == 0 {
			return all, true, nil
		}
		e, err := n.Entry(ctx, seq)
		if err != nil {
			return nil, false, err
		}
		p := e.Posting(netkit.Wallet(slug))
		if p == nil || e.At < since {
			return all, true, nil
		}
		switch f := e.Fact.(type) {
		case *rules.Executed:
			all = append(all, rules.PaymentTo{Payer: f.Sponsor, Id: e.Seq, At: e.At, Net: p.Amount, Payment: f.Payment, ClearTime: f.ClearTime()})
		case *rules.AttentionAnswered:
			all = append(all, rules.PaymentTo{Payer: f.From, Id: e.Seq, At: e.At, Net: p.Amount, Payment: f.Payment, ClearTime: rules.ClearTime{}})
		}
		seq = p.Prev
	}
	return all, false, nil
}
