package btdt

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestFold(t *testing.T) {
	for original, want := range map[string]string{
		"plain 123":              "plain 123",
		"":                       "",
		"ＡＢＣ１２３＠ｄ．ｅ":             "ABC123@d.e",
		"a\u00adb\u200dc":        "abc", // soft hyphen, joiner
		"\u202e321":              "321", // turned right to left
		"1\u00a02\u2009 3":       "1 2  3",
		"1\u20102\u20133\u22124": "1-2-3-4",
		"٣४৫𝟗":                   "3459", // Arabic, Devanagari, Bengali, mathematical
		"x²":                     "x2",
		"ﬁne":                    "ﬁne", // one letter that folds into two stays
		"é ü ß":                  "é ü ß",
	} {
		if got := fold(original).text; got != want {
			t.Errorf("%q: got %q, want %q", original, got, want)
		}
	}
}

func TestFoldKeepsPlaces(t *testing.T) {
	f := fold("é\u200b１ab")
	if f.text != "é1ab" {
		t.Fatalf("got %q", f.text)
	}
	// Two bytes of é, then 1, a, b and the end.
	if diff := cmp.Diff([]int{0, 0, 2, 3, 4, 5}, f.at); diff != "" {
		t.Errorf("places differ (-want +got):\n%s", diff)
	}
	if start, end := f.span(2, 4); start != 2 || end != 4 {
		t.Errorf("got %d to %d, want 2 to 4", start, end)
	}
	if start, end := fold("1\u200b").span(0, 1); start != 0 || end != 1 {
		t.Errorf("got %d to %d, want what follows the match left out", start, end)
	}
}

// Every decimal digit that Unicode knows has its value; the runs of ten are
// checked one by one, since the table joins those that adjoin.
func TestEveryDigitFolds(t *testing.T) {
	n, value := 0, rune(0)
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !unicode.Is(unicode.Nd, r) {
			continue
		}
		if got := plainRune(r); got != '0'+value {
			t.Fatalf("U+%04X: got %q, want %q", r, got, '0'+value)
		}
		n, value = n+1, (value+1)%10
	}
	if n < 600 || n%10 != 0 {
		t.Errorf("got %d digits, want all of Unicode in sets of ten", n)
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"é\u200b１", "\xff1", "ﬁ", "a\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := fold(s)
		if !utf8.ValidString(got.text) || len(got.at) != len(got.text)+1 {
			t.Fatalf("got %q with %d places", got.text, len(got.at))
		}
		for i := 1; i < len(got.at); i++ {
			if got.at[i] < got.at[i-1] {
				t.Fatalf("place %d runs back", i)
			}
		}
		if last := got.at[len(got.at)-1]; last != utf8.RuneCountInString(s) {
			t.Fatalf("got end %d, want %d", last, utf8.RuneCountInString(s))
		}
	})
}
