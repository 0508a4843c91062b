package score

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func same(r *Payee) *Payee { return r }

func likeness(payers []Source, aside uint32, most int64) int64 {
	var all Sources
	for _, s := range payers {
		all.Add(s)
	}
	return all.Likeness(aside, most)
}

func paid(to map[uint32]int64) *Payees {
	p := new(Payees)
	for _, row := range slices.Sorted(maps.Keys(to)) {
		p.Paid(row, to[row], 0, same)
	}
	return p
}

func TestAlike(t *testing.T) {
	for name, c := range map[string]struct {
		p, q map[uint32]int64
		want int64
	}{
		"the same others":          {map[uint32]int64{1: 50, 2: 100, 3: 300}, map[uint32]int64{1: 9000, 2: 10, 3: 30}, One},
		"half of them":             {map[uint32]int64{2: 100, 3: 100}, map[uint32]int64{3: 7, 4: 7}, One / 2},
		"none of them":             {map[uint32]int64{1: 5, 2: 100}, map[uint32]int64{1: 5, 3: 100}, 0},
		"nobody else, both":        {map[uint32]int64{1: 5}, map[uint32]int64{1: 7}, One},
		"nobody else, one of them": {map[uint32]int64{1: 5}, map[uint32]int64{1: 7, 2: 1}, 0},
	} {
		p, q := paid(c.p), paid(c.q)
		if got, back := p.Alike(q, 1), q.Alike(p, 1); got != c.want || back != c.want {
			t.Errorf("%s: got %d and %d, want %d", name, got, back, c.want)
		}
	}
}

// Three payers in equal parts: the chance of drawing one twice is a third, and
// those that pay alike add theirs.
func TestLikeness(t *testing.T) {
	own, other := map[uint32]int64{1: 100, 2: 100, 3: 100}, map[uint32]int64{1: 100, 7: 100}
	for name, c := range map[string]struct {
		third map[uint32]int64
		want  int64
	}{
		"all alike":    {own, One - 3},
		"two of three": {other, One * 5 / 9},
	} {
		got := likeness([]Source{{5, 100, paid(own)}, {6, 100, paid(own)}, {7, 100, paid(c.third)}}, 1, 0)
		if got < c.want-6 || got > c.want+6 {
			t.Errorf("%s: got %d, want about %d", name, got, c.want)
		}
	}
	two := []Source{{5, 100, paid(own)}, {6, 100, nil}, {7, 100, nil}}
	if got := likeness(two, 1, 9500); got > 9500 || got < likeness(two, 1, 0) {
		t.Errorf("stopped early: got %d, want what it could be at most", got)
	}
	if got := likeness(nil, 1, 0); got != 0 {
		t.Errorf("no payers: got %d, want 0", got)
	}
}

// No list outgrows its room, whoever was paid more than a 32nd of the whole is
// in it, and nobody is listed with less than it was paid.
func TestHeaviestPayeesAreListed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, sums, total := new(Payees), map[uint32]int64{}, int64(0)
		for range rapid.IntRange(1, 300).Draw(t, "payments") {
			row, sum := rapid.Uint32Range(0, 99).Draw(t, "payee")/rapid.Uint32Range(1, 20).Draw(t, "favour"), rapid.Int64Range(1, 2000).Draw(t, "sum")
			p.Paid(row, sum, 3, same)
			sums[row] += sum
			total += sum
		}
		listed := map[uint32]int64{}
		for _, r := range p.Rows {
			listed[r.Row] = r.Sum
		}
		if len(listed) != len(p.Rows) || len(p.Rows) > payees {
			t.Fatalf("got %d rows for %d payees", len(p.Rows), len(listed))
		}
		for row, sum := range sums {
			if got, ok := listed[row]; ok && got < sum || !ok && sum > total/payees {
				t.Fatalf("payee %d: got %d listed, want at least %d of %d", row, got, sum, total)
			}
		}
	})
}

func TestPaymentsFade(t *testing.T) {
	p := paid(map[uint32]int64{1: 100, 2: 1})
	p.Paid(3, 40, 1, same)
	if want := []Payee{{1, 50}, {3, 40}}; !slices.Equal(p.Rows, want) {
		t.Errorf("a period later: got %v, want %v", p.Rows, want)
	}
	p.Paid(3, -15, 1, same)
	p.Paid(9, -15, 1, same)
	if want := []Payee{{1, 50}, {3, 25}}; !slices.Equal(p.Rows, want) {
		t.Errorf("taken back: got %v, want %v", p.Rows, want)
	}
	if p.Paid(4, 1, 90, same); len(p.Rows) != 1 {
		t.Errorf("ninety periods later: got %v, want the new payee alone", p.Rows)
	}
}

// The largest payers are kept, whatever order they come in.
func TestSourcesKeepTheLargest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sums := rapid.SliceOfN(rapid.Int64Range(1, 20), 0, 60).Draw(t, "sums")
		all, total := make([]Source, len(sums)), int64(0)
		for k, sum := range sums {
			all[k] = Source{Payer: uint32(k), In: sum}
			total += sum
		}
		var got Sources
		for _, s := range rapid.Permutation(all).Draw(t, "order") {
			got.Add(s)
		}
		slices.SortStableFunc(all, func(a, b Source) int { return int(b.In - a.In) })
		if want := all[:min(len(all), sources)]; !slices.Equal(got.largest[:got.n], want) || got.total != total {
			t.Fatalf("got %v of %d, want %v of %d", got.largest[:got.n], got.total, want, total)
		}
	})
}
