package neardup

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// testdata/signals.txt was written for this test: two dozen events, each told in
// three texts with no sentence in common, as by authors who do not know each
// other. Distinct pairs are taken from there as they are. Duplicates are made
// by the four alterations below, from a seed. Events in even places are for
// development, where the bound was chosen; those in odd places are held out and
// measured here.

// events reads the texts, by event.
func events(t testing.TB) (all [][]string) {
	t.Helper()
	b, err := os.ReadFile("testdata/signals.txt")
	if err != nil {
		t.Fatal(err)
	}
	for block := range bytes.SplitSeq(b, []byte("\n\n")) {
		text := strings.TrimSpace(string(block))
		if name, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(name, "# ") {
			all, text = append(all, nil), rest
		}
		all[len(all)-1] = append(all[len(all)-1], text)
	}
	return all
}

// alterations make a duplicate of a text.
var alterations = map[string]func(*rand.Rand, string) string{
	"edited": edited, "reordered": reordered, "reworded": reworded,
	"reordered and edited": func(r *rand.Rand, s string) string { return edited(r, reordered(r, s)) },
}

// edited drops, doubles or misspells one word in ten, and changes the case and
// stops.
func edited(r *rand.Rand, s string) string {
	var out []string
	for _, w := range strings.Fields(s) {
		switch {
		case r.IntN(10) > 0:
		case r.IntN(3) == 0:
			continue
		case r.IntN(2) == 0:
			out = append(out, w)
		case len(w) > 4:
			w = w[:2] + w[3:]
		}
		out = append(out, w)
	}
	return strings.ReplaceAll(strings.ToUpper(strings.Join(out, " ")), ".", ";")
}

// reordered puts the sentences in another order.
func reordered(r *rand.Rand, s string) string {
	sentences := strings.Split(strings.TrimSuffix(s, "."), ". ")
	first := slices.Clone(sentences)
	for slices.Equal(first, sentences) {
		r.Shuffle(len(sentences), func(i, j int) { sentences[i], sentences[j] = sentences[j], sentences[i] })
	}
	return strings.Join(sentences, ". ") + "."
}

// others has another word for some, as a thesaurus would put it in place.
var others = map[string]string{"the": "this", "said": "stated", "says": "states", "expects": "anticipates", "after": "following", "before": "ahead of", "and": "as well as",
	"two": "a pair of", "three": "a trio of", "is": "has been", "was": "had been", "were": "had been", "of": "from", "in": "within", "for": "over", "by": "through",
	"not": "hardly", "will": "is going to", "would": "could", "more": "further", "than": "compared with", "from": "out of", "until": "till", "but": "yet",
	"asked": "requested", "wants": "demands", "last": "previous", "next": "coming", "first": "initial", "new": "fresh", "big": "large", "many": "numerous",
	"people": "persons", "week": "seven days", "weeks": "sevens of days", "year": "twelvemonth", "years": "twelvemonths", "a": "one"}

// reworded puts another word for up to half of those that have one.
func reworded(r *rand.Rand, s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if o := others[strings.ToLower(w)]; o != "" && r.IntN(2) == 0 {
			words[i] = o
		}
	}
	return strings.Join(words, " ")
}

// pair is two texts and whether they are nearly the same.
type pair struct {
	kind string
	a, b string
	same bool
}

// pairs are those of the events at even places, or of those at odd ones.
func pairs(t testing.TB, half int) (all []pair) {
	r := rand.New(rand.NewPCG(7, uint64(half)))
	list := events(t)
	var texts []string
	var of []int
	for k := half; k < len(list); k += 2 {
		for _, text := range list[k] {
			for _, kind := range []string{"edited", "reordered", "reworded", "reordered and edited"} {
				for range 3 {
					all = append(all, pair{kind, text, alterations[kind](r, text), true})
				}
			}
			for j, other := range texts {
				kind := "other event"
				if of[j] == k {
					kind = "same event"
				}
				all = append(all, pair{kind, text, other, false})
			}
			texts, of = append(texts, text), append(of, k)
		}
	}
	return all
}

// On texts that the bound was not chosen on, at least 95 % of duplicates are
// found, with at most 1 % false among distinct texts.
func TestHeldOutPairs(t *testing.T) {
	for half, name := range []string{"development", "held out"} {
		type count struct{ all, told, low, high int }
		by := map[string]*count{}
		var found, dup, wrong, distinct int
		for _, p := range pairs(t, half) {
			a, b := Of(p.a), Of(p.b)
			like := a.Likeness(&b)
			c := by[p.kind]
			if c == nil {
				c = &count{low: 100}
				by[p.kind] = c
			}
			c.all, c.low, c.high = c.all+1, min(c.low, like), max(c.high, like)
			x := NewIndex[int](10)
			add(x, 1, p.a)
			told := add(x, 2, p.b) == 1
			if told {
				c.told++
			}
			switch {
			case p.same:
				dup++
				found += boolean(told)
			default:
				distinct++
				wrong += boolean(told)
			}
		}
		for kind, c := range by {
			t.Logf("%s, %s: %d of %d told as nearly the same, likeness %d to %d", name, kind, c.told, c.all, c.low, c.high)
		}
		t.Logf("%s: %d of %d duplicates found, %d of %d distinct pairs wrongly told", name, found, dup, wrong, distinct)
		if 100*found < 95*dup || 100*wrong > distinct || dup+distinct < 300 {
			t.Errorf("%s: got %d of %d found and %d of %d wrong, want 95 %% and at most 1 %%", name, found, dup, wrong, distinct)
		}
	}
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// add adds a text with its id as its value, and returns the lowest id of those that
// it is nearly the same as, 0 if there is none.
func add(x *Index[int], id uint64, text string) (lowest uint64) {
	x.Add(id, text, int(id), func(like uint64, of int) {
		if uint64(of) != like {
			panic("another value")
		}
		if lowest == 0 || like < lowest {
			lowest = like
		}
	})
	return lowest
}

func TestIndexForgetsTheOldest(t *testing.T) {
	texts := slices.Concat(events(t)...)
	x := NewIndex[int](20)
	for k, text := range texts {
		if got := add(x, uint64(k+1), text); got != 0 {
			t.Errorf("text %d: got nearly the same as %d, want none", k+1, got)
		}
	}
	next := uint64(len(texts) + 1)
	if got := add(x, next, texts[len(texts)-1]); got != next-1 {
		t.Errorf("got %d, want %d", got, next-1)
	}
	for id, want := range map[uint64]bool{next: true, next - 1: true, 1: false, next + 9: false} {
		if of, ok := x.Find(id); ok != want || ok && of != int(id) {
			t.Errorf("text %d: got %d and %v, want its own number, and %v", id, of, ok, want)
		}
	}
	if got := add(x, next+1, texts[0]); got != 0 {
		t.Errorf("got %d, want none: it was forgotten", got)
	}
	if got := add(x, next+2, "too short"); got != 0 || add(x, next+3, "too short") != 0 {
		t.Errorf("got a text that is too short to compare called the same")
	}
	for b := range x.found {
		n := 0
		for _, places := range x.found[b] {
			n += len(places)
		}
		if n != 20 {
			t.Fatalf("band %d has %d places, want 20", b, n)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	texts := slices.Concat(events(b)...)
	x := NewIndex[int](10_000)
	var id uint64
	for b.Loop() {
		id++
		add(x, id, fmt.Sprint(id, texts[id%uint64(len(texts))]))
	}
}
