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
	w, err := view(ctx, ses.n, func(s *rules.State) (rules.PaymentWindow, error) { return s.PaymentWindow(slug, now) })
	if err != nil {
		return netkit.AgentExplanation{}, err
	}
	paid, complete, err := ses.n.paymentsTo(ctx, slug, w)
	if err != nil {
		return netkit.AgentExplanation{}, err
	}
	return view(ctx, ses.n, func(s *rules.State) (netkit.AgentExplanation, error) {
		out, err := s.ExplainPayers(slug, now, paid)
		out.Complete = complete
		return out, err
	})
}

// paymentsTo walks an agent's wallet back, from its latest entry to a moment.
func (n *Network) paymentsTo(ctx context.Context, slug string, w rules.PaymentWindow) (all []rules.PaymentTo, complete bool, err error) {
	seq := w.Last
	for range explainedPostings {
		if seq == 0 {
			return all, true, nil
		}
		e, err := n.Entry(ctx, seq)
		if err != nil {
			return nil, false, err
		}
		line, ok := e.Line(netkit.Wallet(slug))
		if !ok || e.At < w.Since {
			return all, true, nil
		}
		if p, ok := e.PaymentTo(line.Amount); ok {
			all = append(all, p)
		}
		seq = line.Prev
	}
	return all, false, nil
}
