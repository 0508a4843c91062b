package netkit

import (
	"iter"

	"github.com/agentnet/netctl/netkit/internal/score"
)

// tier returns the highest rung whose conditions, and those of every rung
// below it, are met at a moment. Rungs are tried lowest first and conditions in
// order, so that scores are only computed for agents that got as far.
func (s *state) tier(i uint32, at Millis) Tier {
	p := s.parties.At(i)
	has := tierRecord{confirmed: p.agent.confirmed, badges: p.badges, live: s, row: i, at: at}
	reached := Unverified
	for t := range s.law.Tiers {
		for k := range s.law.Tiers[t].conditions(&has) {
			if !k.met() {
				return reached
			}
		}
		reached = Tier(t)
	}
	return reached
}

// tierRecord is what the conditions of tiers look at.
type tierRecord struct {
	confirmed    bool
	transactions uint32 // where live is nil
	badges       badgeSet
	diversity    Ratio   // where live is nil
	reputation   Percent // where live is nil
	// live computes these of agent row when a condition asks for them.
	live *state
	row  uint32
	at   Millis
}

func (h *tierRecord) transactionCount() uint32 {
	if h.live == nil {
		return h.transactions
	}
	return h.live.transactions(h.row, h.at)
}

func (h *tierRecord) diversityScore() Ratio {
	if h.live == nil {
		return h.diversity
	}
	return h.live.diversity(h.row, h.at)
}

func (h *tierRecord) reputationScore() Percent {
	if h.live == nil {
		return h.reputation
	}
	return h.live.reputation(h.row, h.at)
}

// conditions yields what a rung asks for beyond the rung below. Every face
// that shows what a tier needs reads it from here. What is cheap to find out
// comes first.
func (r *TierRule) conditions(has *tierRecord) iter.Seq[check] {
	return func(yield func(check) bool) {
		one := has.badges & setOf(r.OneOf)
		_ = (!r.WalletConfirmed || yield(check{name: "wallet_address", have: oneIf(has.confirmed), need: 1, unit: confirmations})) &&
			(r.Transactions == 0 || yield(check{name: "transactions", have: int64(has.transactionCount()), need: int64(r.Transactions)})) &&
			(r.ActiveBadges == 0 || yield(check{name: "active_badges", have: int64(has.badges.len()), need: int64(r.ActiveBadges)})) &&
			(len(r.OneOf) == 0 || yield(check{name: "badge", have: int64(one), need: 1, unit: badgeSets, of: r.OneOf})) &&
			(r.Diversity == 0 || yield(check{name: diversityCheck, have: int64(has.diversityScore()), need: int64(r.Diversity), unit: shares})) &&
			(r.Reputation == 0 || yield(check{name: "reputation_score", have: int64(has.reputationScore()), need: int64(r.Reputation), unit: points}))
	}
}

// Conditions lists what a tier asks for beyond the tier below, and how an
// agent's profile stands to each. It is empty where a tier asks for nothing.
func (r *TierRule) Conditions(of *BioVerified) []Condition {
	has := tierRecord{confirmed: of.WalletConfirmed, transactions: of.Transactions,
		diversity: of.CounterpartyDiversityScore, reputation: of.ReputationScore}
	for _, b := range of.Badges {
		if b.Active {
			has.badges |= 1 << b.Badge
		}
	}
	all := []Condition{}
	for k := range r.conditions(&has) {
		all = append(all, k.condition())
	}
	return all
}

// diversity computes the counterparty_diversity_score of an agent: see
// Economy in the package documentation, and package score for the formula.
func (s *state) diversity(i uint32, at Millis) Ratio {
	edges := s.edges(i, at)
	d := score.Diversity{PayerShare: int64(s.law.Scores.PayerShare)}
	edges.each(func(_ uint32, e *score.Edge) { d.Add(*e) })
	return Ratio(d.BasisPoints(s.law.Scores.DiversityShrink))
}

// edges sums up what flowed between an agent and each counterparty within the
// look-back of diversity.
func (s *state) edges(i uint32, at Millis) (edges tally[score.Edge]) {
	rules, today, cleared := &s.law.Scores, at.Day(), s.clearedUntil(i, at)
	rows := s.parties.At(i).agent.evidence
	for k := len(rows) - 1; k >= 0; k-- {
		ev := &rows[k]
		if int(today-ev.day) >= rules.DiversityDays {
			break // rows are sorted by day
		}
		if ev.day <= today && ev.cleared(cleared) && (ev.in != 0 || ev.out != 0) {
			e := edges.of(ev.with)
			e.In += int64(ev.in)
			e.Out += int64(ev.out)
		}
	}
	edges.each(func(j uint32, e *score.Edge) {
		e.Listed = s.parties.At(j).status == Rogue
		e.Others = int64(s.paidIn(j, today, rules.DiversityDays)) - e.In
	})
	return edges
}

// reputation computes the reputation_score of an agent: see Economy in the
// package documentation, and package score for the formula. Who is suspended or listed has none.
func (s *state) reputation(i uint32, at Millis) Percent {
	p := s.parties.At(i)
	if p.status != Active {
		return 0
	}
	rules, today := &s.law.Scores, at.Day()
	aged := func(amount int64, d Day) int64 {
		return score.Aged(amount, int64(today-d), int64(rules.FullDays), int64(rules.HalfDays))
	}
	var pairs tally[score.Pair]
	for k := len(p.agent.evidence) - 1; k >= 0; k-- {
		ev := &p.agent.evidence[k]
		if int(today-ev.day) >= rules.HalfDays {
			break // rows are sorted by day
		}
		positive, negative := int64(ev.stands)*rules.Execution+int64(ev.answered)*rules.Answered, int64(ev.expired)*rules.Expired
		if (positive != 0 || negative != 0) && ev.cleared(at) {
			pair := pairs.of(ev.with)
			pair.R += aged(positive, ev.day)
			pair.S += aged(negative, ev.day)
		}
	}
	var r score.Reputation
	pairs.each(func(_ uint32, pair *score.Pair) { r.Add(*pair, rules.PairCap) })
	for _, x := range s.extra(p).incidents {
		r.AddPenalty(aged(x.weight, x.day))
	}
	return Percent(r.BasisPoints(rules.z()))
}
