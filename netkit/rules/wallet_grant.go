package rules

import (
	"github.com/agentnet/netctl/netkit"
)

// available is what agent i can spend of its wallet at a moment.
func (s *State) available(i uint32, at netkit.Millis) netkit.Credits {
	return s.wallets.At(i).Held - s.pending(i, at).Pay
}

// grantLeft is what is left of the welcome grant of agent i. Reads of the feed use
// it up first. No constitution changes the grant's size.
func (s *State) grantLeft(i uint32) netkit.Credits {
	return max(0, s.law.Economy.WelcomeGrant-s.extra(s.parties.At(i)).granted)
}

// useGrant records that agent i spent part of its welcome grant.
func (s *State) useGrant(i uint32, amount netkit.Credits) {
	if used := min(amount, s.grantLeft(i)); used > 0 {
		s.changeExtra(i).granted += used
	}
}

// granted returns the credits of agent i that buy only the feed: the rest of its
// welcome grant, under a constitution that binds it.
func (s *State) granted(i uint32) netkit.Credits {
	if !s.law.Economy.GrantForFeed || s.parties.At(i).Kind != netkit.AgentParty {
		return 0
	}
	return s.grantLeft(i)
}

// payable is what agent i can pay to others at a moment.
func (s *State) payable(i uint32, at netkit.Millis) netkit.Credits {
	return max(0, s.available(i, at)-s.granted(i))
}
