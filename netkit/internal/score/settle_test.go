package score

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// dayCap is the number of the first constitution: 100.00 a pair and day.
const dayCap = 10_000

// quarter is the part of a payment that is passed on under it.
const quarter = One / 4

func TestSettle(t *testing.T) {
	for _, c := range []struct {
		name string
		in   Payment
		want Settlement
	}{
		{"backed execution", Payment{Gross: 200, Net: 170, Backing: 10_000}, Settlement{200, 170, 42}},
		{"backed request", Payment{Gross: 1200, Net: 1200, Backing: 1200}, Settlement{1200, 1200, 300}},
		{"no backing", Payment{Gross: 1200, Net: 1200}, Settlement{}},
		{"backing between net and gross", Payment{Gross: 200, Net: 170, Backing: 180}, Settlement{180, 170, 42}},
		{"backing below net", Payment{Gross: 200, Net: 170, Backing: 3}, Settlement{3, 3, 0}},
		{"young payer uses its backing up", Payment{Gross: 1200, Net: 1200, Backing: 5000, Young: true}, Settlement{Used: 1200}},
		{"cap leaves a part", Payment{Gross: 1200, Net: 1200, Backing: 5000, Counted: 9_300}, Settlement{1200, 700, 175}},
		{"cap reached", Payment{Gross: 1200, Net: 1200, Backing: 5000, Counted: dayCap}, Settlement{Used: 1200}},
		{"cap lowered since", Payment{Gross: 1200, Net: 1200, Backing: 5000, Counted: 2 * dayCap}, Settlement{Used: 1200}},
		{"larger than a day", Payment{Gross: 50_000, Net: 50_000, Backing: 50_000}, Settlement{50_000, 10_000, 2500}},
	} {
		if got := Settle(c.in, dayCap, quarter); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestSettleKeepsItsBounds(t *testing.T) {
	amount := rapid.Int64Range(0, 30_000)
	rapid.Check(t, func(t *rapid.T) {
		p := Payment{
			Gross: amount.Draw(t, "gross"), Backing: amount.Draw(t, "backing"),
			Young: rapid.Bool().Draw(t, "young"), Counted: rapid.Int64Range(0, dayCap).Draw(t, "counted"),
		}
		p.Net = rapid.Int64Range(0, p.Gross).Draw(t, "net")
		s := Settle(p, dayCap, quarter)
		switch {
		case s.Used > p.Backing || s.Used > p.Gross:
			t.Fatalf("got %d used, want at most the backing and the gross", s.Used)
		case s.Counted < 0 || s.Counted > s.Used || s.Counted > p.Net || s.Counted+p.Counted > dayCap:
			t.Fatalf("got %d counted, want within net, backing and cap", s.Counted)
		case p.Young && s.Counted != 0:
			t.Fatalf("got %d counted from a young payer, want 0", s.Counted)
		case s.Passed != s.Counted/4:
			t.Fatalf("got %d passed on, want %d", s.Passed, s.Counted/4)
		}
	})
}

func TestSplit(t *testing.T) {
	for _, c := range []struct{ gross, share, agent, treasury int64 }{
		{200, 8500, 170, 30},
		{500, 8500, 425, 75},
		{1000, 8500, 850, 150},
		{2000, 8500, 1700, 300},
		{1, 8500, 0, 1},
		{333, 8500, 283, 50},
		{0, 8500, 0, 0},
		{777, 0, 0, 777},
		{777, One, 777, 0},
		{math.MaxInt64, 8500, 7_839_866_231_326_559_435, 1_383_505_805_528_216_372},
		{math.MaxInt64, One, math.MaxInt64, 0},
	} {
		agent, treasury := Split(c.gross, c.share)
		if agent != c.agent || treasury != c.treasury {
			t.Errorf("Split(%d, %d): got %d + %d, want %d + %d", c.gross, c.share, agent, treasury, c.agent, c.treasury)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add(uint64(200), uint16(8500))
	f.Fuzz(func(t *testing.T, rawGross uint64, rawShare uint16) {
		gross, share := int64(rawGross>>1), int64(rawShare)%(One+1)
		agent, treasury := Split(gross, share)
		want := quotient(product(num(gross), num(share)), num(One)).Int64()
		if agent != want || agent+treasury != gross || treasury < 0 {
			t.Errorf("Split(%d, %d): got %d + %d, want %d and the rest", gross, share, agent, treasury, want)
		}
	})
}

// ring is a small economy that does nothing but pay: what rules do with Settle,
// over one day, kept in maps.
type ring struct {
	backing []int64
	in, out map[[2]int]int64
	counted int64
}

func newRing(size int) *ring {
	return &ring{backing: make([]int64, size), in: map[[2]int]int64{}, out: map[[2]int]int64{}}
}

// pay settles gross from j to i as an answered request.
func (r *ring) pay(i, j int, gross int64) {
	s := Settle(Payment{Gross: gross, Net: gross, Backing: r.backing[j], Counted: r.in[[2]int{i, j}]}, dayCap, quarter)
	r.backing[j] -= s.Used
	r.backing[i] += s.Passed
	r.in[[2]int{i, j}] += s.Counted
	r.out[[2]int{j, i}] += gross
	r.counted += s.Counted
}

func (r *ring) score(i int) int64 {
	var d Diversity
	for j := range r.backing {
		d.Add(Edge{In: r.in[[2]int{i, j}], Out: r.out[[2]int{i, j}]})
	}
	return d.BasisPoints(shrink)
}

func TestPuppetsOnGrantsNeverScore(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	r := newRing(200)
	for range 20_000 {
		// One beneficiary, everyone else paying it and each other from grants.
		i, j := rng.IntN(2)*rng.IntN(200), rng.IntN(200)
		if i != j {
			r.pay(i, j, 100+rng.Int64N(4900))
		}
	}
	for i := range r.backing {
		if got := r.score(i); got != 0 {
			t.Fatalf("puppet %d: got %d, want 0", i, got)
		}
	}
}

// What a ring has to bring: each puppet must first be counted 4.00 by someone
// with backing to hand one whole credit on, and thirteen must do so to carry a
// beneficiary over 0.30. Grants do not come into it; sponsors' money does.
func TestWhatARingMustBring(t *testing.T) {
	for _, c := range []struct {
		puppets        int
		each, deposits int64
		want           int64
	}{
		{12, 400, 4800, 2972},
		{13, 400, 5200, 3157},
		{13, 399, 5200, 0}, // 0.99 each is not a whole credit
		{13, 400, 5199, 2972},
		{1, 10_000, 10_000, 0},
	} {
		r := newRing(2 + c.puppets) // sponsor, beneficiary, puppets
		r.backing[0] = c.deposits
		for j := 2; j < len(r.backing); j++ {
			r.pay(j, 0, c.each)
			r.pay(1, j, 5000)
		}
		if got := r.score(1); got != c.want {
			t.Errorf("%d puppets with %d each of %d: got %d, want %d", c.puppets, c.each, c.deposits, got, c.want)
		}
	}
}

// The bound that keeps Diversity within 128 bits: what all payments count is at
// most 4/3 of what was deposited, however it circulates.
func TestCountedStaysWithinFourThirdsOfDeposits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := newRing(6)
		var deposits int64
		who := rapid.IntRange(0, 5)
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			i, j := who.Draw(t, "i"), who.Draw(t, "j")
			amount := rapid.Int64Range(1, 3000).Draw(t, "amount")
			if i == j {
				r.backing[i] += amount
				deposits += amount
				continue
			}
			r.pay(i, j, amount)
			if 3*r.counted > 4*deposits {
				t.Fatalf("got %d counted, want at most 4/3 of %d", r.counted, deposits)
			}
		}
	})
}
