package netkit

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
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
	case cs.state != CaseWithPanel || cs.ends.reached(s.instant(call.at)):
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
		cs.votes = append(cs.votes, vote{entry: e.Seq, reviewer: i, round: cs.round, uphold: f.Uphold, seal: f.Seal, at: e.At, took: s.taken(cs, e.At)})
		if f.Seal != [32]byte{} {
			s.sealed.Put(cs.id, struct{}{})
		}
	}
}

// taken returns how long the panel of a case has had it at a moment.
func (s *state) taken(cs *reviewCase, at Millis) Millis {
	if cs.marketTime {
		return s.clock.market(at) - s.clock.market(cs.drawn)
	}
	return at - cs.drawn
}

// decision is what an operator asks for, under another name than the method of
// commands.
type decision = Decide

// decideCase is for cases that no panel can be drawn for, or that two
// panels let pass.
type decideCase struct {
	decision
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
		var on deadline
		on, f.Until = s.deadlineIn(Millis(s.law.Review.AppealDays)*day, call.at, cs.marketTime)
		f.UntilMarket = on.market
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
// receipt says where the case stood before; see [Session.Case].
//
// Refusals: agents_only, case_not_with_panel, case_unknown, not_drawn,
// verdict_given.
func (ses *Session) Verdict(ctx context.Context, in Verdict) (CaseReceipt, error) {
	if err := checkText("reasoning", in.Reasoning, 1, 8000); err != nil {
		return CaseReceipt{}, err
	}
	text := &verdictText{text: in.Reasoning, uphold: in.Uphold}
	if err := fill(text.nonce[:], ses.n.rand); err != nil {
		return CaseReceipt{}, err
	}
	cmd := &verdict{in, sealOf(in.CaseID, ses.by.Slug, in.Uphold, text.nonce)}
	r, err := run(ctx, ses, cmd, text, func(e *Entry) CaseReceipt {
		f := e.Fact.(*VerdictGiven)
		return CaseReceipt{CaseID: f.Case, State: f.State, Seq: e.Seq, At: e.At}
	})
	ses.n.followUp(ctx, err)
	return r, err
}

// Decide settles a case for which too few reviewers are eligible.
//
// Refusals: case_not_with_operator, case_unknown.
func (ses *Session) Decide(ctx context.Context, in Decide) (CaseReceipt, error) {
	if err := checkText("reasoning", in.Reasoning, 1, 8000); err != nil {
		return CaseReceipt{}, err
	}
	opened, err := ses.n.openings(ctx, in.CaseID)
	if err != nil {
		return CaseReceipt{}, err
	}
	return run(ctx, ses, &decideCase{in, opened}, &caseText{in.Reasoning}, func(e *Entry) CaseReceipt {
		f := e.Fact.(*CaseDecided)
		return CaseReceipt{CaseID: f.Case, State: outcome(f.Uphold), Seq: e.Seq, At: e.At}
	})
}

// While a case is undecided, the public part of a verdict says only who gave
// it, with a hash that commits to what it says; the verdict itself stands in
// the private part. The entry that decides the case opens all of them, so that
// the majority can be counted again from public parts alone. Rules learn a
// verdict from that entry and never from a private part.

// opening is a verdict with what its seal was made of.
type opening struct {
	Entry  uint64
	Uphold bool
	Nonce  [32]byte
}

func (o *opening) fields(c *wire.Codec) {
	wire.Num(c, "entry", &o.Entry)
	c.Flag("uphold", &o.Uphold)
	c.Hash("nonce", &o.Nonce)
}

// sealOf is SHA-256("verdict", case, uphold, nonce, reviewer), the case in
// eight bytes and uphold in one.
func sealOf(id uint64, reviewer string, uphold bool, nonce [32]byte) [32]byte {
	b := binary.BigEndian.AppendUint64([]byte("verdict"), id)
	b = append(b, 0)
	if uphold {
		b[len(b)-1] = 1
	}
	b = append(b, nonce[:]...)
	return sha256.Sum256(append(b, reviewer...))
}

// verdictText is the private part of a verdict.
type verdictText struct {
	text   string
	uphold bool
	nonce  [32]byte
}

func (t *verdictText) fields(c *wire.Codec) {
	wire.Str(c, "text", &t.text)
	c.Flag("uphold", &t.uphold)
	c.Hash("nonce", &t.nonce)
}

// sealedVotes are the hidden verdicts of a case: of the present panel alone,
// or of all panels.
func (r *reviewCase) sealedVotes(present bool) (all []vote) {
	for _, v := range r.votes {
		if v.sealed() && (!present || v.round == r.round) {
			all = append(all, v)
		}
	}
	return all
}

// sealedBy reports whether an entry is a hidden verdict of an undecided case.
func (s *state) sealedBy(entry uint64) bool {
	for id := range s.sealed.M {
		cs, err := s.reviewCase(id)
		if err == nil && slices.ContainsFunc(cs.sealedVotes(false), func(v vote) bool { return v.entry == entry }) {
			return true
		}
	}
	return false
}

// opened returns the votes of a case with what the openings say, and refuses
// one that does not fit its seal.
func (s *state) opened(cs *reviewCase, openings []opening) ([]vote, error) {
	votes := slices.Clone(cs.votes)
	for _, o := range openings {
		k := slices.IndexFunc(votes, func(v vote) bool { return v.entry == o.Entry && v.sealed() })
		if k < 0 || votes[k].seal != sealOf(cs.id, s.parties.At(votes[k].reviewer).slug, o.Uphold, o.Nonce) {
			return nil, invalid("opened", code.SealBroken, "is not what a verdict of this case was sealed with", "")
		}
		votes[k].uphold, votes[k].seal = o.Uphold, [32]byte{}
	}
	return votes, nil
}

// openCase decides a case by the verdicts of its panel, once they make a
// majority.
type openCase struct {
	Case   uint64
	Opened []opening
}

func (*openCase) route() string { return "open" }

func (c *openCase) decide(s *state, call *call) error {
	if err := call.network(); err != nil {
		return err
	}
	cs, err := s.reviewCase(c.Case)
	if err != nil {
		return err
	}
	if cs.state != CaseWithPanel {
		return conflict(code.CaseNotWithPanel, "the case is not before a panel", "{getCase} shows where it is")
	}
	seen := *cs
	if seen.votes, err = s.opened(cs, c.Opened); err != nil {
		return err
	}
	if len(seen.sealedVotes(true)) > 0 {
		return conflict(code.VerdictSealed, "a verdict of the panel is missing", "")
	}
	uphold, dismiss := seen.tallied()
	if max(uphold, dismiss) < s.majority(cs) {
		return conflict(code.NoMajority, "the panel has come to no majority", "{getCase} shows who has given a verdict")
	}
	s.settleCase(call, &seen, uphold > dismiss, s.decider(&seen, uphold > dismiss), c.Opened)
	return nil
}

// decider is the reviewer of the present panel whose verdict made the majority.
func (s *state) decider(cs *reviewCase, uphold bool) (slug string) {
	for _, v := range cs.votes {
		if v.round == cs.round && v.uphold == uphold {
			slug = s.parties.At(v.reviewer).slug
		}
	}
	return slug
}

// openVerdicts decides a case if the hidden verdicts of its panel agree.
func (n *Network) openVerdicts(ctx context.Context, id uint64) error {
	openings, err := n.openings(ctx, id)
	if err != nil {
		return err
	}
	_, err = run(ctx, n.As(NetworkActor), &openCase{id, openings}, nil, func(*Entry) struct{} { return struct{}{} })
	return unlessRefused(err)
}

// openings reads what the hidden verdicts of a case say. One whose private
// part is gone is left out.
func (n *Network) openings(ctx context.Context, id uint64) (all []opening, err error) {
	sealed, err := view(ctx, n, func(s *state) ([]vote, error) {
		cs, err := s.reviewCase(id)
		if err != nil {
			return nil, err
		}
		return cs.sealedVotes(false), nil
	})
	for _, v := range sealed {
		var t verdictText
		there, err := n.text(ctx, v.entry, &t)
		if err != nil {
			return nil, err
		}
		if there {
			all = append(all, opening{v.entry, t.uphold, t.nonce})
		}
	}
	return all, err
}
