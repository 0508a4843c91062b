package netkit

import (
	"context"
	"fmt"
	"slices"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Verdict is what one reviewer of a panel finds.
type Verdict struct {
	CaseID    uint64 `json:"case_id"`
	Uphold    bool   `json:"uphold"`
	Reasoning string `json:"reasoning" doc:"1 to 8,000 characters" minLength:"1" maxLength:"8000"`
}

// Decide settles a case for which too few reviewers are eligible. Only an
// operator may.
type Decide struct {
	CaseID    uint64 `json:"case_id"`
	Uphold    bool   `json:"uphold"`
	Reasoning string `json:"reasoning" doc:"1 to 8,000 characters" minLength:"1" maxLength:"8000"`
}

// verdict counts one reviewer's finding. Majorities are of one panel: what a
// panel that let its time pass had found already is kept as its reviewers'
// record, but decides nothing.
type verdict struct {
	Verdict
	seal [32]byte
}

func (*verdict) route() string { return "verdict" }

func (c *verdict) decide(s *state, call *call) error {
	i, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	cs, err := s.reviewCase(c.CaseID)
	if err != nil {
		return err
	}
	switch {
	case cs.state != CaseWithPanel || call.at >= cs.ends:
		return conflict(code.CaseNotWithPanel, "the case is not before a panel", "{getCase} shows where it is")
	case !slices.Contains(cs.panel, i):
		return forbidden("", code.NotDrawn, "you are not on the panel of this case", "{listCases} with mine=true lists yours")
	case cs.voted(i):
		return conflict(code.VerdictGiven, "you have given your verdict", "")
	}
	if s.law.Review.SealedVerdicts {
		call.add(&VerdictGiven{Case: cs.id, Reviewer: p.slug, Seal: c.seal})
		return nil
	}
	f := &VerdictGiven{Case: cs.id, Reviewer: p.slug, Uphold: c.Uphold}
	uphold, dismiss := cs.tallied()
	if c.Uphold {
		uphold++
	} else {
		dismiss++
	}
	most := s.majority(cs)
	decided := uphold >= most || dismiss >= most
	if decided {
		f.State = outcome(uphold >= most)
	}
	call.add(f)
	if decided {
		s.settleCase(call, cs, uphold >= most, p.slug, nil)
	}
	return nil
}

func outcome(uphold bool) CaseState {
	if uphold {
		return CaseUpheld
	}
	return CaseDismissed
}

// voted reports whether a reviewer has voted in this round.
func (r *reviewCase) voted(i uint32) bool {
	return slices.ContainsFunc(r.votes, func(v vote) bool { return v.reviewer == i && v.round == r.round })
}

// VerdictGiven records a verdict. State is where the case stands with it. The
// reasoning stands in the private part, and so does a hidden verdict.
type VerdictGiven struct {
	Case     uint64
	Reviewer string
	Uphold   bool
	Seal     [32]byte // of a hidden verdict
	State    CaseState
}

func (*VerdictGiven) kind() Kind { return KindCaseVerdict }

func (f *VerdictGiven) asked(*pastView) (command, error) {
	return &verdict{Verdict{CaseID: f.Case, Uphold: f.Uphold}, f.Seal}, nil
}

func (f *VerdictGiven) fields(c *wire.Codec) {
	wire.Num(c, "case", &f.Case)
	wire.Str(c, "reviewer", &f.Reviewer)
	c.Flag("uphold", &f.Uphold)
	c.Hash("seal", &f.Seal)
	enum(c, "state", &f.State, caseStateNames)
}

func (f *VerdictGiven) apply(s *state, e *Entry) {
	cs, err := s.reviewCase(f.Case)
	i, ok := s.slugs.Get(f.Reviewer)
	if err == nil && ok {
		s.cases.Edit(cs)
		cs.votes = append(cs.votes, vote{entry: e.Seq, reviewer: i, round: cs.round, uphold: f.Uphold, seal: f.Seal, at: e.At, took: e.At - cs.drawn})
		if f.Seal != [32]byte{} {
			s.sealed.Put(cs.id, struct{}{})
		}
	}
}

// decideCase is for cases that no panel can be drawn for, or that two
// panels let pass.
type decideCase struct {
	Decide
	opened []opening // hidden verdicts of panels that came to no majority
}

func (*decideCase) route() string { return "decide" }

func (c *decideCase) decide(s *state, call *call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	cs, err := s.reviewCase(c.CaseID)
	if err != nil {
		return err
	}
	if cs.state != CaseWithOperator {
		return conflict(code.CaseNotWithOperator, "the case does not wait for an operator", "a panel decides while enough reviewers are eligible")
	}
	seen := *cs
	if seen.votes, err = s.opened(cs, c.opened); err != nil {
		return err
	}
	s.settleCase(call, &seen, c.Uphold, call.by.Slug, c.opened)
	return nil
}

// settleCase adds the judgement of a case and what follows from it at once.
// The first judgement may be appealed, the second is final.
func (s *state) settleCase(call *call, cs *reviewCase, uphold bool, decider string, opened []opening) {
	f := &CaseDecided{Case: cs.id, Uphold: uphold, Decider: decider, Standing: s.parties.At(cs.reported).status, Opened: opened}
	if cs.appeal == 0 {
		f.Until = call.at + Millis(s.law.Review.AppealDays)*day
	}
	var back Fact
	var moves []move
	switch {
	case uphold && !cs.weighs:
		if cs.execution {
			back, moves = s.giveBack(&cs.earned, cs.sponsor, cs.id, call.at)
		}
		f.Effect = caseTakesEffect
		f.Overturn = cs.execution && cs.law == Suspended && !s.undoes(cs, back)
		f.Penalty = s.penaltyOf(cs)
		f.Standing = max(f.Standing, cs.law)
	case !uphold && cs.weighs:
		f.Effect = caseIsReversed
		f.Overturn = cs.execution && cs.law == Suspended && !s.undoes(cs, nil)
		if cs.binds {
			f.Standing = s.standingWithout(cs)
		}
	}
	call.add(f)
	if back != nil {
		call.add(back, moves...)
	}
	switch f.Effect {
	case caseTakesEffect:
		s.enforce(call, cs, decider)
	case caseIsReversed:
		s.restore(call, cs)
	}
}

// undoes reports whether the pay of the execution that a case is about returns by
// the fact given, or did before: such an execution counts for nobody, and a won
// appeal cannot bring it back, since the contract has its money again.
func (s *state) undoes(cs *reviewCase, back Fact) bool {
	_, returned := s.returned.Get(cs.subject)
	return returned || back != nil
}

// penaltyOf is the largest penalty of an upheld case, in thousandths: one
// incident costs no more than that.
func (s *state) penaltyOf(cs *reviewCase) int64 {
	rules := &s.law.Scores
	penalty := rules.Upheld
	if cs.law == Suspended {
		penalty = max(penalty, rules.Suspension)
		if cs.execution {
			penalty = max(penalty, rules.Overturned)
		}
	}
	return penalty
}

// standingWithout is what an agent's standing falls back to when a case no
// longer weighs on it.
func (s *state) standingWithout(cs *reviewCase) Status {
	rest := Active
	for _, other := range s.cases.All() {
		if other.id != cs.id && other.reported == cs.reported && other.binds {
			rest = max(rest, other.law)
		}
	}
	return rest
}

// enforce adds what an upheld case brings besides the judgement: under L2 the
// agent loses its badges, begun by the decider and witnessed by another
// reviewer who found the same. Where none of them qualifies, the revocation
// waits for a witness.
func (s *state) enforce(call *call, cs *reviewCase, decider string) {
	if cs.law != Rogue {
		return
	}
	sides := s.sides(cs)
	r := revocation{agent: sides[1], revoker: decider, parties: sides, of: cs.id,
		reason: fmt.Sprintf("report upheld under L2, case %d", cs.id)}
	witness := s.concurring(call, cs, r.stakes())
	for _, h := range s.extra(s.parties.At(cs.reported)).wall {
		if r.badge = h.badge; h.revoked != 0 {
			continue
		}
		if witness != "" {
			call.add(r.carriedOut(witness))
		} else if !s.revoking(r.agent, r.badge) {
			call.add(&RevocationBegun{Agent: r.agent, Badge: r.badge, Reason: r.reason, Revoker: r.revoker, Case: cs.id, Lapses: s.lapses(call.at)})
		}
	}
}

// concurring returns the first reviewer of the panel who voted to uphold and
// may be a witness: the vote, given with its own credentials, confirms, so that
// the case need not wait for another (L6). "" is nobody.
func (s *state) concurring(call *call, cs *reviewCase, x stakes) string {
	for _, v := range cs.votes {
		p := s.parties.At(v.reviewer)
		if v.round == cs.round && v.uphold && s.witnessBar(p, call.at, x) == nil {
			return p.slug
		}
	}
	return ""
}

// Verdict gives the caller's verdict as a reviewer of the panel; with a
// majority the case is decided. Under a constitution that hides verdicts, the
// receipt says where the case stood before; see [Network.Case].
func (n *Network) Verdict(ctx context.Context, by Caller, in Verdict) (CaseReceipt, error) {
	if err := checkText("reasoning", in.Reasoning, 1, 8000); err != nil {
		return CaseReceipt{}, err
	}
	text := &verdictText{text: in.Reasoning, uphold: in.Uphold}
	if err := fill(text.nonce[:], n.rand); err != nil {
		return CaseReceipt{}, err
	}
	cmd := &verdict{in, sealOf(in.CaseID, by.Slug, in.Uphold, text.nonce)}
	r, err := run(ctx, n, by, cmd, text, func(e *Entry) CaseReceipt {
		f := e.Fact.(*VerdictGiven)
		return CaseReceipt{CaseID: f.Case, State: f.State, Seq: e.Seq, At: e.At}
	})
	n.followUp(ctx, err)
	return r, err
}

// Decide settles a case for which too few reviewers are eligible.
func (n *Network) Decide(ctx context.Context, by Caller, in Decide) (CaseReceipt, error) {
	if err := checkText("reasoning", in.Reasoning, 1, 8000); err != nil {
		return CaseReceipt{}, err
	}
	opened, err := n.openings(ctx, in.CaseID)
	if err != nil {
		return CaseReceipt{}, err
	}
	return run(ctx, n, by, &decideCase{in, opened}, &caseText{in.Reasoning}, func(e *Entry) CaseReceipt {
		f := e.Fact.(*CaseDecided)
		return CaseReceipt{CaseID: f.Case, State: outcome(f.Uphold), Seq: e.Seq, At: e.At}
	})
}
