package rules

import (
	"github.com/agentnet/netctl/netkit"
)

// newcomer reports whether an agent has so few cleared transactions that only a
// share of each budget is for the likes of it.
func (s *State) newcomer(i uint32, at netkit.Millis) bool {
	return s.law.Market.NewcomersShare > 0 && s.hasFewTransactions(i, at)
}

// hasFewTransactions reports whether an agent has fewer cleared transactions than
// MarketRules.NewcomersTransactions.
func (s *State) hasFewTransactions(i uint32, at netkit.Millis) bool {
	few := uint32(s.law.Market.NewcomersTransactions)
	return s.parties.At(i).Agent.Transactions < few || s.transactions(i, at) < few
}

// leftForNewcomers reports whether a contract still pays a newcomer. The first
// payout to one may be more than the share.
func (s *State) leftForNewcomers(ct *Contract, payout netkit.Credits) bool {
	return ct.newcomers == 0 || ct.newcomers+payout <= s.law.Market.NewcomersPart(ct.budget)
}

// leftForNewcomer reports whether a contract pays one newcomer a further execution.
// The first payout may be more than its part.
func (s *State) leftForNewcomer(ct *Contract, a *Payee) bool {
	done := netkit.Credits(s.executed.count(ct.Id, a.row))
	return done == 0 || s.law.Market.NewcomersLeast == 0 || (done+1)*a.rate.Payout <= s.law.Market.NewcomerPart(ct.budget)
}

// shareBinds reports whether newcomers have to leave the rest of a contract's
// budget to others.
func (s *State) shareBinds(ct *Contract, at netkit.Millis) bool {
	return !s.law.Market.NewcomersYield || s.hasOthersToPay(ct, at)
}

// maxOthers is how many parties are looked at for one that is no newcomer. Where
// more joined, there are others.
const maxOthers = 10_000

// hasOthersToPay reports whether a contract could pay an agent that is no newcomer,
// matches it, and has not executed it as often as it may.
func (s *State) hasOthersToPay(ct *Contract, at netkit.Millis) bool {
	all := s.parties.Len()
	for i := range min(all, maxOthers) {
		p := s.parties.At(i)
		if p.Kind != netkit.AgentParty || p.Status != netkit.Active || s.hasFewTransactions(i, at) || s.executed.count(ct.Id, i) >= ct.limit ||
			len(ct.mismatch(p, ct.min)) > 0 {
			continue
		}
		tier := s.tier(i, at)
		if len(ct.mismatch(p, tier)) == 0 && s.law.Tier(tier).Payout <= ct.left.Held {
			return true
		}
	}
	return all > maxOthers
}

// ifOthers completes a sentence about the newcomers' share.
func (s *State) ifOthers() string {
	if !s.law.Market.NewcomersYield {
		return ""
	}
	return ", as long as it can pay others"
}
