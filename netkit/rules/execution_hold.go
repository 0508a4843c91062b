package rules

import (
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Pay that has not cleared waits longer than its clearing time
//
//   - while its agent is suspended or listed: the time stands still for it at the
//     judgement, and what the sponsor reports meanwhile still returns. When the
//     agent is reinstated, the rest clears by its own time, which may be over;
//   - from a report of its sponsor on, until the case is final. If that upholds
//     the report, the pay returns with the judgement; if not, it clears by its own
//     time, which may be over.
//
// As with clearing, no entry says so: the reports and judgements do.

// heldPay is an execution whose sponsor's report is open. It is out of the
// agent's evidence meanwhile.
type heldPay struct {
	execution uint64
	pay       netkit.Credits // what the wallet has of it
	passed    netkit.Credits // backing that it brings
	clears    Quarter        // when it would have cleared by its entry
}

func (h *heldPay) Fields(c *wire.Codec) {
	wire.Num(c, "execution", &h.execution)
	wire.Amount(c, "pay", &h.pay)
	wire.Amount(c, "passed", &h.passed)
	wire.Num(c, "clears", &h.clears)
}

// clearedUntil is the moment up to which pay of agent i has cleared: that of
// asking, or that of the judgement which stopped the agent.
func (s *State) clearedUntil(i uint32, at netkit.Millis) Instant {
	if stopped, ok := s.stopped.Get(i); ok {
		at = min(at, stopped)
	}
	return s.instant(at)
}

// waitsForCase reports whether an execution of agent i waits for a case.
func (s *State) waitsForCase(i uint32, execution uint64) bool {
	return slices.ContainsFunc(s.holds.M[i], func(h heldPay) bool { return h.execution == execution })
}

// holdPay makes the execution that a case is about wait for it, if its sponsor is
// among the reporters and it has not cleared.
func (s *State) holdPay(cs *ReviewCase, at netkit.Millis) {
	if !cs.ofSponsor() || !s.uncleared(&cs.Earned, at) || s.waitsForCase(cs.Reported, cs.subject) {
		return
	}
	s.takeBack(cs.Reported, cs.Sponsor, &cs.Earned)
	held := heldPay{cs.subject, cs.Earned.Share, cs.Earned.passed, cs.Earned.clears}
	s.holds.Put(cs.Reported, append(slices.Clip(s.holds.M[cs.Reported]), held))
}

// releasePay lets the execution of a final case clear, unless another case about it
// still holds it.
func (s *State) releasePay(cs *ReviewCase) {
	for _, law := range []netkit.Status{netkit.Suspended, netkit.Rogue} {
		if other, ok := s.latestCase(judgedKey{cs.subject, law}); ok && other.id != cs.id && !other.final && other.ofSponsor() {
			return
		}
	}
	if s.dropHold(cs.Reported, cs.subject) {
		s.putBack(cs.Reported, cs.Sponsor, &cs.Earned, cs.Earned.ClearTime)
	}
}

// dropHold ends the waiting of an execution, and reports whether it did wait.
func (s *State) dropHold(i uint32, execution uint64) bool {
	if !s.waitsForCase(i, execution) {
		return false
	}
	rest := slices.DeleteFunc(slices.Clone(s.holds.M[i]), func(h heldPay) bool { return h.execution == execution })
	if len(rest) == 0 {
		s.holds.Drop(i)
	} else {
		s.holds.Put(i, rest)
	}
	return true
}

// ofSponsor reports whether the sponsor of the execution that a case is about
// reported it.
func (r *ReviewCase) ofSponsor() bool {
	return r.execution && slices.Contains(r.reporters(), r.Sponsor)
}

// forgetAccepted forgets which executions that would have cleared by a date were
// accepted before. Those of stopped agents are kept: for them the time stands
// still, and what was accepted must not look as if it had not cleared. Dates of
// market time end later than those of real time, so that both are over by then.
func (s *State) forgetAccepted(date netkit.Day) {
	over := s.clock.Market(LastMoment(date))
	for d, all := range s.accepted.M {
		if LastMoment(d) > over {
			continue
		}
		s.accepted.forget(d)
		for execution, i := range all {
			if _, stopped := s.stopped.Get(i); stopped {
				s.accepted.set(d, execution, i)
			}
		}
	}
}
