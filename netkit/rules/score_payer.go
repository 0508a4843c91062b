package rules

import (
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/score"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// A payer weighs for an agent at most as far as it pays others: see package
// score, Edge.Others. What a party paid to all is kept as one sum and as one
// row a date, since it is asked for with every score.

// payer is what a party paid that counted for the diversity of those it paid.
type payer struct {
	Sum    netkit.Credits // of all rows
	rows   []paidOn
	payees payees // whom a sponsor pays most; empty for agents
}

// paidOn is the part of a date.
type paidOn struct {
	day   netkit.Day
	sum   netkit.Credits
	early netkit.Credits // of sum, accepted before the date: it counts from the acceptance on
}

func (p *payer) Fields(c *wire.Codec) {
	wire.Amount(c, "sum", &p.Sum)
	wire.List(c, "days", &p.rows, object[paidOn])
	c.Member("payees", p.payees.Fields)
}

// payees is whom a sponsor pays most.
type payees struct{ score.Payees }

func (p *payees) Fields(c *wire.Codec) {
	wire.Num(c, "period", &p.Period)
	wire.List(c, "rows", &p.Rows, func(c *wire.Codec, r *score.Payee) {
		r = undo.Then(undo.FreezeOf(c.Freeze), r)
		c.Begin()
		wire.Num(c, "payee", &r.Row)
		wire.Amount(c, "sum", &r.Sum)
		c.End()
	})
}

func (r *paidOn) Fields(c *wire.Codec) {
	wire.Num(c, "day", &r.day)
	wire.Amount(c, "sum", &r.sum)
	wire.Amount(c, "early", &r.early)
}

// addPaid adds a counted payment of party j to agent i, or takes one back, on the
// date from which it counts.
func (s *State) addPaid(j, i uint32, d netkit.Day, counted netkit.Credits) {
	s.addPaidRow(j, i, paidOn{day: d, sum: counted})
}

// addPaidRow is addPaid for one that may count before its date.
func (s *State) addPaidRow(j, i uint32, row paidOn) {
	d, counted := row.day, row.sum
	if counted == 0 {
		return
	}
	if s.agenda.At(j).Payer == 0 {
		s.agenda.Change(j).Payer = s.payers.Add(payer{})
	}
	p := s.payers.Change(s.agenda.At(j).Payer)
	if s.parties.At(j).Kind == netkit.SponsorParty {
		s.addPayee(p, i, d, counted)
	}
	p.Sum += counted
	k := len(p.rows)
	for k > 0 && p.rows[k-1].day > d {
		k--
	}
	if k > 0 && p.rows[k-1].day == d {
		was := s.paidOn.Edit(&p.rows[k-1])
		was.sum, was.early = was.sum+row.sum, was.early+row.early
		return
	}
	p.insert(k, row, s.NextNight()-netkit.Day(s.law.Scores.DiversityDays))
}

// addPayee adds a payment to the list of whom a sponsor pays most. A period is
// half the look-back of diversity, so that a payment fades with its evidence.
func (s *State) addPayee(p *payer, i uint32, d netkit.Day, counted netkit.Credits) {
	period := int64(d) / int64(max(1, s.law.Scores.DiversityDays/2))
	p.payees.Paid(i, int64(counted), period, s.payeeRows.Edit)
}

// payeesOf returns whom a sponsor pays most, nil for an agent.
func (s *State) payeesOf(j uint32) *score.Payees {
	if s.parties.At(j).Kind != netkit.SponsorParty {
		return nil
	}
	return &s.payers.At(s.agenda.At(j).Payer).payees.Payees
}

// insert puts a row at k into a new list, since the old one has to stay as it
// was for a rollback, without the rows up to the date gone: no night looks at
// these any more.
func (p *payer) insert(k int, row paidOn, gone netkit.Day) {
	rows := make([]paidOn, 0, len(p.rows)+1)
	for i, r := range slices.Insert(slices.Clip(p.rows), k, row) {
		if r.day <= gone && i != k {
			p.Sum -= r.sum
			continue
		}
		rows = append(rows, r)
	}
	p.rows = rows
}

// PaidIn returns what party j paid that counts in the window of so many days
// that ends with a date. The sum has it but for a few rows at either end.
func (s *State) PaidIn(j uint32, date netkit.Day, days int) netkit.Credits {
	p := s.payers.At(s.agenda.At(j).Payer)
	sum, rows := p.Sum, p.rows
	for ; len(rows) > 0 && int(date-rows[0].day) >= days; rows = rows[1:] {
		sum -= rows[0].sum
	}
	for k := len(rows) - 1; k >= 0 && rows[k].day > date; k-- {
		sum -= rows[k].sum
		if s.law.Scores.AcceptedCounts {
			sum += rows[k].early
		}
	}
	return sum
}
