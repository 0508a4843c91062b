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
//   - from a report of its sponsor on. A first judgement that dismisses the report
//     frees the pay, which then clears by its own time; that may be over. A
//     judgement that upholds it, of any report, holds the pay until the case is
//     final. Then the pay returns, or clears after a won appeal. Pay that one case
//     freed and another holds is held by both once both uphold their reports;
//   - under a constitution without ReviewRules.HoldOverturned: from a report of its
//     sponsor on, until the case is final. If that upholds the report, the pay
//     returns with the judgement.
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

// holdReported makes an execution that a case is about wait for it if its sponsor
// reported it and it has not cleared.
func (s *State) holdReported(cs *ReviewCase, execution uint64, at netkit.Millis) {
	for _, x := range cs.executions() {
		if x.Id == execution && cs.holds(x.Id) && s.uncleared(x, at) {
			s.holdPay(cs, x)
		}
	}
}

// holdPay takes an execution that has not cleared out of the evidence until a case
// releases it.
func (s *State) holdPay(cs *ReviewCase, x *Earned) {
	if s.waitsForCase(cs.Reported, x.Id) {
		return
	}
	s.takeBack(cs.Reported, cs.Sponsor, x)
	held := heldPay{x.Id, x.Share, x.passed, x.clears}
	s.holds.Put(cs.Reported, append(slices.Clip(s.holds.M[cs.Reported]), held))
}

// releasePay lets the executions of a case clear that neither it nor another case
// holds.
func (s *State) releasePay(cs *ReviewCase) {
	for _, x := range cs.executions() {
		if !s.isHeld(x.Id) && s.dropHold(cs.Reported, x.Id) {
			s.putBack(cs.Reported, cs.Sponsor, x, x.ClearTime)
		}
	}
}

// isHeld reports whether a case holds the pay of an execution.
func (s *State) isHeld(execution uint64) bool {
	for _, law := range []netkit.Status{netkit.Suspended, netkit.Rogue} {
		if cs, ok := s.latestCase(judgedKey{execution, law}); ok && cs.holds(execution) {
			return true
		}
	}
	return false
}

// holds reports whether a case holds the pay of an execution that it is about.
func (r *ReviewCase) holds(execution uint64) bool {
	if slices.Contains(r.spared, execution) {
		return false
	}
	return slices.Contains(r.held, execution) || r.ofSponsor(execution) && !r.final && !r.freed
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

// ofSponsor reports whether the sponsor of an execution that a case is about
// reported it.
func (r *ReviewCase) ofSponsor(execution uint64) bool {
	return r.execution && slices.ContainsFunc(r.reports(), func(x joinedReport) bool { return x.subject == execution && x.reporter == r.Sponsor })
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
		for execution, i := range all.counts {
			if _, stopped := s.stopped.Get(i); stopped {
				s.accepted.set(d, execution, i)
			}
		}
	}
}
