package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// Explain tells of each badge which of its conditions an agent meets and by
// how much it misses the others, with windows that end on a date; nil is
// yesterday, the last date that is over. A date to come is refused.
//
// Refusals: agent_unknown, time_future.
func (ses *Session) Explain(ctx context.Context, agent string, date *netkit.Day) (netkit.Explanation, error) {
	now := ses.n.Now()
	return view(ctx, ses.n, func(s *rules.State) (netkit.Explanation, error) { return s.ExplainBadges(agent, date, now) })
}
