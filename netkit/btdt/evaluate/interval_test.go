package evaluate

import (
	"math"
	"testing"
)

// The bounds solve |p - x| = z √(x(1-x)/n), which defines the interval.
func TestIntervalIsWilsons(t *testing.T) {
	for _, c := range [][2]int{{0, 10}, {1, 10}, {539, 572}, {160, 160}, {77, 2210}} {
		low, high := Interval(c[0], c[1])
		p, n := float64(c[0])/float64(c[1]), float64(c[1])
		for _, bound := range []float64{low / 100, high / 100} {
			got, want := math.Abs(p-bound), 1.959964*math.Sqrt(bound*(1-bound)/n)
			if math.Abs(got-want) > 1e-6 {
				t.Errorf("%d of %d: bound %.5f is %.7f away, want %.7f", c[0], c[1], bound, got, want)
			}
		}
		if low >= high || low > 100*p+1e-9 || high < 100*p-1e-9 {
			t.Errorf("%d of %d: got %.3f to %.3f, want an interval around the share", c[0], c[1], low, high)
		}
	}
	if low, high := Interval(0, 0); low != 0 || high != 100 {
		t.Errorf("0 of 0: got %.1f to %.1f, want 0 to 100", low, high)
	}
}
