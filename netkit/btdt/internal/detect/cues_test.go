package detect

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// cueIn is the cue at the start of a text and how many tokens it has.
func cueIn(text string) (cue, int) {
	x := Read(Input{"steps", text})
	return x.cueAt(0)
}

func TestCues(t *testing.T) {
	for _, c := range []struct {
		text, kind string
		strong     bool
		size       int
	}{
		{"claim number 4471", CaseRef, true, 2},
		{"Claim No. 4471", CaseRef, true, 2},
		{"CLAIM # 4471", CaseRef, true, 2},
		{"claim 4471", CaseRef, false, 1},
		{"policy no 4471", PolicyRef, true, 2},
		{"Ref. No. 4471", CaseRef, true, 3},
		{"Aktenzeichen 4471", CaseRef, true, 1},
		{"Widerspruchsnummer 4471", CaseRef, true, 1},
		{"numéro de dossier 4471", CaseRef, true, 3},
		{"NUMERO DE DOSSIER 4471", CaseRef, true, 3},
		{"código de asegurado 4471", PolicyRef, true, 3},
		{"numero pratica 4471", CaseRef, true, 2},
		{"kenteken 4471", Vehicle, true, 1},
		{"numer rejestracyjny 4471", Vehicle, true, 2},
		{"passport number 4471", NationalID, true, 2},
		{"n° 4471", OtherID, false, 2},
		{"ID 4471", OtherID, false, 1},
		{"SIN 4471", NationalID, true, 1},
		{"sin 4471", "", false, 0},
		{"SIN/4471", "", false, 0},
		{"nothing 4471", "", false, 0},
		{"4471", "", false, 0},
	} {
		got, size := cueIn(c.text)
		if got.kind != c.kind || got.strong != c.strong || size != c.size {
			t.Errorf("%q: got %+v of %d tokens, want %s, strong %v, of %d", c.text, got, size, c.kind, c.strong, c.size)
		}
	}
}

// Every word of the tables is found by itself: none is longer than the reader
// looks, and none is cut otherwise than the text.
func TestEveryCueIsFound(t *testing.T) {
	missing := 0
	for _, row := range slices.Concat(cueWords, moreCueWords, cueForms) {
		for _, list := range []string{row.strong, row.weak} {
			for word := range strings.SplitSeq(list, ",") {
				if word = strings.TrimSpace(word); word == "" {
					continue
				}
				_, n := utf8.DecodeRuneInString(word)
				text := strings.ToUpper(word[:n]) + word[n:]
				if len(word) <= 6 {
					text = strings.ToUpper(word) // acronyms announce in capitals alone
				}
				if c, n := cueIn(text + " 44718-22"); n == 0 || c.kind == "" {
					t.Logf("%q is not found as %q", word, text)
					missing++
				}
			}
		}
	}
	if missing > 0 {
		t.Errorf("%d words are never found", missing)
	}
}

// The tables cover the eight languages, hundreds of words each.
func TestCuesAreMany(t *testing.T) {
	if got := len(cues()); got < 3000 {
		t.Errorf("got %d words and phrases, want them all", got)
	}
}
