package netkit

import (
	"fmt"

	"github.com/agentnet/netctl/netkit/internal/wire"
)

// caseEffect says what a judgement changes.
type caseEffect uint8

const (
	caseChangesNothing caseEffect = iota
	caseTakesEffect               // upheld for the first time
	caseIsReversed                // dismissed in appeal after it was upheld
)

var caseEffectNames = names{"", "takes_effect", "reversed"}

// CaseDecided records a judgement and all that it does to the agent, worked
// out when it was decided: an upheld judgement takes effect once, at the first
// or in the appeal, and a won appeal takes back exactly what its own case did.
// Credits move in entries of their own. The operator's reasoning, if one decided, stands in the
// private part.
type CaseDecided struct {
	Case     uint64
	Uphold   bool
	Decider  string
	Until    Millis // until when it may be appealed; 0 is final
	Effect   caseEffect
	Overturn bool      // the execution is overturned, or stands again when reversed
	Penalty  int64     // thousandths
	Standing Status    // of the reported agent from now on
	Opened   []opening // the verdicts that were hidden until now
}

func (*CaseDecided) kind() Kind { return KindCaseDecided }

func (f *CaseDecided) asked(h *pastView) (command, error) {
	if h.e.Actor == NetworkActor {
		return &openCase{f.Case, f.Opened}, nil
	}
	return &decideCase{Decide{CaseID: f.Case, Uphold: f.Uphold}, f.Opened}, nil
}

func (f *CaseDecided) fields(c *wire.Codec) {
	wire.Num(c, "case", &f.Case)
	c.Flag("uphold", &f.Uphold)
	wire.Str(c, "decider", &f.Decider)
	wire.Num(c, "until", &f.Until)
	enum(c, "effect", &f.Effect, caseEffectNames)
	c.Flag("overturn", &f.Overturn)
	wire.Num(c, "penalty", &f.Penalty)
	enum(c, "standing", &f.Standing, statusNames)
	wire.List(c, "opened", &f.Opened, object[opening])
}

func (f *CaseDecided) apply(s *state, e *Entry) {
	cs, err := s.reviewCase(f.Case)
	if err != nil {
		return
	}
	s.cases.Edit(cs)
	if votes, err := s.opened(cs, f.Opened); err == nil {
		cs.votes = votes
	}
	s.sealed.Drop(cs.id)
	cs.byPanel = cs.state == CaseWithPanel
	cs.state, cs.settle, cs.until = outcome(f.Uphold), e.At, f.Until
	switch f.Effect {
	case caseTakesEffect:
		cs.weighs, cs.binds = true, true
		s.penalize(cs.reported, cs.id, f.Penalty, e.At.Day())
		s.remove(cs.subject, true)
	case caseIsReversed:
		cs.weighs, cs.binds = false, false
		s.forgive(cs.reported, cs.incident())
		s.remove(cs.subject, false)
	}
	if f.Overturn {
		s.overturn(cs, f.Effect == caseTakesEffect)
	}
	if f.Standing != Active {
		s.expireAll(cs.reported, e.At)
	}
	changed := s.stand(cs.reported, f.Standing, cs.id, e)
	for _, i := range cs.reporters() {
		s.notify(i, e.Seq, noticeVerdict)
	}
	s.notify(cs.reported, e.Seq, changed)
	if f.Until == 0 {
		s.finalize(cs, e)
	} else {
		s.due.plan(appealEnds, f.Until, cs.id)
	}
}

func (f *CaseDecided) notice(kind noticeKind, _ string) (uint64, string) {
	switch kind {
	case noticeSuspended, noticeRogue, noticeReinstated:
		return f.Case, noticeTexts[kind]
	}
	return f.Case, fmt.Sprintf("Case %d was decided: %s.", f.Case, outcome(f.Uphold))
}

// overturn takes an execution out of transactions, scores and badge counts,
// or puts it back; no credits move. Between the two a night may have dropped
// the evidence row as too old to count: taking out then finds nothing to do,
// and putting back makes the row again, which the next night drops.
func (s *state) overturn(cs *reviewCase, out bool) {
	p := s.parties.Change(cs.reported)
	if !out {
		s.overturned.Drop(cs.subject)
		p.agent.transactions++
		s.putBack(cs.reported, cs.sponsor, &cs.earned, 0)
		return
	}
	p.agent.transactions--
	s.takeBack(cs.reported, cs.sponsor, &cs.earned)
	s.overturned.Put(cs.subject, cs.id)
}

// appealDue makes a judgement final that nobody appealed.
func (s *state) appealDue(it dueItem) Fact {
	cs, err := s.reviewCase(it.id)
	if err != nil || cs.final || !cs.state.decided() || cs.until != it.at {
		return nil
	}
	return &CaseFinal{Case: cs.id, Uphold: cs.state == CaseUpheld}
}

// CaseFinal records that the time for an appeal is over.
type CaseFinal struct {
	Case   uint64
	Uphold bool
}

func (*CaseFinal) kind() Kind { return KindCaseFinal }

func (*CaseFinal) asked(*pastView) (command, error) { return nil, nil }

func (f *CaseFinal) fields(c *wire.Codec) {
	wire.Num(c, "case", &f.Case)
	c.Flag("uphold", &f.Uphold)
}

func (f *CaseFinal) apply(s *state, e *Entry) {
	if cs, err := s.reviewCase(f.Case); err == nil {
		s.finalize(s.cases.Edit(cs), e)
	}
}

// finalize ends a case, writes each verdict that was opened into its
// reviewer's record, and has the payments behind it booked.
func (s *state) finalize(cs *reviewCase, e *Entry) {
	cs.final, cs.ended = true, e.At
	upheld := cs.state == CaseUpheld
	for _, v := range cs.votes {
		if v.sealed() {
			continue
		}
		x := s.changeExtra(v.reviewer)
		x.verdicts = append(x.verdicts, verdictRow{day: e.At.Day(), reporter: cs.reporter, reported: cs.reported,
			agreed: v.uphold == upheld, took: v.took})
		s.touch(v.reviewer, e.At.Day())
	}
	for _, i := range cs.reporters() {
		s.changeExtra(i).reports--
	}
	s.releasePay(cs)
	s.settled.add(cs.id)
	s.due.plan(casePays, e.At, cs.id)
}
