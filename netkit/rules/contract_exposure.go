package rules

import (
	"math"

	"github.com/agentnet/netctl/netkit"
)

// Sponsors read a signal after it was delivered. Until then they are exposed
// to its agent, so that the pay of an agent that may wait to clear is limited below
// the tier BADGED. Pay that a report or a crisis holds beyond its clearing time
// counts until then only: neither is the agent's doing.

// waitingPay sums up the pay of agent i whose clearing time is yet to come, by its
// entry.
func (s *State) waitingPay(i uint32, at netkit.Millis) (sum netkit.Credits) {
	rows := s.parties.At(i).Agent.Evidence
	since := s.oldestPending(s.instant(at)).Day()
	for k := len(rows) - 1; k >= 0 && rows[k].Day >= since; k-- {
		if rows[k].clears.Millis() > at {
			sum += rows[k].pay
		}
	}
	for _, h := range s.holds.M[i] {
		if h.clears.Millis() > at {
			sum += h.pay
		}
	}
	return sum
}

// overExposed reports whether an execution would bring an agent over what may wait
// to clear at its tier.
func (s *State) overExposed(a *Payee) bool { return s.roomOf(a) == 0 }

// roomOf returns how many executions more an agent may be paid while what waits to
// clear stays within the limit of its tier.
func (s *State) roomOf(a *Payee) uint64 {
	limit := s.law.Market.MaxUncleared(a.rate.Tier)
	switch room := limit - a.waiting; {
	case limit == 0:
		return math.MaxUint32
	case room < a.rate.AgentShare:
		return 0
	case a.rate.AgentShare == 0:
		return math.MaxUint32
	default:
		return uint64(room / a.rate.AgentShare)
	}
}
