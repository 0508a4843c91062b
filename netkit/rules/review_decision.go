package rules

import (
	"fmt"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// Decision is what an operator asks for, under another name than the method of
// commands.
type Decision = netkit.Decide

// DecideCase is for cases that no panel can be drawn for, or that two
// panels let pass.
type DecideCase struct {
	Decision
	Opened []Opening `json:"-"` // hidden verdicts of panels that came to no majority
}

func (*DecideCase) Route() string { return "decide" }

func (c *DecideCase) Decide(s *State, call *Call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	cs, err := s.reviewCase(c.CaseID)
	if err != nil {
		return err
	}
	if cs.State != netkit.CaseWithOperator {
		return conflict(code.CaseNotWithOperator, "the case does not wait for an operator", "a panel decides while enough reviewers are eligible")
	}
	if err := cs.checkNamed(c.Uphold, c.Executions); err != nil {
		return err
	}
	seen := *cs
	if seen.votes, err = s.opened(cs, c.Opened); err != nil {
		return err
	}
	found := finding{uphold: c.Uphold}
	if c.Uphold && cs.execution {
		found.spared, found.uphold = cs.sparedBy(func(execution uint64) bool { return named(c.Executions, execution) })
		if !found.uphold {
			found.spared = nil
		}
	}
	s.settleCase(call, &seen, found, call.By.Slug, c.Opened)
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*DecideCase) Receipt(e *Entry) netkit.CaseReceipt {
	f := e.Fact.(*CaseDecided)
	return netkit.CaseReceipt{CaseID: f.Case, State: outcome(f.Uphold), Seq: e.Seq, At: e.At}
}

// settleCase adds the judgement of a case and what follows from it at once.
// The first judgement may be appealed, the second is final.
func (s *State) settleCase(call *Call, cs *ReviewCase, found finding, decider string, opened []Opening) {
	f := &CaseDecided{Case: cs.id, Uphold: found.uphold, Decider: decider, Standing: s.parties.At(cs.Reported).Status, Opened: opened, Spared: found.spared}
	if cs.appeal == 0 {
		var on deadline
		on, f.Until = s.deadlineIn(netkit.Millis(s.law.Review.AppealDays)*netkit.FullDay, call.At, cs.marketTime)
		f.UntilMarket = on.market
	}
	var back Fact
	var moves []Move
	switch {
	case found.uphold && !cs.weighs:
		f.Effect = CaseTakesEffect
		if s.law.Review.HoldOverturned {
			f.Held = s.heldBy(cs, found.spared, call.At)
		} else if cs.execution {
			back, moves = s.GiveBack(&cs.Earned, cs.Sponsor, cs.id, call.At)
		}
		f.Overturn = cs.law == netkit.Suspended && back == nil && s.overturns(cs, f)
		f.Penalty = s.penaltyOf(cs)
		f.Standing = max(f.Standing, cs.law)
	case !found.uphold && cs.weighs:
		f.Effect = caseIsReversed
		f.Overturn = slices.ContainsFunc(cs.executions(), func(x *Earned) bool { return s.overturnedBy(cs, x) })
		if cs.binds {
			f.Standing = s.standingWithout(cs)
		}
	case !found.uphold:
		f.Frees = s.law.Review.HoldOverturned && cs.execution && cs.appeal == 0
	}
	call.Add(f)
	if back != nil {
		call.Add(back, moves...)
	}
	switch f.Effect {
	case CaseTakesEffect:
		s.enforce(call, cs, decider)
	case caseIsReversed:
		s.restore(call, cs)
	}
}

// heldBy lists the executions whose pay waits for an upheld case to be final: those
// that it upholds and that have not cleared, unless a first dismissal freed them and
// no other case holds them.
func (s *State) heldBy(cs *ReviewCase, spared []uint64, at netkit.Millis) (held []uint64) {
	for _, x := range cs.executions() {
		free := cs.freed && !s.waitsForCase(cs.Reported, x.Id)
		if !free && !slices.Contains(spared, x.Id) && s.uncleared(x, at) {
			held = append(held, x.Id)
		}
	}
	return held
}

// overturns reports whether a judgement that takes effect overturns an execution.
func (s *State) overturns(cs *ReviewCase, f *CaseDecided) bool {
	return slices.ContainsFunc(cs.executions(), func(x *Earned) bool { return s.isOverturned(x, f) })
}

// isOverturned reports whether a judgement that takes effect overturns an execution:
// it upholds the report about it, and neither holds the pay nor was that returned
// before. One whose pay returns counts for no one in any case.
func (s *State) isOverturned(x *Earned, f *CaseDecided) bool {
	_, returned := s.returned.Get(x.Id)
	return !returned && !slices.Contains(f.Spared, x.Id) && !slices.Contains(f.Held, x.Id)
}

// overturnedBy reports whether a case overturned an execution.
func (s *State) overturnedBy(cs *ReviewCase, x *Earned) bool {
	by, overturned := s.overturned.Get(x.Id)
	return overturned && by == cs.id
}

// penaltyOf is the largest penalty of an upheld case, in thousandths: one
// incident costs no more than that.
func (s *State) penaltyOf(cs *ReviewCase) int64 {
	rules := &s.law.Scores
	penalty := rules.Upheld
	if cs.law == netkit.Suspended {
		penalty = max(penalty, rules.Suspension)
		if cs.execution {
			penalty = max(penalty, rules.Overturned)
		}
	}
	return penalty
}

// standingWithout is what an agent's standing falls back to when a case no
// longer weighs on it.
func (s *State) standingWithout(cs *ReviewCase) netkit.Status {
	rest := netkit.Active
	for _, other := range s.cases.All() {
		if other.id != cs.id && other.Reported == cs.Reported && other.binds {
			rest = max(rest, other.law)
		}
	}
	return rest
}

// enforce adds what an upheld case brings besides the judgement: under L2 the
// agent loses its badges, begun by the decider and witnessed by another
// reviewer who found the same. Where none of them qualifies, the revocation
// waits for a witness.
func (s *State) enforce(call *Call, cs *ReviewCase, decider string) {
	if cs.law != netkit.Rogue {
		return
	}
	sides := s.sides(cs)
	r := revocation{agent: sides[1], revoker: decider, parties: sides, of: cs.id,
		reason: fmt.Sprintf("report upheld under L2, case %d", cs.id)}
	witness := s.concurring(call, cs, r.stakes())
	for _, h := range s.extra(s.parties.At(cs.Reported)).Wall {
		if r.badge = h.Badge; h.Revoked != 0 {
			continue
		}
		if witness != "" {
			call.Add(r.carriedOut(witness))
		} else if !s.revoking(r.agent, r.badge) {
			call.Add(&RevocationBegun{Agent: r.agent, Badge: r.badge, Reason: r.reason, Revoker: r.revoker, Case: cs.id, Lapses: s.lapses(call.At)})
		}
	}
}

// concurring returns the first reviewer of the panel who voted to uphold and
// may be a witness: the vote, given with its own credentials, confirms, so that
// the case need not wait for another (L6). "" is nobody.
func (s *State) concurring(call *Call, cs *ReviewCase, x stakes) string {
	for _, v := range cs.votes {
		p := s.parties.At(v.reviewer)
		if v.round == cs.round && v.uphold && s.witnessBar(p, call.At, x) == nil {
			return p.Slug
		}
	}
	return ""
}
