package detect

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

func TestDisjoint(t *testing.T) {
	for name, c := range map[string]struct{ in, want []Span }{
		"apart":         {[]Span{{From: 5, To: 7, Score: 1}, {From: 1, To: 3, Score: 1}}, []Span{{From: 1, To: 3, Score: 1}, {From: 5, To: 7, Score: 1}}},
		"touching":      {[]Span{{From: 1, To: 3, Type: Name}, {From: 3, To: 5, Type: Phone}}, []Span{{From: 1, To: 3, Type: Name}, {From: 3, To: 5, Type: Phone}}},
		"inside":        {[]Span{{From: 1, To: 9, Type: Name, Score: 0.5}, {From: 3, To: 5, Type: Phone, Score: 0.4}}, []Span{{From: 1, To: 9, Type: Name, Score: 0.5}}},
		"surer inside":  {[]Span{{From: 1, To: 9, Type: Name, Rule: "a", Score: 0.5}, {From: 3, To: 5, Type: Phone, Rule: "b", Score: 0.9}}, []Span{{From: 1, To: 9, Type: Phone, Rule: "b", Score: 0.9}}},
		"overlapping":   {[]Span{{From: 1, To: 5, Type: Name, Score: 0.9}, {From: 3, To: 8, Type: Phone, Score: 0.4}}, []Span{{From: 1, To: 8, Type: Name, Score: 0.9}}},
		"dropped both":  {[]Span{{From: 1, To: 5, Drop: true}, {From: 3, To: 8, Drop: true}}, []Span{{From: 1, To: 8, Drop: true}}},
		"dropped one":   {[]Span{{From: 1, To: 5, Drop: true}, {From: 3, To: 8}}, []Span{{From: 1, To: 8}}},
		"nothing found": {nil, nil},
	} {
		if diff := cmp.Diff(c.want, disjoint(c.in)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestSheetLooksUp(t *testing.T) {
	x := Read(Input{"steps", "On 3 May, at noon"})
	for b, want := range map[int]int{0: 0, 1: 0, 2: 1, 3: 1, 5: 2, 8: 3, 100: len(x.tok)} {
		if got := x.at(b); got != want {
			t.Errorf("byte %d: got token %d, want %d", b, got, want)
		}
	}
	for i, want := range map[int]bool{-1: false, 0: false, 3: true, 99: false} {
		if got := x.is(i, ";,"); got != want {
			t.Errorf("token %d: got a sign %v, want %v", i, got, want)
		}
	}
	if !x.has(2, lex.Month) || x.has(0, lex.Month) || x.has(-1, lex.Month) || x.has(99, lex.Month) {
		t.Error("want May alone to be a month, and nothing outside of the text")
	}
	x.add(3, 8, OtherID, "code", 1)
	for _, c := range []struct {
		from, to int
		want     bool
	}{{0, 3, false}, {0, 4, true}, {7, 9, true}, {8, 9, false}, {-1, 2, false}, {7, 99, true}, {5, 5, false}} {
		if got := x.taken(c.from, c.to); got != c.want {
			t.Errorf("%d to %d: got taken %v, want %v", c.from, c.to, got, c.want)
		}
	}
	x.drop(func(s Span) bool { return s.From == 3 })
	if x.taken(3, 8) {
		t.Error("got what was dropped taken still, want it free")
	}
}

func TestOneOf(t *testing.T) {
	for word, want := range map[string]bool{
		"nr":     true,
		"NR":     true,
		"Numéro": true,
		"n":      false,
		"":       false,
		"nume":   false,
		"numéro": true,
		"last":   true,
	} {
		if got := oneOf(word, "nr numéro last"); got != want {
			t.Errorf("%q: got %v, want %v", word, got, want)
		}
	}
}

// Equal things have equal values, however they are written.
func TestValues(t *testing.T) {
	value := func(text, part string) uint64 {
		x, from, to := whole(text, part)
		return x.Values(Span{From: from, To: to, Type: Account})[0]
	}
	if value("account 850 0123 4567", "850 0123 4567") != value("account 850-0123.4567", "850-0123.4567") {
		t.Error("signs count in a number")
	}
	if value("account 850 0123 4567", "850 0123 4567") == value("account 850 0123 4568", "850 0123 4568") {
		t.Error("two numbers have one value")
	}
	x, from, to := whole("Mr. Tom de Whitfield called", "Tom de Whitfield")
	if got := len(x.Values(Span{From: from, To: to, Type: Name})); got != 2 {
		t.Errorf("got %d words of a name, want those without particles", got)
	}
}
