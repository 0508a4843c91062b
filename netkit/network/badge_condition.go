package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/rules"
)

// Explain tells of each badge which of its conditions an agent meets and by
// how much it misses the others, with windows that end on a date; nil is
// yesterday, the last date that is over. A date to come is refused.
//
// Refusals: agent_unknown, time_future.
func (ses *Session) Explain(ctx context.Context, agent string, date *netkit.Day) (netkit.Explanation, error) {
	now := ses.n.Now()
	return view(ctx, ses.n, func(s *rules.State) (netkit.Explanation, error) {
		i, p, err := s.Agent("agent", agent)
		if err != nil {
			return netkit.Explanation{}, err
		}
		on := s.Today(now) - 1
		if date != nil {
			if on = *date; on > s.Today(now) {
				return netkit.Explanation{}, netkit.Invalid("query.date", code.TimeFuture, "is yet to come", "name a date up to today")
			}
		}
		at := min(s.Moment(now), rules.LastMoment(on))
		out := netkit.Explanation{Agent: agent, Date: on, Badges: []netkit.BadgeExplanation{}, AsOf: s.AsOf(now)}
		for k := range s.Law.Badges {
			r := &s.Law.Badges[k]
			b := netkit.BadgeExplanation{Badge: r.Name, Held: p.Badges.Has(r.Name), Earned: true}
			for c := range s.Checks(i, r, at) {
				b.Earned = b.Earned && c.Met()
				b.Conditions = append(b.Conditions, c.Condition())
			}
			out.Badges = append(out.Badges, b)
		}
		return out, nil
	})
}
