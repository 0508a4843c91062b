package netkit

import "context"

// Explanation says for each badge which of its conditions an agent meets.
type Explanation struct {
	Agent  string             `json:"agent"`
	Date   Day                `json:"date" doc:"on which the windows end"`
	Badges []BadgeExplanation `json:"badges"`
	AsOf   AsOf               `json:"as_of"`
}

// BadgeExplanation is the judgement of one badge.
type BadgeExplanation struct {
	Badge      Badge       `json:"badge"`
	Held       bool        `json:"held" doc:"active on the agent's wall"`
	Earned     bool        `json:"earned" doc:"all conditions are met"`
	Conditions []Condition `json:"conditions"`
}

// Condition is one thing that a badge asks for.
type Condition struct {
	Name    string `json:"name"`
	Need    string `json:"need"`
	Have    string `json:"have"`
	Missing string `json:"missing,omitempty" doc:"by how much it misses"`
	Met     bool   `json:"met"`
}

// Explain tells of each badge which of its conditions an agent meets and by
// how much it misses the others, with windows that end on date; 0 is today.
func (n *Network) Explain(ctx context.Context, agent string, date Day) (Explanation, error) {
	now := n.Now()
	return view(ctx, n, func(s *state) (Explanation, error) {
		i, p, err := s.agent("agent", agent)
		if err != nil {
			return Explanation{}, err
		}
		if date == 0 {
			date = s.today(now)
		}
		out := Explanation{Agent: agent, Date: date, Badges: []BadgeExplanation{}, AsOf: s.asOf(now)}
		for k := range s.law.Badges {
			r := &s.law.Badges[k]
			b := BadgeExplanation{Badge: r.Name, Held: p.holdsOneOf([]Badge{r.Name}), Earned: true}
			for c := range s.checks(i, r, date) {
				b.Earned = b.Earned && c.met()
				b.Conditions = append(b.Conditions, c.condition())
			}
			out.Badges = append(out.Badges, b)
		}
		return out, nil
	})
}

// condition shows a check to people.
func (k *check) condition() Condition {
	c := Condition{Name: k.name, Need: "at least " + k.unit.show(k.need), Have: k.unit.show(k.have), Met: k.met()}
	if k.atMost {
		c.Need = "at most " + k.unit.show(k.need)
	}
	if !c.Met {
		c.Missing = k.unit.show(max(k.need-k.have, k.have-k.need))
	}
	return c
}
