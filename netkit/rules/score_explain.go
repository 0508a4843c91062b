package rules

import (
	"cmp"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/score"
)

// PaymentTo is one payment to an agent as its entry says it.
type PaymentTo struct {
	payer string
	id    uint64
	at    netkit.Millis
	net   netkit.Credits
	Payment
	ClearTime
}

// explainAgent returns the state's explanation of agent i and of its payers.
func (s *State) explainAgent(i uint32, now netkit.Millis, paid []PaymentTo) netkit.AgentExplanation {
	k, rules := s.sketch(i, now), &s.law.Scores
	v := &k.BioVerified
	out := netkit.AgentExplanation{Agent: k.Slug, Tier: v.Tier, Diversity: v.CounterpartyDiversityScore, Conditions: []netkit.Condition{},
		WindowDays: rules.DiversityDays, PayerShare: rules.PayerShare, Counterparties: []netkit.CounterpartyView{}, AsOf: k.AsOf}
	if next := v.Tier + 1; int(next) < len(s.law.Tiers) {
		out.NextTier, out.Conditions = &next, s.law.Tier(next).Conditions(v)
	}
	who := s.payee(i, s.parties.At(i), s.Moment(now))
	x := s.extra(who.party)
	out.CriteriaMet, out.CriteriaUnmet = x.meets, x.unmet
	out.Newcomer, out.Waiting, out.MayWait = who.newcomer, who.waiting, s.law.Market.MaxUncleared(v.Tier)
	all := map[uint32]*netkit.CounterpartyView{}
	s.edges(i, s.Moment(now), func(j uint32, e *score.Edge) {
		s.weigh(j, e, s.Moment(now).Day())
		all[j] = s.explainEdge(e)
	})
	for _, x := range paid {
		j, _, ok := s.party(x.payer)
		if !ok {
			continue
		}
		if all[j] == nil {
			all[j] = new(netkit.CounterpartyView)
		}
		s.discount(all[j], k.Slug, j, &x, s.Moment(now))
	}
	for j, c := range all {
		p := s.parties.At(j)
		c.Party, c.Kind = p.Slug, p.Kind
		out.Counterparties = append(out.Counterparties, *c)
	}
	slices.SortFunc(out.Counterparties, func(a, b netkit.CounterpartyView) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(b.Paid, a.Paid), cmp.Compare(a.Party, b.Party))
	})
	out.Raises = suggestPayers(&out)
	if r, ok := s.flags.Get(i); ok {
		out.Detections = s.agentFlag(i, r).Detections
	}
	return out
}

// explainEdge shows what the score makes of one payer.
func (s *State) explainEdge(e *score.Edge) *netkit.CounterpartyView {
	share := int64(s.law.Scores.PayerShare)
	c := &netkit.CounterpartyView{Counted: netkit.Credits(e.In), SentBack: netkit.Credits(e.Out), Others: netkit.Credits(max(0, e.Others)), Listed: e.Listed, Weight: score.Weight(*e, share)}
	c.Beyond = netkit.Credits(score.Net(*e, 0) - score.Net(*e, share))
	return c
}

// discount adds one payment of party j to an agent to c, and says what of it does not count
// and why.
func (s *State) discount(c *netkit.CounterpartyView, agent string, j uint32, x *PaymentTo, now netkit.Millis) {
	c.Paid += x.net
	backed := min(x.net, x.Used)
	c.Unbacked += x.net - backed
	p := s.parties.At(j)
	if left := backed - x.Counted; p.Kind == netkit.AgentParty && x.at < p.since+netkit.Millis(s.law.Scores.YoungDays)*netkit.FullDay {
		c.Young += left
	} else {
		c.OverCap += left
	}
	if s.undone(x.id) {
		c.Undone += x.Counted
	} else if s.uncleared(&Earned{Id: x.id, Agent: agent, ClearTime: x.ClearTime}, now) {
		c.Uncleared += x.Counted
	}
}

// suggestPayers says what would raise the score, the most useful first.
func suggestPayers(x *netkit.AgentExplanation) []string {
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

// PaymentWindow is the part of a wallet's entries that diversity looks at.
type PaymentWindow struct {
	Last  uint64 // entry of the wallet
	Since netkit.Millis
}

// PaymentWindow returns the window of an agent.
func (s *State) PaymentWindow(slug string, now netkit.Millis) (PaymentWindow, error) {
	i, _, err := s.agent("slug", slug)
	if err != nil {
		return PaymentWindow{}, err
	}
	return PaymentWindow{s.wallets.At(i).Last, netkit.Millis(s.today(now)-netkit.Day(s.law.Scores.DiversityDays)+1) * netkit.FullDay}, nil
}

// ExplainPayers is explainAgent for a slug.
func (s *State) ExplainPayers(slug string, now netkit.Millis, paid []PaymentTo) (netkit.AgentExplanation, error) {
	i, _, err := s.agent("slug", slug)
	if err != nil {
		return netkit.AgentExplanation{}, err
	}
	return s.explainAgent(i, now, paid), nil
}

// PaymentTo returns the payment of an entry that posted net to its receiver, and
// whether the entry is one.
func (e *Entry) PaymentTo(net netkit.Credits) (PaymentTo, bool) {
	switch f := e.Fact.(type) {
	case *Executed:
		return PaymentTo{payer: f.Sponsor, id: e.Seq, at: e.At, net: net, Payment: f.Payment, ClearTime: f.clearTime()}, true
	case *AttentionAnswered:
		return PaymentTo{payer: f.From, id: e.Seq, at: e.At, net: net, Payment: f.Payment}, true
	}
	return PaymentTo{}, false
}
