package score

import "slices"

// payees is how many payees a payer's list holds.
const payees = 32

// Payees lists whom a payer pays most, of late: the heaviest payees of a stream
// of payments, by the algorithm Space-Saving (A. Metwally, D. Agrawal and A. El
// Abbadi, "Efficient computation of frequent and top-k elements in data
// streams", 2005). Weights halve with every period, so that old payments fade.
// The zero value is empty.
type Payees struct {
	Period int64 // of the latest payment
	Rows   []Payee
}

// Payee is one of them and what it was paid, in hundredths.
type Payee struct {
	Row uint32
	Sum int64
}

// Paid adds a payment of hundredths in a period; less than 0 takes one back. A row
// that stays where it is changes through edit, which may keep its old value.
func (p *Payees) Paid(payee uint32, amount, period int64, edit func(*Payee) *Payee) {
	p.fade(period)
	k := slices.IndexFunc(p.Rows, func(r Payee) bool { return r.Row == payee })
	switch {
	case k >= 0:
		r := edit(&p.Rows[k])
		r.Sum = max(0, r.Sum+amount)
	case amount <= 0: // its payment has faded or given way
	case len(p.Rows) < payees:
		p.Rows = append(p.Rows, Payee{payee, amount})
	default:
		r := edit(&p.Rows[lightest(p.Rows)])
		*r = Payee{payee, r.Sum + amount}
	}
}

// fade halves all sums for each period that began, in a list of its own.
func (p *Payees) fade(period int64) {
	if period <= p.Period {
		return
	}
	rows := make([]Payee, 0, payees)
	for _, r := range p.Rows {
		if r.Sum >>= min(63, period-p.Period); r.Sum > 0 {
			rows = append(rows, r)
		}
	}
	p.Period, p.Rows = period, rows
}

// lightest returns where the smallest sum is, the first of several.
func lightest(rows []Payee) (at int) {
	for k := range rows {
		if rows[k].Sum < rows[at].Sum {
			at = k
		}
	}
	return at
}

// Alike is the part of their payments that two payers share, in basis points,
// with one payee left aside: 10,000 if they pay the same others in the same
// proportion, or both pay nobody else.
func (p *Payees) Alike(q *Payees, aside uint32) int64 {
	mine, theirs := p.without(aside), q.without(aside)
	if mine == 0 || theirs == 0 {
		return alikeIf(mine == theirs)
	}
	var shared int64
	for _, a := range p.Rows {
		for _, b := range q.Rows {
			if a.Row == b.Row && a.Row != aside {
				shared += min(part(a.Sum, mine), part(b.Sum, theirs))
			}
		}
	}
	return shared
}

func alikeIf(same bool) int64 {
	if same {
		return One
	}
	return 0
}

// without returns what all but one payee were paid.
func (p *Payees) without(aside uint32) (sum int64) {
	for _, r := range p.Rows {
		if r.Row != aside {
			sum += r.Sum
		}
	}
	return sum
}

func part(of, all int64) int64 { return int64(mulDiv(uint64(of), One, uint64(all))) }

// Source is one payer of an income.
type Source struct {
	Payer  uint32
	In     int64   // what it paid, hundredths
	Payees *Payees // nil: like no other payer
}

// sources is how many payers of an income are compared, the largest first.
const sources = 16

// Sources are the payers of an income. The zero value has none; the order of
// adding does not matter, each payer comes exactly once.
type Sources struct {
	total   int64
	n       int
	largest [sources]Source // n of them, the largest first
}

// Add adds a payer.
func (all *Sources) Add(s Source) {
	all.total += s.In
	before := func(o *Source) bool { return o.In > s.In || o.In == s.In && o.Payer < s.Payer }
	k := all.n
	if k == sources {
		if before(&all.largest[k-1]) {
			return
		}
		k--
	} else {
		all.n++
	}
	for ; k > 0 && !before(&all.largest[k-1]); k-- {
		all.largest[k] = all.largest[k-1]
	}
	all.largest[k] = s
}

// Likeness is the chance, in basis points, that two credits of an income drawn
// at random come from one payer or from payers that pay the same others: one
// minus the quadratic entropy of C. R. Rao ("Diversity and dissimilarity
// coefficients", 1982) with the distance of payers by whom else they pay, where
// payers beyond the sixteen largest are like nobody. It stops once the chance
// cannot pass most any more, and then returns what it could be at most.
func (all *Sources) Likeness(aside uint32, most int64) int64 {
	if all.total == 0 {
		return 0
	}
	var compared int64
	var shares [sources]int64
	largest := all.largest[:all.n]
	for i := range largest {
		shares[i] = part(largest[i].In, all.total)
		compared += shares[i]
	}
	likeness := compared * compared * One
	for i := range largest {
		for j := range i {
			if likeness <= most*One*One {
				return likeness / (One * One)
			}
			likeness -= 2 * shares[i] * shares[j] * (One - largest[i].like(&largest[j], aside))
		}
	}
	return likeness / (One * One)
}

func (s *Source) like(other *Source, aside uint32) int64 {
	if s.Payees == nil || other.Payees == nil {
		return 0
	}
	return s.Payees.Alike(other.Payees, aside)
}
