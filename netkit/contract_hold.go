package netkit

import (
	"slices"

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
	pay       Credits // what the wallet has of it
	passed    Credits // backing that it brings
}

func (h *heldPay) fields(c *wire.Codec) {
	wire.Num(c, "execution", &h.execution)
	wire.Amount(c, "pay", &h.pay)
	wire.Amount(c, "passed", &h.passed)
}

// clearedUntil is the moment up to which pay of agent i has cleared: that of
// asking, or that of the judgement which stopped the agent.
func (s *state) clearedUntil(i uint32, at Millis) Millis {
	if stopped, ok := s.stopped.Get(i); ok {
		return min(at, stopped)
	}
	return at
}

// waitsForCase reports whether an execution of agent i waits for a case.
func (s *state) waitsForCase(i uint32, execution uint64) bool {
	return slices.ContainsFunc(s.holds.M[i], func(h heldPay) bool { return h.execution == execution })
}

// holdPay makes the execution that a case is about wait for it, if its sponsor is
// among the reporters and it has not cleared.
func (s *state) holdPay(cs *reviewCase, at Millis) {
	if !cs.ofSponsor() || !s.uncleared(&cs.earned, at) || s.waitsForCase(cs.reported, cs.subject) {
		return
	}
	s.takeBack(cs.reported, cs.sponsor, &cs.earned)
	held := heldPay{cs.subject, cs.earned.share, cs.earned.passed}
	s.holds.Put(cs.reported, append(slices.Clip(s.holds.M[cs.reported]), held))
}

// releasePay lets the execution of a final case clear, unless another case about it
// still holds it.
func (s *state) releasePay(cs *reviewCase) {
	for _, law := range []Status{Suspended, Rogue} {
		if other, ok := s.latestCase(judgedKey{cs.subject, law}); ok && other.id != cs.id && !other.final && other.ofSponsor() {
			return
		}
	}
	if s.dropHold(cs.reported, cs.subject) {
		s.putBack(cs.reported, cs.sponsor, &cs.earned, cs.earned.clears)
	}
}

// dropHold ends the waiting of an execution, and reports whether it did wait.
func (s *state) dropHold(i uint32, execution uint64) bool {
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
func (r *reviewCase) ofSponsor() bool {
	return r.execution && slices.Contains(r.reporters(), r.sponsor)
}

// forgetAccepted forgets which executions that would have cleared by a date were
// accepted before. Those of stopped agents are kept: for them the time stands
// still, and what was accepted must not look as if it had not cleared.
func (s *state) forgetAccepted(date Day) {
	for d, all := range s.accepted.m {
		if d > date {
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
