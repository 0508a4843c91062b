package rules

import (
	"fmt"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// caseEffect says what a judgement changes.
type caseEffect uint8

const (
	caseChangesNothing caseEffect = iota
	CaseTakesEffect               // upheld for the first time
	caseIsReversed                // dismissed in appeal after it was upheld
)

var caseEffectNames = netkit.Names{"", "takes_effect", "reversed"}

// CaseDecided records a judgement and all that it does to the agent, worked
// out when it was decided: an upheld judgement takes effect once, at the first
// or in the appeal, and a won appeal takes back exactly what its own case did.
// Credits move in entries of their own. The operator's reasoning, if one decided, stands in the
// private part.
type CaseDecided struct {
	Case    uint64
	Uphold  bool
	Decider string
	Until   netkit.Millis // until when it may be appealed; 0 is final
	// UntilMarket is that in market time. Where it is not 0 it applies, and Until is
	// when it comes if crises that run end at their term.
	UntilMarket netkit.Millis
	Effect      caseEffect
	Overturn    bool          // the execution is overturned, or stands again when reversed
	Penalty     int64         // thousandths
	Standing    netkit.Status // of the reported agent from now on
	Opened      []Opening     // the verdicts that were hidden until now
	Spared      []uint64      // executions that it does not uphold, of an upheld case
	Held        []uint64      // executions whose pay waits until the case is final
	Frees       bool          // their pay clears by its own time again
}

func (*CaseDecided) Kind() netkit.Kind { return netkit.KindCaseDecided }

func (f *CaseDecided) CommandOf(h *PastView) (Command, error) {
	if h.E.Actor == netkit.NetworkActor {
		return &OpenCase{f.Case, f.Opened}, nil
	}
	c := &DecideCase{netkit.Decide{CaseID: f.Case, Uphold: f.Uphold}, f.Opened}
	cs, err := h.S.reviewCase(f.Case)
	if err != nil || len(f.Spared) == 0 {
		return c, nil
	}
	for _, x := range cs.executions() {
		if !slices.Contains(f.Spared, x.Id) {
			c.Executions = append(c.Executions, x.Id)
		}
	}
	return c, nil
}

func (f *CaseDecided) Fields(c *wire.Codec) {
	wire.Num(c, "case", &f.Case)
	c.Flag("uphold", &f.Uphold)
	wire.Str(c, "decider", &f.Decider)
	wire.Num(c, "until", &f.Until)
	wire.Num(c, "until_market", &f.UntilMarket)
	enum(c, "effect", &f.Effect, caseEffectNames)
	c.Flag("overturn", &f.Overturn)
	wire.Num(c, "penalty", &f.Penalty)
	enum(c, "standing", &f.Standing, netkit.StatusNames)
	wire.List(c, "opened", &f.Opened, object[Opening])
	wire.List(c, "spared", &f.Spared, wire.Number)
	wire.List(c, "held", &f.Held, wire.Number)
	c.Flag("frees", &f.Frees)
}

func (f *CaseDecided) Apply(s *State, e *Entry) {
	cs, err := s.reviewCase(f.Case)
	if err != nil {
		return
	}
	s.cases.Edit(cs)
	if votes, err := s.opened(cs, f.Opened); err == nil {
		cs.votes = votes
	}
	s.sealed.Drop(cs.id)
	if cs.settle == 0 && s.parties.At(cs.reporter).Kind == netkit.SponsorParty {
		b := &s.changeExtra(cs.reporter).bought
		b.cases, b.waited = b.cases+1, b.waited+e.At-cs.filed
	}
	cs.byPanel = cs.State == netkit.CaseWithPanel
	cs.State, cs.settle, cs.until = outcome(f.Uphold), e.At, either(f.Until, f.UntilMarket)
	cs.spared, cs.freed = f.Spared, cs.freed || f.Frees
	switch f.Effect {
	case CaseTakesEffect:
		cs.weighs, cs.binds = true, true
		s.penalize(cs.Reported, cs.id, f.Penalty, e.At.Day())
		s.remove(cs.subject, true)
	case caseIsReversed:
		cs.weighs, cs.binds = false, false
		s.forgive(cs.Reported, cs.incident())
		s.remove(cs.subject, false)
	}
	s.applyToPay(cs, f, e.At.Day())
	if f.Standing != netkit.Active {
		s.ExpireAll(cs.Reported, e.At)
	}
	changed := s.stand(cs.Reported, f.Standing, cs.id, e)
	for _, i := range cs.reporters() {
		s.notify(i, e.Seq, noticeVerdict)
	}
	if cs.byNight {
		s.Touch(cs.Reported, AtOnce) // the badges that it held are due again
	}
	s.notify(cs.Reported, e.Seq, changed)
	if f.Until == 0 {
		s.finalize(cs, e)
	} else {
		s.deadlines.planDeadline(appealEnds, cs.until, cs.id)
	}
}

func (f *CaseDecided) notice(kind noticeKind, _ string) (uint64, string) {
	switch kind {
	case noticeSuspended, noticeRogue, noticeReinstated:
		return f.Case, noticeTexts[kind]
	}
	return f.Case, fmt.Sprintf("Case %d was decided: %s.", f.Case, outcome(f.Uphold))
}

// applyToPay holds, frees and overturns the executions that a judgement is about.
func (s *State) applyToPay(cs *ReviewCase, f *CaseDecided, d netkit.Day) {
	if f.Effect != caseChangesNothing {
		cs.held = f.Held
	}
	for _, x := range cs.executions() {
		switch spared := slices.Contains(cs.spared, x.Id); {
		case slices.Contains(f.Held, x.Id):
			s.holdPay(cs, x)
		case f.Effect == CaseTakesEffect && f.Overturn && s.isOverturned(x, f):
			s.Overturn(cs, x, true, d)
		case (f.Effect == caseIsReversed || spared) && s.overturnedBy(cs, x):
			s.Overturn(cs, x, false, d)
		}
	}
	if f.Frees || len(f.Spared) > 0 {
		s.releasePay(cs)
	}
}

// Overturn takes an execution out of transactions, scores and badge counts,
// or puts it back; no credits move. The treasury keeps its share, which is income
// from date d on if it was not before. Between the two a night may have dropped
// the evidence row as too old to count: taking out then finds nothing to do,
// and putting back makes the row again, which the next night drops.
func (s *State) Overturn(cs *ReviewCase, x *Earned, out bool, d netkit.Day) {
	p := s.parties.Change(cs.Reported)
	if !out {
		s.overturned.Drop(x.Id)
		p.Agent.Transactions++
		s.putBack(cs.Reported, cs.Sponsor, x, ClearTime{})
		return
	}
	p.Agent.Transactions--
	s.earnShare(s.takeBack(cs.Reported, cs.Sponsor, x), d)
	s.overturned.Put(x.Id, cs.id)
}

// appealDue makes a judgement final that nobody appealed.
func (s *State) appealDue(id uint64, on deadline) Fact {
	cs, err := s.reviewCase(id)
	if err != nil || cs.final || !cs.State.Decided() || cs.until != on {
		return nil
	}
	return &CaseFinal{Case: cs.id, Uphold: cs.State == netkit.CaseUpheld}
}

// CaseFinal records that the time for an appeal is over.
type CaseFinal struct {
	Case   uint64
	Uphold bool
}

func (*CaseFinal) Kind() netkit.Kind { return netkit.KindCaseFinal }

func (*CaseFinal) CommandOf(*PastView) (Command, error) { return nil, nil }

func (f *CaseFinal) Fields(c *wire.Codec) {
	wire.Num(c, "case", &f.Case)
	c.Flag("uphold", &f.Uphold)
}

func (f *CaseFinal) Apply(s *State, e *Entry) {
	if cs, err := s.reviewCase(f.Case); err == nil {
		s.finalize(s.cases.Edit(cs), e)
	}
}

// finalize ends a case, writes each verdict that was opened into its
// reviewer's record, and has the payments behind it booked.
func (s *State) finalize(cs *ReviewCase, e *Entry) {
	cs.final, cs.ended = true, e.At
	upheld := cs.State == netkit.CaseUpheld
	for _, v := range cs.votes {
		if v.sealed() {
			continue
		}
		x := s.changeExtra(v.reviewer)
		x.Verdicts = append(x.Verdicts, VerdictRow{Day: e.At.Day(), Reporter: cs.reporter, Reported: cs.Reported,
			Agreed: v.uphold == upheld, Took: v.took})
		s.Touch(v.reviewer, e.At.Day())
	}
	for _, x := range cs.reports() {
		extra := s.changeExtra(x.reporter)
		extra.Reports--
		switch {
		case s.parties.At(x.reporter).Kind != netkit.SponsorParty:
		case cs.upholds(x.subject):
			extra.bought.upheld++
		default:
			extra.bought.dismissed++
		}
	}
	s.releasePay(cs)
	s.settled.add(cs.id)
	s.deadlines.plan(casePays, e.At, cs.id)
}
