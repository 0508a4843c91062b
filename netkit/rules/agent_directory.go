package rules

import (
	"github.com/agentnet/netctl/netkit"
)

// Listed reports whether row i is an agent that a query asks for. The tier
// comes last, since it may have to be computed.
func (s *State) Listed(i uint32, q *netkit.DirectoryQuery, now netkit.Millis) bool {
	p := s.Parties.At(i)
	return p.Kind == netkit.AgentParty &&
		(q.Niche == netkit.NoNiche || p.Agent.Niche == q.Niche) &&
		(q.Badge == netkit.NoBadge || p.Badges.Has(q.Badge)) &&
		(q.Tier == nil || s.tier(i, s.Moment(now)) == *q.Tier)
}
