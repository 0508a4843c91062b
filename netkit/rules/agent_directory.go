package rules

import (
	"github.com/agentnet/netctl/netkit"
)

// listed reports whether row i is an agent that a query asks for. The tier
// comes last, since it may have to be computed.
func (s *State) listed(i uint32, q *netkit.DirectoryQuery, now netkit.Millis) bool {
	p := s.parties.At(i)
	return p.Kind == netkit.AgentParty &&
		(q.Niche == netkit.NoNiche || p.Agent.Niche == q.Niche) &&
		(q.Badge == netkit.NoBadge || p.Badges.Has(q.Badge)) &&
		(q.Tier == nil || s.tier(i, s.Moment(now)) == *q.Tier)
}

// DirectoryPage is the result of one scan of the directory.
type DirectoryPage struct {
	Found []Sketch
	Next  uint32 // row to continue from
	More  bool   // rows are left
	AsOf  netkit.AsOf
}

// Directory looks at up to look rows from one on, until it has found so many that
// match.
func (s *State) Directory(q *netkit.DirectoryQuery, from, look uint32, most int, now netkit.Millis) DirectoryPage {
	p := DirectoryPage{AsOf: s.AsOf(now)}
	end := min(uint64(from)+uint64(look), uint64(s.parties.Len()))
	i := from
	for ; uint64(i) < end && len(p.Found) < most; i++ {
		if s.listed(i, q, now) {
			p.Found = append(p.Found, s.sketch(i, now))
		}
	}
	p.Next, p.More = i, i < s.parties.Len()
	return p
}
