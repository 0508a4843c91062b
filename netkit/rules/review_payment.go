package rules

import (
	"fmt"
	"slices"

	"github.com/agentnet/netctl/netkit"
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
	VerdictFee
	reportReward
)

var paymentReasonNames = netkit.Names{"", "bond_returned", "bond_lost", "verdict_fee", "report_reward"}

// casePayment is one payment behind a final case.
type casePayment struct {
	party  string
	reason paymentReason
	amount netkit.Credits
	from   netkit.Account
	to     netkit.Account
}

// casePayments lists the payments behind a final case, in a fixed order, those
// of nothing included.
func (s *State) casePayments(cs *ReviewCase) (all []casePayment) {
	r := &s.law.Review
	for _, x := range cs.reports() {
		p := s.parties.At(x.reporter)
		pay := casePayment{p.Slug, bondReturned, x.bond, netkit.Escrow(x.entry), s.purse(p)}
		if p.Kind == netkit.SponsorParty && !cs.upholds(x.subject) || p.Kind != netkit.SponsorParty && cs.groundless() {
			pay.reason, pay.to = bondLost, netkit.Treasury
		}
		all = append(all, pay)
	}
	rewarded := map[uint32]bool{}
	for _, x := range cs.reports() {
		p := s.parties.At(x.reporter)
		if !cs.upholds(x.subject) || rewarded[x.reporter] {
			continue
		}
		rewarded[x.reporter] = true
		if p.Kind != netkit.OperatorParty && !(r.RefundForReward && s.refunded(cs, x.reporter)) {
			all = append(all, casePayment{p.Slug, reportReward, r.ReportReward, netkit.Treasury, s.purse(p)})
		}
	}
	for _, v := range cs.votes {
		slug := s.parties.At(v.reviewer).Slug
		all = append(all, casePayment{slug, VerdictFee, r.VerdictFee, netkit.Treasury, netkit.Wallet(slug)})
	}
	return all
}

// refunded reports whether pay that a case is about returned to a party.
func (s *State) refunded(cs *ReviewCase, i uint32) bool {
	return i == cs.Sponsor && slices.ContainsFunc(cs.executions(), func(x *Earned) bool {
		_, returned := s.returned.Get(x.Id)
		return returned
	})
}

// nextReturn returns the next return of pay that a final case holds, nil if there
// is none.
func (s *State) nextReturn(cs *ReviewCase, at netkit.Millis) (Fact, []Move) {
	for _, x := range cs.executions() {
		if cs.final && cs.upholds(x.Id) && slices.Contains(cs.held, x.Id) && s.waitsForCase(cs.Reported, x.Id) {
			return s.GiveBack(x, cs.Sponsor, cs.id, at)
		}
	}
	return nil, nil
}

// owes reports whether payments or returns of a final case are not booked yet.
func (s *State) owes(cs *ReviewCase) bool {
	if f, _ := s.nextReturn(cs, s.root.At); f != nil {
		return true
	}
	_, _, left := s.nextPayment(cs)
	return left
}

// purse is the account that a party's own credits lie in.
func (s *State) purse(p *Party) netkit.Account {
	if p.Kind == netkit.SponsorParty {
		return netkit.SponsorFunds(p.Slug)
	}
	return netkit.Wallet(p.Slug)
}

// groundless reports whether reviewers dismissed a case and none of all that
// were heard found anything in it.
func (r *ReviewCase) groundless() bool {
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
	return r.State == netkit.CaseDismissed && r.byPanel && heard > 0
}

// nextPayment returns the first payment of a case from a place on that moves
// anything, and its place; false where all are booked.
func (s *State) nextPayment(cs *ReviewCase) (at uint32, p casePayment, ok bool) {
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
func (s *State) paymentDue(it dueItem, at netkit.Millis) (Fact, []Move) {
	cs, err := s.reviewCase(it.id)
	if err != nil {
		return nil, nil
	}
	if f, moves := s.nextReturn(cs, at); f != nil {
		return f, moves
	}
	place, p, ok := s.nextPayment(cs)
	if !ok {
		return nil, nil
	}
	f := &CasePaid{Case: cs.id, Place: place, Party: p.party, Reason: p.reason, Amount: p.amount}
	if p.from == netkit.Treasury && (len(s.treasury.Owed.Ids) > 0 || s.Spendable(at) < p.amount) {
		f.Owed = s.law.Review.IncomeDays > 0
		f.Unpaid = !f.Owed
		return f, nil
	}
	return f, []Move{{p.from, -p.amount}, {p.to, p.amount}}
}

// CasePaid records a payment behind a final case.
type CasePaid struct {
	Case   uint64
	Place  uint32 // in the list of the case's payments
	Party  string // whom it concerns
	Reason paymentReason
	Amount netkit.Credits
	Unpaid bool // the treasury did not cover it, and it lapsed
	Owed   bool // the treasury's income did not cover it, and it is paid later
	Late   bool // it was owed until now
}

func (*CasePaid) Kind() netkit.Kind { return netkit.KindCasePaid }

func (*CasePaid) CommandOf(*PastView) (Command, error) { return nil, nil }

func (f *CasePaid) Fields(c *wire.Codec) {
	wire.Num(c, "case", &f.Case)
	wire.Num(c, "place", &f.Place)
	wire.Str(c, "party", &f.Party)
	enum(c, "reason", &f.Reason, paymentReasonNames)
	wire.Amount(c, "amount", &f.Amount)
	c.Flag("unpaid", &f.Unpaid)
	c.Flag("owed", &f.Owed)
	c.Flag("late", &f.Late)
}

func (f *CasePaid) Apply(s *State, e *Entry) {
	i, ok := s.slugs.Get(f.Party)
	if !ok {
		return
	}
	if cs, err := s.reviewCase(f.Case); err == nil && !f.Late {
		s.cases.Edit(cs).paid = f.Place + 1
	}
	if s.parties.At(i).Kind == netkit.SponsorParty && (f.Reason == bondReturned || f.Reason == bondLost) {
		s.changeExtra(i).bought.bonds -= f.Amount
	}
	s.treasury.book(f, i, e)
	s.notify(i, e.Seq, noticeVerdict)
}

func (f *CasePaid) notice(noticeKind, string) (uint64, string) {
	what := map[paymentReason]string{
		bondReturned: "your bond of %s credits came back",
		bondLost:     "your bond of %s credits was lost, since the report was dismissed",
		VerdictFee:   "the treasury paid you %s credits for your verdict",
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
