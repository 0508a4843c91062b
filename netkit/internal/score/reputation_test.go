package score

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// limit is the number of the first constitution: 30 pieces a counterparty.
const limit = 30_000

func reputation(pairs []Pair, penalties ...int64) int64 {
	var a Reputation
	for _, p := range pairs {
		a.Add(p, limit)
	}
	for _, v := range penalties {
		a.AddPenalty(v)
	}
	return a.BasisPoints(two)
}

func TestCap(t *testing.T) {
	for _, c := range []struct{ in, want Pair }{
		{Pair{}, Pair{}},
		{Pair{30_000, 0}, Pair{30_000, 0}},
		{Pair{29_000, 1_000}, Pair{29_000, 1_000}},
		{Pair{30_001, 0}, Pair{30_000, 0}},
		{Pair{30_000, 1_000}, Pair{29_032, 968}},
		{Pair{0, 90_000}, Pair{0, 30_000}},
		{Pair{1, 30_000}, Pair{0, 30_000}},
		{Pair{math.MaxInt64, math.MaxInt64}, Pair{15_000, 15_000}},
	} {
		if got := Cap(c.in, limit); got != c.want {
			t.Errorf("Cap(%v): got %v, want %v", c.in, got, c.want)
		}
	}
}

func TestAged(t *testing.T) {
	for _, c := range []struct{ amount, age, want int64 }{
		{1000, 0, 1000},
		{1000, 89, 1000},
		{1000, 90, 500},
		{1000, 179, 500},
		{1000, 180, 0},
		{1000, -1, 0},
		{100, 90, 50}, // the smallest piece of evidence halves exactly
		{101, 90, 50},
	} {
		if got := Aged(c.amount, c.age, 90, 180); got != c.want {
			t.Errorf("Aged(%d, %d): got %d, want %d", c.amount, c.age, got, c.want)
		}
	}
}

func TestReputationAtItsThresholds(t *testing.T) {
	full := Pair{R: limit}
	for _, c := range []struct {
		name      string
		pairs     []Pair
		penalties []int64
		want      int64
	}{
		{"no evidence", nil, nil, 0},
		{"76 clean successes", []Pair{full, full, {R: 16_000}}, nil, 9500},
		{"half a tenth less", []Pair{full, full, {R: 15_950}}, nil, 9499},
		{"75 clean successes", []Pair{full, full, {R: 15_000}}, nil, 9493},
		{"one counterparty", []Pair{full}, nil, 8823},
		{"one busy counterparty", []Pair{{R: 1 << 40}}, nil, 8823},
		{"two busy counterparties", []Pair{{R: 1 << 40}, {R: 1 << 40}}, nil, 9375},
		{"one overturned", []Pair{full, full, full, {R: 21_450, S: 1000}}, nil, 9500},
		{"one overturned, less", []Pair{full, full, full, {R: 21_400, S: 1000}}, nil, 9499},
		{"first tenth", []Pair{{R: 100}}, nil, 243},
		{"penalty alone", nil, []int64{5000}, 0},
		{"penalty outside of the cap", []Pair{full}, []int64{20_000}, 4590},
		{"the same inside of it", []Pair{{R: limit, S: 20_000}}, nil, 4197},
		{"saturated", []Pair{full}, []int64{math.MaxInt64, math.MaxInt64}, 0},
	} {
		if got := reputation(c.pairs, c.penalties...); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}

// pair draws evidence in multiples of 50, the steps that rules can produce, from
// a tenth to far above the cap.
var pair = rapid.Custom(func(t *rapid.T) Pair {
	most := rapid.SampledFrom([]int64{20, 400, 2000, 1 << 40}).Draw(t, "most")
	return Pair{
		R: 50 * rapid.Int64Range(0, most).Draw(t, "r"),
		S: 50 * rapid.Int64Range(0, most).Draw(t, "s"),
	}
})

func TestReputationIsItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pairs := rapid.SliceOfN(pair, 0, 40).Draw(t, "pairs")
		penalties := rapid.SliceOfN(rapid.Int64Range(0, 50_000), 0, 5).Draw(t, "penalties")
		got, want := reputation(pairs, penalties...), refReputation(pairs, limit, penalties...)
		if got != want {
			t.Fatalf("got %d, want %d", got, want)
		}
		if got < 0 || got >= One {
			t.Fatalf("got %d, want 0 ≤ bp < 10000", got)
		}
		if again := reputation(rapid.Permutation(pairs).Draw(t, "order"), penalties...); again != got {
			t.Fatalf("in another order: got %d, want %d", again, got)
		}
	})
}

func TestReputationFollowsTheEvidence(t *testing.T) {
	small := rapid.Custom(func(t *rapid.T) Pair {
		draw := rapid.Int64Range(0, 1200)
		return Pair{R: 50 * draw.Draw(t, "r"), S: 50 * draw.Draw(t, "s")}
	})
	rapid.Check(t, func(t *rapid.T) {
		pairs := rapid.SliceOfN(small, 1, 20).Draw(t, "pairs")
		before := reputation(pairs)
		more := 50 * rapid.Int64Range(1, 100).Draw(t, "more")
		if got := reputation(pairs, more); got > before {
			t.Fatalf("with a penalty: got %d, want at most %d", got, before)
		}
		if got := reputation(append(pairs, Pair{R: more})); got < before {
			t.Fatalf("with a new friend: got %d, want at least %d", got, before)
		}
		pairs[0].R += more
		better := reputation(pairs)
		if better < before {
			t.Fatalf("with a success: got %d, want at least %d", better, before)
		}
		pairs[0].S += more
		if got := reputation(pairs); got > better {
			t.Fatalf("with a failure: got %d, want at most %d", got, better)
		}
	})
}

func TestHalvesAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tenths := rapid.SliceOf(rapid.Int64Range(0, 200)).Draw(t, "tenths")
		var halves, whole int64
		for _, n := range tenths {
			halves += Aged(100*n, 90, 90, 180)
			whole += 100 * n
		}
		if 2*halves != whole {
			t.Fatalf("got %d for both halves, want %d", 2*halves, whole)
		}
	})
}

func FuzzReputation(f *testing.F) {
	f.Add(uint64(76_000), uint64(0), uint64(0))
	f.Add(uint64(30_000), uint64(1), uint64(5_000))
	f.Fuzz(func(t *testing.T, r, s, penalty uint64) {
		p, v := Pair{R: int64(r >> 1), S: int64(s >> 1)}, int64(penalty>>14)
		if got, want := reputation([]Pair{p}, v), refReputation([]Pair{p}, limit, v); got != want {
			t.Errorf("%+v, penalty %d: got %d, want %d", p, v, got, want)
		}
	})
}
