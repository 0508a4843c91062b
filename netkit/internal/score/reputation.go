package score

// Pair is the evidence of one counterparty in thousandths, already aged.
type Pair struct {
	R int64 // positive
	S int64 // negative
}

// Cap scales a pair whose sum is above limit thousandths down to exactly limit,
// keeping its proportion: R' = ⌊limit·R/(R+S)⌋, S' = limit − R'. So one
// counterparty, however busy, is worth no more than limit.
func Cap(p Pair, limit int64) Pair {
	n := uint64(p.R) + uint64(p.S)
	if n <= uint64(limit) {
		return p
	}
	r := int64(mulDiv(uint64(limit), uint64(p.R), n))
	return Pair{R: r, S: limit - r}
}

// Aged is the weight of an amount of evidence age days old: all of it for the
// first full days, half until none days, nothing later. Halves are taken a row
// and rounded down; every even amount halves exactly, and the smallest piece of
// evidence that the rules know is 0.1, which is 100 thousandths. Evidence from a
// day that has not come yet (age < 0) weighs nothing, as in InWindow.
func Aged(amount, age, full, none int64) int64 {
	switch {
	case age < 0 || age >= none:
		return 0
	case age < full:
		return amount
	default:
		return amount / 2
	}
}

// Reputation accumulates the evidence about one agent. The zero value has none;
// the order does not matter, each counterparty comes exactly once.
type Reputation struct {
	r, s uint64 // thousandths
}

// Add counts one counterparty, capped at limit thousandths.
func (a *Reputation) Add(p Pair, limit int64) {
	p = Cap(p, limit)
	a.r = saturate(a.r, p.R)
	a.s = saturate(a.s, p.S)
}

// AddPenalty counts a penalty of review, in thousandths, already aged. It stands
// outside the cap, so that business with whoever reported does not shrink it.
func (a *Reputation) AddPenalty(thousandths int64) {
	a.s = saturate(a.s, thousandths)
}

// BasisPoints is the reputation: Wilson's lower bound at z, in basis points, on all
// that was added.
// 9500 is shown as 95.00.
func (a *Reputation) BasisPoints(z int64) int64 { return lowerBound(uint64(z), a.r, a.s) }
