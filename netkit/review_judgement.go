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
	Case    uint64
	Uphold  bool
	Decider string
	Until   Millis // until when it may be appealed; 0 is final
	// UntilMarket is that in market time. Where it is not 0 it applies, and Until is
	// when it comes if crises that run end at their term.
	UntilMarket Millis
	Effect      caseEffect
	Overturn    bool      // the execution is overturned, or stands again when reversed
	Penalty     int64     // thousandths
	Standing    Status    // of the reported agent from now on
	Opened      []opening // the verdicts that were hidden until now
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
	wire.Num(c, "until_market", &f.UntilMarket)
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
	cs.state, cs.settle, cs.until = outcome(f.Uphold), e.At, either(f.Until, f.UntilMarket)
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
		s.overturn(cs, f.Effect == caseTakesEffect, e.At.Day())
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

// overturn takes an execution out of transactions, scores and badge counts,
// or puts it back; no credits move. The treasury keeps its share, which is income
// from date d on if it was not before. Between the two a night may have dropped
// the evidence row as too old to count: taking out then finds nothing to do,
// and putting back makes the row again, which the next night drops.
func (s *state) overturn(cs *reviewCase, out bool, d Day) {
	p := s.parties.Change(cs.reported)
	if !out {
		s.overturned.Drop(cs.subject)
		p.agent.transactions++
		s.putBack(cs.reported, cs.sponsor, &cs.earned, clearTime{})
		return
	}
	p.agent.transactions--
	s.earnShare(s.takeBack(cs.reported, cs.sponsor, &cs.earned), d)
	s.overturned.Put(cs.subject, cs.id)
}

// appealDue makes a judgement final that nobody appealed.
func (s *state) appealDue(id uint64, on deadline) Fact {
	cs, err := s.reviewCase(id)
	if err != nil || cs.final || !cs.state.decided() || cs.until != on {
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
	s.deadlines.plan(casePays, e.At, cs.id)
}

// Once a case is final, bonds return or are lost, and the treasury pays
// reviewers and reporters: an entry each, so that every statement says what it
// was for. The treasury is debited by these rules alone and by no command.

// paymentReason says what a payment of a case is for.
type paymentReason uint8

const (
	bondReturned paymentReason = iota + 1
	bondLost
	verdictFee
	reportReward
)

var paymentReasonNames = names{"", "bond_returned", "bond_lost", "verdict_fee", "report_reward"}

// casePayment is one payment behind a final case.
type casePayment struct {
	party  string
	reason paymentReason
	amount Credits
	from   Account
	to     Account
}

// casePayments lists the payments behind a final case, in a fixed order, those
// of nothing included.
func (s *state) casePayments(cs *reviewCase) (all []casePayment) {
	r := &s.law.Review
	reports := append([]joinedReport{{cs.id, cs.reporter, cs.bond}}, cs.joined...)
	for _, x := range reports {
		p := s.parties.At(x.reporter)
		pay := casePayment{p.slug, bondReturned, x.bond, Escrow(x.entry), Wallet(p.slug)}
		if cs.groundless() {
			pay.reason, pay.to = bondLost, Treasury
		}
		all = append(all, pay)
	}
	for _, x := range reports {
		p := s.parties.At(x.reporter)
		if cs.state == CaseUpheld && p.kind != OperatorParty && !(r.RefundForReward && s.refunded(cs, x.reporter)) {
			all = append(all, casePayment{p.slug, reportReward, r.ReportReward, Treasury, s.purse(p)})
		}
	}
	for _, v := range cs.votes {
		slug := s.parties.At(v.reviewer).slug
		all = append(all, casePayment{slug, verdictFee, r.VerdictFee, Treasury, Wallet(slug)})
	}
	return all
}

// refunded reports whether the pay of what a case is about returned to a party.
func (s *state) refunded(cs *reviewCase, i uint32) bool {
	_, returned := s.returned.Get(cs.subject)
	return returned && i == cs.sponsor
}

// purse is the account that a party's own credits lie in.
func (s *state) purse(p *party) Account {
	if p.kind == SponsorParty {
		return SponsorFunds(p.slug)
	}
	return Wallet(p.slug)
}

// groundless reports whether reviewers dismissed a case and none of all that
// were heard found anything in it.
func (r *reviewCase) groundless() bool {
	heard := 0
	for _, v := range r.votes {
		switch {
		case v.sealed():
		case v.uphold:
			return false
		case v.round == r.round:
			heard++
		}
	}
	return r.state == CaseDismissed && r.byPanel && heard > 0
}

// nextPayment returns the first payment of a case from a place on that moves
// anything, and its place; false where all are booked.
func (s *state) nextPayment(cs *reviewCase) (at uint32, p casePayment, ok bool) {
	if !cs.final {
		return 0, p, false
	}
	all := s.casePayments(cs)
	for k := int(cs.paid); k < len(all); k++ {
		if all[k].amount > 0 {
			return uint32(k), all[k], true
		}
	}
	return 0, p, false
}

// paymentDue books the next payment of a final case. What the treasury does not
// cover is owed, or lapses under rules without IncomeDays, and the entry says so.
func (s *state) paymentDue(it dueItem, at Millis) (Fact, []move) {
	cs, err := s.reviewCase(it.id)
	if err != nil {
		return nil, nil
	}
	place, p, ok := s.nextPayment(cs)
	if !ok {
		return nil, nil
	}
	f := &CasePaid{Case: cs.id, Place: place, Party: p.party, Reason: p.reason, Amount: p.amount}
	if p.from == Treasury && (len(s.treasury.owed.ids) > 0 || s.spendable(at) < p.amount) {
		f.Owed = s.law.Review.IncomeDays > 0
		f.Unpaid = !f.Owed
		return f, nil
	}
	return f, []move{{p.from, -p.amount}, {p.to, p.amount}}
}

// CasePaid records a payment behind a final case.
type CasePaid struct {
	Case   uint64
	Place  uint32 // in the list of the case's payments
	Party  string // whom it concerns
	Reason paymentReason
	Amount Credits
	Unpaid bool // the treasury did not cover it, and it lapsed
	Owed   bool // the treasury's income did not cover it, and it is paid later
	Late   bool // it was owed until now
}

func (*CasePaid) kind() Kind { return KindCasePaid }

func (*CasePaid) asked(*pastView) (command, error) { return nil, nil }

func (f *CasePaid) fields(c *wire.Codec) {
	wire.Num(c, "case", &f.Case)
	wire.Num(c, "place", &f.Place)
	wire.Str(c, "party", &f.Party)
	enum(c, "reason", &f.Reason, paymentReasonNames)
	wire.Amount(c, "amount", &f.Amount)
	c.Flag("unpaid", &f.Unpaid)
	c.Flag("owed", &f.Owed)
	c.Flag("late", &f.Late)
}

func (f *CasePaid) apply(s *state, e *Entry) {
	i, ok := s.slugs.Get(f.Party)
	if !ok {
		return
	}
	if cs, err := s.reviewCase(f.Case); err == nil && !f.Late {
		s.cases.Edit(cs).paid = f.Place + 1
	}
	s.treasury.book(f, i, e)
	s.notify(i, e.Seq, noticeVerdict)
}

func (f *CasePaid) notice(noticeKind, string) (uint64, string) {
	what := map[paymentReason]string{
		bondReturned: "your bond of %s credits came back",
		bondLost:     "your bond of %s credits was lost, since no reviewer found anything in the report",
		verdictFee:   "the treasury paid you %s credits for your verdict",
		reportReward: "the treasury paid you %s credits for your report",
	}[f.Reason]
	text := fmt.Sprintf("Case %d is final: "+what+".", f.Case, f.Amount)
	switch {
	case f.Owed:
		text = fmt.Sprintf("Case %d is final. The treasury owes you %s credits, and pays them when its income covers them.", f.Case, f.Amount)
	case f.Late:
		text = fmt.Sprintf("Case %d: "+what+", which it owed you.", f.Case, f.Amount)
	case f.Unpaid:
		text = fmt.Sprintf("Case %d is final. The treasury could not pay you %s credits.", f.Case, f.Amount)
	}
	return f.Case, text
}
