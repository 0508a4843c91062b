package score

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestWilson(t *testing.T) {
	for _, c := range []struct{ successes, failures, want int64 }{
		{0, 0, 0},
		{0, 10, 0},
		{1, 0, 2000},
		{9, 0, 6923},
		{10, 0, 7142},
		{15, 0, 7894},
		{16, 0, 8000}, // exactly 0.8
		{23, 1, 7928},
		{24, 1, 8000},
		{75, 0, 9493},
		{76, 0, 9500}, // exactly 0.95
		{math.MaxInt64, 0, 9999},
		{0, math.MaxInt64, 0},
		{math.MaxInt64, math.MaxInt64, 4999},
	} {
		if got := Wilson(two, c.successes, c.failures); got != c.want {
			t.Errorf("Wilson(%d, %d): got %d, want %d", c.successes, c.failures, got, c.want)
		}
	}
}

// two is the z of the first constitution.
const two = 2 * One

func TestWilsonIsTheTextbookBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.Int64Range(0, 1<<rapid.IntRange(1, 40).Draw(t, "bits r")).Draw(t, "r")
		s := rapid.Int64Range(1, 1<<rapid.IntRange(1, 40).Draw(t, "bits s")).Draw(t, "s")
		z := rapid.Uint64Range(One, 3*One).Draw(t, "z")
		got, want := float64(lowerBound(z, uint64(r), uint64(s))), textbookWilson(z*z/(One*One/1000), r, s)
		// The last floor costs up to one, and the root taken upwards less than 0.01
		// more. Three floors make Q too small by up to A/U + 5/4, which makes the root
		// too small by at most that divided by A, since the root is at least A/2.
		// Times 10⁴/(n + A), with A at least U, that is below 0.0225.
		if got > want+0.0225 || got < want-1.01 {
			t.Fatalf("got %v, want the floor of %v", got, want)
		}
	})
}

func TestWilsonIsReputationWithoutACap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 1_000_000)
		a, b := n.Draw(t, "successes"), n.Draw(t, "failures")
		var rep Reputation
		rep.Add(Pair{R: 1000 * a, S: 1000 * b}, math.MaxInt64)
		want := refBound(num(1000*a), num(1000*b))
		if got := Wilson(two, a, b); got != want || rep.BasisPoints(two) != want {
			t.Fatalf("got %d and %d, want %d", got, rep.BasisPoints(two), want)
		}
	})
}
