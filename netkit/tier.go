package netkit

import "github.com/agentnet/netctl/netkit/internal/score"

// tier returns the highest rung whose needs, and those of every rung below
// it, are met on that day. Rungs are tried lowest first, so that the scores
// are only computed for agents that got as far.
func (s *state) tier(i uint32, today Day) Tier {
	p := s.parties.at(i)
	reached := Unverified
	for t := range s.law.Tiers {
		if !s.meets(i, p, &s.law.Tiers[t], today) {
			break
		}
		reached = Tier(t)
	}
	return reached
}

// meets reports whether an agent meets what one rung asks for.
func (s *state) meets(i uint32, p *party, r *TierRule, today Day) bool {
	return (!r.WalletConfirmed || p.agent.confirmed) &&
		int(p.agent.transactions) >= r.Transactions &&
		p.activeBadges() >= r.ActiveBadges && p.holdsOneOf(r.OneOf) &&
		(r.Diversity == 0 || s.diversity(i, today) >= r.Diversity) &&
		(r.Reputation == 0 || s.reputation(i, today) >= r.Reputation)
}

// diversity computes the counterparty_diversity_score of an agent: see
// DESIGN, section 4, and package score for the formula.
func (s *state) diversity(i uint32, today Day) Ratio {
	rules := &s.law.Scores
	rows := s.parties.at(i).agent.evidence
	var edges tally[score.Edge]
	for k := len(rows) - 1; k >= 0; k-- {
		ev := &rows[k]
		if int(today-ev.day) >= rules.DiversityDays {
			break // rows are sorted by day
		}
		if ev.day <= today && (ev.in != 0 || ev.out != 0) {
			e := edges.of(ev.with)
			e.In += int64(ev.in)
			e.Out += int64(ev.out)
		}
	}
	var d score.Diversity
	edges.each(func(j uint32, e *score.Edge) {
		e.Listed = s.parties.at(j).status == Rogue
		d.Add(*e)
	})
	return Ratio(d.BasisPoints(rules.DiversityShrink))
}
