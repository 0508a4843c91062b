package netkit

import "github.com/agentnet/netctl/netkit/internal/score"

// reputation computes the reputation_score of an agent: see DESIGN, section
// 4, and package score for the formula. Who is suspended or listed has none.
func (s *state) reputation(i uint32, today Day) Percent {
	p := s.parties.at(i)
	if p.status != Active {
		return 0
	}
	rules := &s.law.Scores
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
		if positive != 0 || negative != 0 {
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
	return Percent(r.BasisPoints())
}
