package score

// unit is one whole piece of evidence in thousandths: the U of the formulas.
const unit = 1000

// maxEvidence bounds each side of the evidence so that every step but one
// product and one square fits in 64 bits. It is 10¹² whole pieces; sums stop
// there instead of wrapping.
const maxEvidence = 1 << 50

// lowerBound is the lower end of the score interval of E. B. Wilson, "Probable
// inference, the law of succession, and statistical inference", Journal of the
// American Statistical Association 22 (1927), 209–212, for r positive and s negative thousandths
// at z = 2, in basis points, 0 without evidence. With n = r + s,
//
//	(p + z²/2n − z√(p(1−p)/n + z²/4n²)) / (1 + z²/n)
//
// becomes, multiplied out for z = 2 and U thousandths a piece,
//
//	(r + 2U − √4Q) / (n + 4U)   where Q = U² + ⌊U·r·s/n⌋
//
// The root is taken upwards, so the bound errs downwards. It needs no clamp at
// zero: (r + 2U)² = r² + 4Ur + 4U² ≥ 4Q, as s ≤ n.
func lowerBound(r, s uint64) int64 {
	n := r + s
	if n == 0 {
		return 0
	}
	q := uint64(unit*unit) + mulDiv(unit*r, s, n)
	root := ceilSqrt(scale(0, q, 4*One*One))
	return int64(((r+2*unit)*One - root) / (n + 4*unit))
}

// saturate adds to a sum of evidence and stops at maxEvidence.
func saturate(sum uint64, more int64) uint64 {
	return min(sum+uint64(more), maxEvidence)
}

// Wilson is the lower bound for plain counts in basis points: what is left of
// successes/(successes + failures) once chance has been given its due (z = 2).
// 16 clean successes reach 0.80, 10 reach 0.70. Without counts it is 0.
func Wilson(successes, failures int64) int64 {
	const most = maxEvidence / unit
	return lowerBound(unit*uint64(min(successes, most)), unit*uint64(min(failures, most)))
}
