package netkit

import (
	"fmt"

	"github.com/agentnet/netctl/netkit/internal/wire"
)

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
		if cs.state == CaseUpheld && p.kind != OperatorParty {
			all = append(all, casePayment{p.slug, reportReward, r.ReportReward, Treasury, s.purse(p)})
		}
	}
	for _, v := range cs.votes {
		slug := s.parties.At(v.reviewer).slug
		all = append(all, casePayment{slug, verdictFee, r.VerdictFee, Treasury, Wallet(slug)})
	}
	return all
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

// paymentDue books the next payment of a final case. What the treasury does
// not cover is left unpaid, and the entry says so.
func (s *state) paymentDue(it dueItem) (Fact, []move) {
	cs, err := s.reviewCase(it.id)
	if err != nil {
		return nil, nil
	}
	at, p, ok := s.nextPayment(cs)
	if !ok {
		return nil, nil
	}
	f := &CasePaid{Case: cs.id, Place: at, Party: p.party, Reason: p.reason, Amount: p.amount}
	if s.held(p.from) < p.amount {
		f.Unpaid = true
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
}

func (f *CasePaid) apply(s *state, e *Entry) {
	cs, err := s.reviewCase(f.Case)
	i, ok := s.slugs.Get(f.Party)
	if err != nil || !ok {
		return
	}
	s.cases.Edit(cs).paid = f.Place + 1
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
	if f.Unpaid {
		text = fmt.Sprintf("Case %d is final. The treasury could not pay you %s credits.", f.Case, f.Amount)
	}
	return f.Case, text
}
