package netkit

import (
	"cmp"
	"context"
	"slices"

	"github.com/agentnet/netctl/netkit/internal/score"
)

// AgentExplanation says how an agent's counterparty_diversity_score comes about
// and what it lacks for the next tier. All of it follows from public entries.
type AgentExplanation struct {
	Agent          string             `json:"agent"`
	Tier           Tier               `json:"tier"`
	NextTier       *Tier              `json:"next_tier,omitempty" doc:"absent at the top"`
	Conditions     []Condition        `json:"conditions" doc:"of the next tier"`
	Diversity      Ratio              `json:"counterparty_diversity_score"`
	WindowDays     int                `json:"window_days" doc:"how far the score looks back"`
	PayerShare     Ratio              `json:"payer_share,omitempty" doc:"of what a payer paid others: it weighs at most that much"`
	Counterparties []CounterpartyView `json:"counterparties" doc:"who paid the agent, the heaviest first"`
	Raises         []string           `json:"raises" doc:"what would raise the score"`
	Complete       bool               `json:"complete" doc:"false if the wallet has more postings in the window than are looked at; the score itself counts all"`
	AsOf           AsOf               `json:"as_of"`
}

// CounterpartyView is one payer of an agent: what it paid within the window, what of
// that does not count and why, and what it weighs. Paid is the sum of all parts
// below and of what counts.
type CounterpartyView struct {
	Party     string    `json:"party"`
	Kind      PartyKind `json:"kind"`
	Paid      Credits   `json:"paid" doc:"to the agent, after the treasury's share"`
	Uncleared Credits   `json:"uncleared,omitempty" doc:"not counted yet: it has not cleared"`
	Unbacked  Credits   `json:"unbacked,omitempty" doc:"not counted: no outside money stood behind it"`
	Young     Credits   `json:"young_payer,omitempty" doc:"not counted: the payer was too young an agent"`
	OverCap   Credits   `json:"over_daily_cap,omitempty" doc:"not counted: more than one payer can add in a day"`
	Undone    Credits   `json:"undone,omitempty" doc:"not counted: overturned by a review, or returned"`
	Counted   Credits   `json:"counted"`
	SentBack  Credits   `json:"sent_back,omitempty" doc:"paid back to it, which is netted"`
	Beyond    Credits   `json:"beyond_payer_share,omitempty" doc:"not weighed: beyond payer_share of what it paid others"`
	Others    Credits   `json:"paid_others" doc:"counted payments of it to others in the window"`
	Listed    bool      `json:"rogue,omitempty" doc:"in the registry of rogue agents, and weighs nothing"`
	Weight    int64     `json:"weight" doc:"whole credits that the score weighs"`
}

// explainedPostings is how many postings of a wallet an explanation looks at.
const explainedPostings = 300

// ExplainAgent says how an agent's diversity comes about, payer by payer, and
// what would raise it. It refuses an agent that is not there.
//
// Refusals: agent_unknown.
func (ses *Session) ExplainAgent(ctx context.Context, slug string) (AgentExplanation, error) {
	now := ses.n.Now()
	type window struct {
		last  uint64 // entry of the wallet
		since Millis
	}
	w, err := view(ctx, ses.n, func(s *state) (window, error) {
		i, _, err := s.agent("slug", slug)
		if err != nil {
			return window{}, err
		}
		return window{s.wallets.At(i).last, Millis(s.today(now)-Day(s.law.Scores.DiversityDays)+1) * day}, nil
	})
	if err != nil {
		return AgentExplanation{}, err
	}
	paid, complete, err := ses.n.paymentsTo(ctx, slug, w.last, w.since)
	if err != nil {
		return AgentExplanation{}, err
	}
	return view(ctx, ses.n, func(s *state) (AgentExplanation, error) {
		i, _, err := s.agent("slug", slug)
		if err != nil {
			return AgentExplanation{}, err
		}
		out := s.explainAgent(i, now, paid)
		out.Complete = complete
		return out, nil
	})
}

// paymentTo is one payment to an agent as its entry says it.
type paymentTo struct {
	payer string
	id    uint64
	at    Millis
	net   Credits
	payment
	clearTime
}

// paymentsTo walks an agent's wallet back, from its latest entry to a moment.
func (n *Network) paymentsTo(ctx context.Context, slug string, seq uint64, since Millis) (all []paymentTo, complete bool, err error) {
	for range explainedPostings {
		if seq == 0 {
			return all, true, nil
		}
		e, err := n.Entry(ctx, seq)
		if err != nil {
			return nil, false, err
		}
		p := e.posting(Wallet(slug))
		if p == nil || e.At < since {
			return all, true, nil
		}
		switch f := e.Fact.(type) {
		case *Executed:
			all = append(all, paymentTo{f.Sponsor, e.Seq, e.At, p.Amount, f.payment, f.clearTime()})
		case *AttentionAnswered:
			all = append(all, paymentTo{f.From, e.Seq, e.At, p.Amount, f.payment, clearTime{}})
		}
		seq = p.Prev
	}
	return all, false, nil
}

// explainAgent fills in what the state knows of agent i and of its payers.
func (s *state) explainAgent(i uint32, now Millis, paid []paymentTo) AgentExplanation {
	k, rules := s.sketch(i, now), &s.law.Scores
	v := &k.BioVerified
	out := AgentExplanation{Agent: k.Slug, Tier: v.Tier, Diversity: v.CounterpartyDiversityScore, Conditions: []Condition{},
		WindowDays: rules.DiversityDays, PayerShare: rules.PayerShare, Counterparties: []CounterpartyView{}, AsOf: k.AsOf}
	if next := v.Tier + 1; int(next) < len(s.law.Tiers) {
		out.NextTier, out.Conditions = &next, s.law.tier(next).Conditions(v)
	}
	all := map[uint32]*CounterpartyView{}
	s.edges(i, s.moment(now), func(j uint32, e *score.Edge) {
		s.weigh(j, e, s.moment(now).Day())
		all[j] = s.explainEdge(e)
	})
	for _, x := range paid {
		j, _, ok := s.party(x.payer)
		if !ok {
			continue
		}
		if all[j] == nil {
			all[j] = new(CounterpartyView)
		}
		s.discount(all[j], k.Slug, j, &x, s.moment(now))
	}
	for j, c := range all {
		p := s.parties.At(j)
		c.Party, c.Kind = p.slug, p.kind
		out.Counterparties = append(out.Counterparties, *c)
	}
	slices.SortFunc(out.Counterparties, func(a, b CounterpartyView) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(b.Paid, a.Paid), cmp.Compare(a.Party, b.Party))
	})
	out.Raises = out.raises()
	return out
}

// explainEdge shows what the score makes of one payer.
func (s *state) explainEdge(e *score.Edge) *CounterpartyView {
	share := int64(s.law.Scores.PayerShare)
	c := &CounterpartyView{Counted: Credits(e.In), SentBack: Credits(e.Out), Others: Credits(max(0, e.Others)), Listed: e.Listed, Weight: score.Weight(*e, share)}
	c.Beyond = Credits(score.Net(*e, 0) - score.Net(*e, share))
	return c
}

// discount adds one payment of party j to an agent to c, and says what of it does not count
// and why.
func (s *state) discount(c *CounterpartyView, agent string, j uint32, x *paymentTo, now Millis) {
	c.Paid += x.net
	backed := min(x.net, x.used)
	c.Unbacked += x.net - backed
	p := s.parties.At(j)
	if left := backed - x.counted; p.kind == AgentParty && x.at < p.since+Millis(s.law.Scores.YoungDays)*day {
		c.Young += left
	} else {
		c.OverCap += left
	}
	if s.undone(x.id) {
		c.Undone += x.counted
	} else if s.uncleared(&earned{id: x.id, agent: agent, clearTime: x.clearTime}, now) {
		c.Uncleared += x.counted
	}
}

// raises says what would raise the score, the most useful first.
func (x *AgentExplanation) raises() []string {
	out := []string{}
	var sum, largest int64
	for k := range x.Counterparties {
		sum += x.Counterparties[k].Weight
		largest = max(largest, x.Counterparties[k].Weight)
	}
	switch {
	case sum == 0:
		out = append(out, "be paid by parties with outside money behind them: sponsors, or agents that earned from them")
	case 2*largest > sum:
		out = append(out, "earn from others than "+x.Counterparties[0].Party+", which is more than half of the weight")
	default:
		out = append(out, "earn from more payers, in like amounts")
	}
	for k := range x.Counterparties {
		c := &x.Counterparties[k]
		if c.Beyond > 0 {
			out = append(out, c.Party+" weighs "+c.Beyond.String()+" less than it paid you: it pays others too little, "+c.Others.String())
		}
		if c.Uncleared > 0 {
			out = append(out, c.Uncleared.String()+" of "+c.Party+" count when they clear")
		}
	}
	return out
}
