package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// Reinstate returns an agent to good standing.
//
// Refusals: agent_active, agent_unknown, reason_missing.
func (ses *Session) Reinstate(ctx context.Context, in netkit.Reinstate) (netkit.StandingReceipt, error) {
	return run(ctx, ses, &rules.Reinstate{Reinstate: in}, nil)
}

// Rogues lists the registry of rogue agents, latest case first.
func (ses *Session) Rogues(ctx context.Context, page netkit.Page) (netkit.List[netkit.RogueEntry], error) {
	size, before, err := page.Window()
	if err != nil {
		return netkit.List[netkit.RogueEntry]{}, err
	}
	now := ses.n.Now()
	return view(ctx, ses.n, func(s *rules.State) (netkit.List[netkit.RogueEntry], error) {
		out := netkit.List[netkit.RogueEntry]{Items: s.Registry(before), AsOf: s.AsOf(now)}
		if len(out.Items) > size {
			out.Items, out.NextCursor = out.Items[:size], netkit.CursorBelow(out.Items[size-1].Case)
		}
		return out, nil
	})
}
