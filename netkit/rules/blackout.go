package rules

import (
	"github.com/agentnet/netctl/netkit"
)

// suppressed reports whether L3 keeps a contract's payload back. No flag,
// role or setting does either way.
func (s *State) suppressed(ct *Contract) bool { return ct.kind == netkit.Commercial && s.Blackout() }

// Blackout reports whether a Priority 0 crisis runs (L3).
func (s *State) Blackout() bool { return s.root.crises > 0 }
