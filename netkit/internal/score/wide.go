package score

import "math/bits"

// scale is hi:lo · m; the caller knows that the product fits in 128 bits.
func scale(hi, lo, m uint64) (uint64, uint64) {
	carry, low := bits.Mul64(lo, m)
	return hi*m + carry, low
}

// divide is ⌊hi:lo / d⌋ in full width.
func divide(hi, lo, d uint64) (uint64, uint64) {
	low, _ := bits.Div64(hi%d, lo, d)
	return hi / d, low
}

// mulDiv is ⌊a·b / d⌋; the caller knows that the quotient fits in 64 bits.
func mulDiv(a, b, d uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	q, _ := bits.Div64(hi, lo, d)
	return q
}

// ceilSqrt is ⌈√hi:lo⌉ for 0 < hi:lo < 2¹²⁴, by Newton's method from above: each
// step comes down until it would rise, and there stands the floor of the root.
func ceilSqrt(hi, lo uint64) uint64 {
	size := bits.Len64(lo)
	if hi != 0 {
		size = 64 + bits.Len64(hi)
	}
	x := uint64(1) << ((size + 1) / 2)
	for {
		// x is at least the floor of the root, so the quotient fits.
		q, _ := bits.Div64(hi, lo, x)
		next := (x + q) / 2
		if next >= x {
			break
		}
		x = next
	}
	if h, l := bits.Mul64(x, x); h != hi || l != lo {
		x++
	}
	return x
}
