package score

import "math/bits"

// maxWeights is the largest Σw whose square times One fits in 128 bits. It
// cannot be reached: a settlement uses up at least c of backing and passes on at
// most c/4, so all counted payments together stay within 4/3 of all deposits.
// Those fit in an int64 of hundredths, hence Σw ≤ 4/3 · 2⁶³/100 < 2⁶⁴/100.
const maxWeights = (1<<64 - 1) / hundredths

// Edge is what flowed between one payee and one payer inside the look-back.
type Edge struct {
	In     int64 // counted payments from the payer, hundredths
	Out    int64 // gross payments back to the payer, hundredths
	Listed bool  // the payer is in the rogue registry and weighs nothing
	Others int64 // counted payments from the payer to others, hundredths
}

// Net is what an edge weighs in hundredths: what came in above what went back,
// and at most payerShare of what the payer paid others. A payer counts for a
// payee as far as it pays others, which makes own sponsors and puppets as dear
// as the business of many. The share is in basis points; 0 is no limit.
func Net(e Edge, payerShare int64) int64 {
	if e.Listed || e.In <= e.Out {
		return 0
	}
	if payerShare == 0 {
		return e.In - e.Out
	}
	return min(e.In-e.Out, int64(mulDiv(uint64(max(0, e.Others)), uint64(payerShare), One)))
}

// Weight is Net in whole credits.
func Weight(e Edge, payerShare int64) int64 { return Net(e, payerShare) / hundredths }

// Diversity accumulates the edges of one payee. The zero value has none; the
// order of edges does not matter, each payer comes exactly once.
type Diversity struct {
	PayerShare int64 // see [Net]

	s1         uint64 // Σw
	s2hi, s2lo uint64 // Σw²
}

// Add counts one payer.
func (d *Diversity) Add(e Edge) {
	w := uint64(Weight(e, d.PayerShare))
	if w > maxWeights-d.s1 {
		panic("score: payments to one agent exceed all credits that can be issued")
	}
	d.s1 += w
	hi, lo := bits.Mul64(w, w)
	var carry uint64
	d.s2lo, carry = bits.Add64(d.s2lo, lo, 0)
	d.s2hi, _ = bits.Add64(d.s2hi, hi, carry)
}

// BasisPoints is ⌊10⁴·(S1² − S2) / (S1·(S1 + shrink))⌋, 0 without weight:
// the Gini–Simpson index (C. Gini, "Variabilità e mutabilità", 1912; E. H.
// Simpson, "Measurement of diversity", Nature 163, 1949, 688), the chance that two credits drawn at random came from
// different payers, shrunk towards 0 as if shrink credits more had come from
// nobody. One payer gives exactly 0; n payers never pass 1 − 1/n.
func (d *Diversity) BasisPoints(shrink int64) int64 {
	if d.s1 == 0 {
		return 0
	}
	hi, lo := bits.Mul64(d.s1, d.s1)
	lo, borrow := bits.Sub64(lo, d.s2lo, 0)
	hi, _ = bits.Sub64(hi, d.s2hi, borrow)
	hi, lo = scale(hi, lo, One)
	// ⌊n/(a·b)⌋ = ⌊⌊n/a⌋/b⌋ saves a division by 128 bits.
	hi, lo = divide(hi, lo, d.s1)
	_, lo = divide(hi, lo, d.s1+uint64(shrink))
	return int64(lo)
}
