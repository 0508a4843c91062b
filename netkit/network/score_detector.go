package network

import (
	"context"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// machineAccounts is how many agents may act from one address before operators are
// told: a household or a small team.
const machineAccounts = 5

// onOneMachine lists groups of agents that acted from one address, one flag
// for each of the largest groups.
func (n *Network) onOneMachine(today netkit.Day) (flags []netkit.AgentFlag) {
	groups := n.machines.Shared(machineAccounts)
	for _, g := range groups[:min(len(groups), 20)] {
		k := netkit.Check{Name: "accounts_on_one_machine", Have: int64(len(g)), Need: machineAccounts, AtMost: true}
		flags = append(flags, netkit.AgentFlag{Agent: g[0], With: g[1:], Date: today, Detections: []netkit.Condition{k.Condition()}})
	}
	return flags
}

// Flags lists the agents that detectors found, latest first, to anyone with a
// token. A flag changes no score. The first page begins, for operators, with
// agents that share an address.
func (ses *Session) Flags(ctx context.Context, page netkit.Page) (netkit.List[netkit.AgentFlag], error) {
	size, before, err := page.Window()
	if err != nil {
		return netkit.List[netkit.AgentFlag]{}, err
	}
	now := ses.n.Now()
	return view(ctx, ses.n, func(s *rules.State) (netkit.List[netkit.AgentFlag], error) {
		out := netkit.List[netkit.AgentFlag]{Items: []netkit.AgentFlag{}, AsOf: s.AsOf(now)}
		var operator bool
		var err error
		if out.Items, out.NextCursor, operator, err = s.FlagsFor(ses.by, before, size); err != nil {
			return out, err
		}
		if operator && page.Cursor == "" {
			out.Items = slices.Insert(out.Items, 0, ses.n.onOneMachine(now.Day())...) // never nil: a list without items is []
		}
		return out, nil
	})
}
