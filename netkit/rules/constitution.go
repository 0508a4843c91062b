package rules

import (
	"cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/score"
)

// wilsonZ is the width of the interval behind reputation and badges.
func wilsonZ(r *netkit.ScoreRules) int64 { return int64(cmp.Or(r.WilsonZ, 2*score.One)) }

// Constitution returns the document in force, for reading only, and the announced
// one.
func (s *State) Constitution() netkit.ConstitutionView {
	return netkit.ConstitutionView{Constitution: s.law, SHA256: s.law.SHA256(), Announced: s.announced()}
}
