package score

import "testing"

func FuzzCeilSqrt(f *testing.F) {
	f.Add(uint64(0), uint64(1))
	f.Add(uint64(0), uint64(400_000_000_000_000))
	f.Add(uint64(1), uint64(0))
	f.Add(uint64(1<<60-1), ^uint64(0))
	f.Fuzz(func(t *testing.T, hi, lo uint64) {
		hi >>= 4
		for _, n := range [][2]uint64{{hi, lo}, {0, lo}} {
			if n == [2]uint64{} {
				continue
			}
			got, want := ceilSqrt(n[0], n[1]), refCeilSqrt(wide(n[0], n[1]))
			if wide(0, got).Cmp(want) != 0 {
				t.Errorf("√%v: got %d, want %v", wide(n[0], n[1]), got, want)
			}
		}
	})
}

func TestCeilSqrtAroundSquares(t *testing.T) {
	for _, x := range []uint64{1, 2, 3, 20_000, 1<<31 - 1, 1<<32 - 1} {
		for _, c := range []struct{ n, want uint64 }{{x * x, x}, {x*x + 1, x + 1}} {
			if got := ceilSqrt(0, c.n); got != c.want {
				t.Errorf("√%d: got %d, want %d", c.n, got, c.want)
			}
		}
	}
}

func FuzzDivide(f *testing.F) {
	f.Add(uint64(1), uint64(0), uint64(3), uint64(10_000))
	f.Fuzz(func(t *testing.T, hi, lo, d, m uint64) {
		if d == 0 {
			return
		}
		gotHi, gotLo := divide(hi, lo, d)
		if got, want := wide(gotHi, gotLo), quotient(wide(hi, lo), wide(0, d)); got.Cmp(want) != 0 {
			t.Errorf("%v / %d: got %v, want %v", wide(hi, lo), d, got, want)
		}
		hi, m = hi>>16, m>>48 // keeps the product in 128 bits
		gotHi, gotLo = scale(hi, lo, m)
		if got, want := wide(gotHi, gotLo), product(wide(hi, lo), wide(0, m)); got.Cmp(want) != 0 {
			t.Errorf("%v · %d: got %v, want %v", wide(hi, lo), m, got, want)
		}
	})
}
