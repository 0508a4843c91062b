package netkit

import "github.com/agentnet/netctl/netkit/internal/score"

// reputation computes the reputation_score of an agent: see DESIGN, section
// 4, and package score for the formula.
func (s *state) reputation(i uint32, today Day) Percent {
	p := s.parties.at(i)
	if p.status != Active {
		return 0
	}
	rules := &s.law.Scores
	pairs := map[uint32]score.Pair{}
	aged := func(amount int64, d Day) int64 {
		return score.Aged(amount, int64(today-d), int64(rules.FullDays), int64(rules.HalfDays))
	}
	for k := range p.agent.evidence {
		ev := &p.agent.evidence[k]
		pair := pairs[ev.with]
		pair.R += aged(int64(ev.stands)*rules.Execution+int64(ev.answered)*rules.Answered, ev.day)
		pair.S += aged(int64(ev.expired)*rules.Expired, ev.day)
		pairs[ev.with] = pair
	}
	var r score.Reputation
	for _, pair := range pairs {
		r.Add(pair, rules.PairCap)
	}
	return Percent(r.BasisPoints())
}
