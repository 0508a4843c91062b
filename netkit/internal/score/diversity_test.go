package score

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// shrink is the number of the first constitution.
const shrink = 25

func diversity(edges []Edge) int64 { return sharedDiversity(edges, 0) }

// sharedDiversity is diversity under a share of what payers paid others.
func sharedDiversity(edges []Edge, payerShare int64) int64 {
	d := Diversity{PayerShare: payerShare}
	for _, e := range edges {
		d.Add(e)
	}
	return d.BasisPoints(shrink)
}

// credits makes an edge of each whole weight.
func credits(weights ...int64) []Edge {
	edges := make([]Edge, len(weights))
	for i, w := range weights {
		edges[i] = Edge{In: w * 100}
	}
	return edges
}

func TestWeight(t *testing.T) {
	for _, c := range []struct {
		edge Edge
		want int64
	}{
		{Edge{}, 0},
		{Edge{In: 99}, 0},
		{Edge{In: 100}, 1},
		{Edge{In: 199}, 1},
		{Edge{In: 500, Out: 500}, 0},
		{Edge{In: 500, Out: 401}, 0},
		{Edge{In: 500, Out: 400}, 1},
		{Edge{In: 400, Out: 500}, 0},
		{Edge{Out: math.MaxInt64}, 0},
		{Edge{In: 500, Listed: true}, 0},
		{Edge{In: math.MaxInt64}, math.MaxInt64 / 100},
	} {
		if got := Weight(c.edge, 0); got != c.want {
			t.Errorf("Weight(%+v): got %d, want %d", c.edge, got, c.want)
		}
	}
}

// A payer weighs at most a share of what it paid others; with 5 % one that paid
// 20.00 to others weighs 1.00.
func TestAPayerWeighsAsFarAsItPaysOthers(t *testing.T) {
	for _, c := range []struct {
		edge        Edge
		share, want int64
	}{
		{Edge{In: 50_000, Others: 0}, 500, 0},
		{Edge{In: 50_000, Others: 1999}, 500, 0},
		{Edge{In: 50_000, Others: 2000}, 500, 1},
		{Edge{In: 50_000, Others: 200_000}, 500, 100},
		{Edge{In: 50_000, Others: 200_000}, 1000, 200},
		{Edge{In: 50_000, Others: 200_000}, 0, 500},
		{Edge{In: 50_000, Others: 200_000}, One, 500},
		{Edge{In: 300, Out: 100, Others: 200_000}, 500, 2},
		{Edge{In: 50_000, Out: 49_900, Others: 200_000}, 500, 1}, // what went back is netted first
		{Edge{In: 50_000, Others: -50_000}, 500, 0},
		{Edge{In: 50_000, Others: 200_000, Listed: true}, 500, 0},
		{Edge{In: math.MaxInt64, Others: math.MaxInt64}, One, math.MaxInt64 / 100},
	} {
		if got := Weight(c.edge, c.share); got != c.want {
			t.Errorf("Weight(%+v, %d): got %d, want %d", c.edge, c.share, got, c.want)
		}
	}
}

func TestDiversityAtItsThresholds(t *testing.T) {
	for _, c := range []struct {
		edges []Edge
		want  int64
	}{
		{nil, 0},
		{credits(0, 0), 0},
		{credits(1_000_000), 0},
		{credits(1, 14, 22), 2999},
		{credits(1, 2, 10, 24), 2999},
		{credits(6, 7, 28), 3000},
		{credits(3, 3, 3, 3, 3), 3000}, // exactly 0.3
		{credits(2, 3, 3, 3, 3), 2857},
		{credits(18, 34, 37), 4999},
		{credits(18, 34, 38), 5000},
		{credits(25, 25, 25), 5000}, // exactly 0.5
		{credits(24, 25, 25), 4982},
		{credits(slices.Repeat([]int64{1}, 27)...), 5000},
		{credits(1_000_000, 1_000_000), 4999}, // two never pass 0.5
		{credits(math.MaxInt64/100, math.MaxInt64/100), 4999},
		{append(credits(25, 25), Edge{In: 2500, Listed: true}), 3333},
		{append(credits(25, 25), Edge{In: 2500, Out: 2500}), 3333},
	} {
		if got := diversity(c.edges); got != c.want {
			t.Errorf("diversity of %+v: got %d, want %d", c.edges, got, c.want)
		}
	}
}

func TestDiversityBeyondAllCreditsPanics(t *testing.T) {
	var d Diversity
	d.Add(Edge{In: math.MaxInt64})
	d.Add(Edge{In: math.MaxInt64})
	defer func() {
		if recover() == nil {
			t.Error("got no panic, want one: the sum is more than can be issued")
		}
	}()
	d.Add(Edge{In: 10_000})
}

// edge draws flows small enough to net each other and large enough to need 128
// bits.
var edge = rapid.Custom(func(t *rapid.T) Edge {
	most := rapid.SampledFrom([]int64{500, 100_000, math.MaxInt64 / 40}).Draw(t, "most")
	return Edge{
		In:     rapid.Int64Range(0, most).Draw(t, "in"),
		Out:    rapid.Int64Range(0, most).Draw(t, "out") / rapid.Int64Range(1, 5).Draw(t, "part"),
		Listed: rapid.IntRange(0, 9).Draw(t, "listed") == 0,
		Others: rapid.Int64Range(-100, most).Draw(t, "others"),
	}
})

func TestDiversityIsItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		edges := rapid.SliceOfN(edge, 0, 40).Draw(t, "edges")
		share := rapid.SampledFrom([]int64{0, 1, 500, One}).Draw(t, "share")
		got, want := sharedDiversity(edges, share), refDiversity(edges, shrink, share)
		if got != want {
			t.Fatalf("got %d, want %d", got, want)
		}
		if got < 0 || got >= One {
			t.Fatalf("got %d, want 0 ≤ bp < 10000", got)
		}
		if again := sharedDiversity(rapid.Permutation(edges).Draw(t, "order"), share); again != got {
			t.Fatalf("in another order: got %d, want %d", again, got)
		}
	})
}

func TestFewPayersStayLow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		edges := rapid.SliceOfN(edge, 1, 2).Draw(t, "edges")
		if got := diversity(edges[:1]); got != 0 {
			t.Fatalf("one payer: got %d, want 0", got)
		}
		if got := diversity(edges); got > 5000 {
			t.Fatalf("two payers: got %d, want at most 5000", got)
		}
	})
}

// weights draws payers in whole credits, where the monotone properties hold
// without the loss of a floor.
var weights = rapid.SliceOfN(rapid.Int64Range(1, 100_000), 1, 30)

// What raises diversity: paying through one more payer, all payers growing
// alike, the smallest payer growing. A large payer growing does not, see the
// table below.
func TestWhatNeverLowersDiversity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ws := weights.Draw(t, "weights")
		before := diversity(credits(ws...))
		never := func(what string, after []int64) {
			t.Helper()
			if got := diversity(credits(after...)); got < before {
				t.Fatalf("%s: got %d, want at least %d", what, got, before)
			}
		}
		i := rapid.IntRange(0, len(ws)-1).Draw(t, "who")
		part := rapid.Int64Range(0, ws[i]).Draw(t, "part")
		split := append(slices.Clone(ws), part)
		split[i] -= part
		never("one payer split into two", split)

		factor := rapid.Int64Range(1, 50).Draw(t, "factor")
		grown := slices.Clone(ws)
		for i := range grown {
			grown[i] *= factor
		}
		never("all payers grown alike", grown)

		slices.Sort(ws)
		if len(ws) > 1 {
			ws[0] = rapid.Int64Range(ws[0], ws[1]).Draw(t, "smallest")
		}
		never("the smallest payer grown", ws)
	})
}

func TestOneLargePayerLowersDiversity(t *testing.T) {
	even := diversity(credits(50, 50, 50))
	tilted := diversity(credits(50, 50, 5000))
	if even != 5714 || tilted != 384 {
		t.Errorf("got %d and %d, want 5714 and 384", even, tilted)
	}
}

func FuzzDiversity(f *testing.F) {
	f.Add([]byte{})
	f.Add(binary.BigEndian.AppendUint64(nil, 2500))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var edges []Edge
		for len(raw) >= 16 && len(edges) < 100 {
			in, out := binary.BigEndian.Uint64(raw), binary.BigEndian.Uint64(raw[8:])
			edges = append(edges, Edge{In: int64(in >> 8), Out: int64(out >> (8 + in%40)), Listed: out%16 == 15, Others: int64(in>>9) - int64(out>>12)})
			raw = raw[16:]
		}
		for _, share := range []int64{0, 500} {
			if got, want := sharedDiversity(edges, share), refDiversity(edges, shrink, share); got != want {
				t.Errorf("share %d: got %d, want %d for %+v", share, got, want, edges)
			}
		}
	})
}
