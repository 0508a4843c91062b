package netkit

import "fmt"

// caseEffect says what a judgement changes.
type caseEffect uint8

const (
	caseChangesNothing caseEffect = iota
	caseTakesEffect               // upheld for the first time
	caseIsReversed                // dismissed in appeal after it was upheld
)

var caseEffectNames = names{"", "takes_effect", "reversed"}

// caseDecided records a judgement and all that it does to the agent, worked
// out when it was decided: an upheld judgement takes effect once, at the first
// or in the appeal, and a won appeal takes back exactly what its own case did.
// Credits never move. The operator's reasoning, if one decided, stands in the
// private part.
type caseDecided struct {
	Case     uint64
	Uphold   bool
	Decider  string
	Until    Millis // until when it may be appealed; 0 is final
	Effect   caseEffect
	Overturn bool   // the execution is overturned, or stands again when reversed
	Penalty  int64  // thousandths
	Standing Status // of the reported agent from now on
}

func (*caseDecided) kind() Kind { return "case.decided" }

func (f *caseDecided) asked(*hindsight) (command, error) {
	return &decideCase{Decide{CaseID: f.Case, Uphold: f.Uphold}}, nil
}

func (f *caseDecided) fields(c *codec) {
	num(c, "case", &f.Case)
	c.flag("uphold", &f.Uphold)
	str(c, "decider", &f.Decider)
	num(c, "until", &f.Until)
	enum(c, "effect", &f.Effect, caseEffectNames)
	c.flag("overturn", &f.Overturn)
	num(c, "penalty", &f.Penalty)
	enum(c, "standing", &f.Standing, statusNames)
}

func (f *caseDecided) apply(s *state, e *Entry) {
	row, _, err := s.reviewCase(f.Case)
	if err != nil {
		return
	}
	cs := s.cases.change(row)
	cs.state, cs.settle, cs.until = outcome(f.Uphold), e.At, f.Until
	switch f.Effect {
	case caseTakesEffect:
		cs.weighs, cs.binds = true, true
		s.penalize(cs.reported, cs.id, f.Penalty, e.At.Day())
	case caseIsReversed:
		cs.weighs, cs.binds = false, false
		s.forgive(cs.reported, cs.id)
	}
	if f.Overturn {
		s.overturn(cs, f.Effect == caseTakesEffect)
	}
	if f.Standing != Active {
		s.expireAll(cs.reported, e.At)
	}
	changed := s.stand(cs.reported, f.Standing, cs.id, e)
	s.notify(cs.reporter, e.Seq, noticeVerdict)
	s.notify(cs.reported, e.Seq, changed)
	if f.Until == 0 {
		s.finalize(cs, e)
	} else {
		s.due.plan(appealEnds, f.Until, cs.id)
	}
}

func (f *caseDecided) notice(kind noticeKind, _ string) (uint64, string) {
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
	p := s.parties.change(cs.reported)
	if !out {
		p.agent.transactions++
		ev := s.evidenceOf(cs.reported, cs.sponsor, cs.day)
		ev.stands++
		ev.in += cs.counted
		return
	}
	p.agent.transactions--
	if row := s.findEvidence(cs.reported, cs.sponsor, cs.day); row != nil {
		ev := s.evidence.edit(row)
		ev.stands--
		ev.in -= cs.counted
	}
}

// appealDue makes a judgement final that nobody appealed.
func (s *state) appealDue(it dueItem) Fact {
	_, cs, err := s.reviewCase(it.id)
	if err != nil || cs.final || !cs.state.decided() || cs.until != it.at {
		return nil
	}
	return &caseFinal{Case: cs.id, Uphold: cs.state == CaseUpheld}
}

// caseFinal records that the time for an appeal is over.
type caseFinal struct {
	Case   uint64
	Uphold bool
}

func (*caseFinal) kind() Kind { return "case.final" }

func (*caseFinal) asked(*hindsight) (command, error) { return nil, nil }

func (f *caseFinal) fields(c *codec) {
	num(c, "case", &f.Case)
	c.flag("uphold", &f.Uphold)
}

func (f *caseFinal) apply(s *state, e *Entry) {
	if row, _, err := s.reviewCase(f.Case); err == nil {
		s.finalize(s.cases.change(row), e)
	}
}

// finalize ends a case and writes each verdict into its reviewer's record.
func (s *state) finalize(cs *reviewCase, e *Entry) {
	cs.final = true
	upheld := cs.state == CaseUpheld
	for _, v := range cs.votes {
		x := s.changeExtra(v.reviewer)
		x.verdicts = append(x.verdicts, verdictRow{day: e.At.Day(), reporter: cs.reporter, reported: cs.reported,
			agreed: v.uphold == upheld, took: v.took})
		s.touch(v.reviewer, e.At.Day())
	}
	s.changeExtra(cs.reporter).reports--
}
