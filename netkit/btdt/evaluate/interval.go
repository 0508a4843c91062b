package evaluate

import "math"

// Interval is the 95 % interval of a share by Wilson's score, in per cent: where the
// share in other texts of the same kind likely lies. A share of nothing may be any.
func Interval(part, whole int) (low, high float64) {
	if whole == 0 {
		return 0, 100
	}
	const z = 1.959964
	p, n := float64(part)/float64(whole), float64(whole)
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return 100 * max(0, middle-half), 100 * min(1, middle+half)
}
