package netkit

import (
	"slices"

	"github.com/agentnet/netctl/netkit/internal/wire"
)

// A payer weighs for an agent at most as far as it pays others: see package
// score, Edge.Others. What a party paid to all is kept as one sum and as one
// row a date, since it is asked for with every score.

// payer is what a party paid that counted for the diversity of those it paid.
type payer struct {
	sum  Credits // of all rows
	rows []paidOn
}

// paidOn is the part of a date.
type paidOn struct {
	day Day
	sum Credits
}

func (p *payer) fields(c *wire.Codec) {
	wire.Amount(c, "sum", &p.sum)
	wire.List(c, "days", &p.rows, object[paidOn])
}

func (r *paidOn) fields(c *wire.Codec) {
	wire.Num(c, "day", &r.day)
	wire.Amount(c, "sum", &r.sum)
}

// addPaid adds a counted payment of party j, or takes one back, on the date
// from which it counts.
func (s *state) addPaid(j uint32, d Day, counted Credits) {
	if counted == 0 {
		return
	}
	if s.agenda.At(j).payer == 0 {
		s.agenda.Change(j).payer = s.payers.Add(payer{})
	}
	p := s.payers.Change(s.agenda.At(j).payer)
	p.sum += counted
	k := len(p.rows)
	for k > 0 && p.rows[k-1].day > d {
		k--
	}
	if k > 0 && p.rows[k-1].day == d {
		s.paidOn.Edit(&p.rows[k-1]).sum += counted
		return
	}
	p.insert(k, paidOn{d, counted}, s.nextNight()-Day(s.law.Scores.DiversityDays))
}

// insert puts a row at k into a new list, since the old one has to stay as it
// was for a rollback, without the rows up to the date gone: no night looks at
// these any more.
func (p *payer) insert(k int, row paidOn, gone Day) {
	rows := make([]paidOn, 0, len(p.rows)+1)
	for i, r := range slices.Insert(slices.Clip(p.rows), k, row) {
		if r.day <= gone && i != k {
			p.sum -= r.sum
			continue
		}
		rows = append(rows, r)
	}
	p.rows = rows
}

// paidIn returns what party j paid that counts in the window of so many days
// that ends with a date. The sum has it but for a few rows at either end.
func (s *state) paidIn(j uint32, date Day, days int) Credits {
	p := s.payers.At(s.agenda.At(j).payer)
	sum, rows := p.sum, p.rows
	for ; len(rows) > 0 && int(date-rows[0].day) >= days; rows = rows[1:] {
		sum -= rows[0].sum
	}
	for k := len(rows) - 1; k >= 0 && rows[k].day > date; k-- {
		sum -= rows[k].sum
	}
	return sum
}
