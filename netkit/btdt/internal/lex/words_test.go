package lex

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// one reads a text of a single word.
func one(t *testing.T, word string) Token {
	t.Helper()
	tokens := Split(word, nil)
	if len(tokens) != 1 {
		t.Fatalf("%q: got %d tokens, want one", word, len(tokens))
	}
	return tokens[0]
}

func TestCases(t *testing.T) {
	for word, want := range map[string]Case{
		"claim": Lower, "Claim": Capital, "CLAIM": Caps, "McDonald": Inner, "iPhone": Inner, "Jean-Luc": Capital,
		"O'Brien": Capital, "A": Capital, "ÉLODIE": Caps, "Özdemir": Capital,
	} {
		if got := one(t, word).Case; got != want {
			t.Errorf("%s: got case %d, want %d", word, got, want)
		}
	}
}

func TestContractions(t *testing.T) {
	for word, want := range map[string]bool{"we'll": true, "Don't": true, "I've": true, "they're": true, "O'Brien": false, "d'Or": false} {
		if got := contraction(word); got != want {
			t.Errorf("%s: got %v, want %v", word, got, want)
		}
	}
	if one(t, "Don't").Flags&English == 0 {
		t.Error("Don't: got no ordinary word")
	}
}

func TestHyphenated(t *testing.T) {
	if got := partFlags("Karl-Heinz"); got&Given == 0 {
		t.Errorf("Karl-Heinz: got %b, want a given name", got)
	}
	if got := partFlags("well-known"); got&English == 0 {
		t.Errorf("well-known: got %b, want an ordinary word", got)
	}
	if got := partFlags("well-xqzvw"); got&English != 0 {
		t.Errorf("got %b, want no ordinary word where one part is unknown", got)
	}
}

func TestLists(t *testing.T) {
	for word, want := range map[string]Flags{
		"Germany": Place, "Texas": Place, "promised": Say, "unterschrieb": Say, "Rollstuhl": German, "Manaaki": Given,
		"Mukherjee": Surname, "Swissquote": Org, "Stadtwerke": Org, "Kowalczyk": Surname,
	} {
		if got := Of(Key(word)); got&want == 0 {
			t.Errorf("%s: got %b, want it to have %b", word, got, want)
		}
	}
}

// German and Dutch join nouns without end: what ends in one and is no name is
// ordinary.
func TestCompounds(t *testing.T) {
	for word, want := range map[string]bool{
		"Verbraucherverträge": true, "Postanschrift": true, "Kowalewski": false, "Nwachukwu": false,
	} {
		if got := one(t, word).Flags&German != 0; got != want {
			t.Errorf("%s: got ordinary %v, want %v", word, got, want)
		}
	}
}

// A table gives back every word that it was built of, and hardly any other.
func TestBuild(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := map[uint64]Flags{}
		var keys []uint64
		for _, w := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,9}`), 1, 60, rapid.ID).Draw(t, "words") {
			keys = append(keys, Key(w))
			words[Key(w)] = Flags(rapid.Uint32Range(1, 40).Draw(t, "flags"))
		}
		bytes, err := Build(words, keys)
		if err != nil {
			t.Fatal(err)
		}
		table := readTable(string(bytes))
		for _, key := range keys {
			if got := table.Of(key); got != words[key] {
				t.Fatalf("got %b, want %b", got, words[key])
			}
		}
	})
}

func TestUnknownWordsHaveNoClass(t *testing.T) {
	const tried = 20_000
	wrong := 0
	for i := range tried {
		if Of(Key("zzqx"+strconv.Itoa(i))) != 0 {
			wrong++
		}
	}
	if wrong > tried/1000 {
		t.Errorf("got classes for %d of %d unknown words, want at most one in a thousand", wrong, tried)
	}
}

func TestBuildRefusesTwins(t *testing.T) {
	if _, err := Build(map[uint64]Flags{7: Given}, []uint64{7, 7}); err == nil || !strings.Contains(err.Error(), "share") {
		t.Errorf("got %v, want an error for two words with one key", err)
	}
}

func TestPhrases(t *testing.T) {
	for text, want := range map[string]int{"Wells Fargo refused": 2, "Bank of America paid": 3, "Maria Johnson paid": 0} {
		n := 0
		for _, k := range Split(text, nil) {
			if k.Flags&Phrase != 0 && k.Flags&Org != 0 {
				n++
			}
		}
		if n != want {
			t.Errorf("%q: got %d words of an organisation, want %d", text, n, want)
		}
	}
}

// Whether a word is an ordinary one depends on the language of its text, which the
// texts around tell where it is too short.
func TestSettle(t *testing.T) {
	common := func(text, word string, around Flags) bool {
		tokens := Split(text, nil)
		Settle(tokens, around)
		for _, k := range tokens {
			if text[k.From:k.To] == word {
				return k.Flags&Common != 0
			}
		}
		t.Fatalf("%q has no %q", text, word)
		return false
	}
	for _, c := range []struct {
		text, word string
		around     Flags
		want       bool
	}{
		{"they wrote to the bank about the letter", "letter", 0, true},
		{"der Brief wurde nie beantwortet und dann verloren", "Brief", 0, true},
		{"Rechnung", "Rechnung", German, true},
		{"Rechnung", "Rechnung", English, false},
	} {
		if got := common(c.text, c.word, c.around); got != c.want {
			t.Errorf("%q, %q: got common %v, want %v", c.text, c.word, got, c.want)
		}
	}
}

func TestDates(t *testing.T) {
	for text, want := range map[string]string{
		"on 03/14/1958 then": "03/14/1958", "1958-03-14": "1958-03-14", "14. März 1958 war": "14. März 1958", "14 de marzo de 1958": "14 de marzo de 1958",
		"March 14, 1958": "March 14, 1958", "3rd March '58": "3rd March '58", "4 X 1938": "4 X 1938", "in May": "", "2024-03-12-998877": "", "99/99/1999": "",
	} {
		from, to := -1, 0
		for _, k := range Split(text, nil) {
			if k.Date != NoDate {
				if from < 0 {
					from = k.From
				}
				to = k.To
			}
		}
		got := ""
		if from >= 0 {
			got = text[from:to]
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// A hyphenated German or Dutch noun is ordinary by its last part, and a name if any
// part is one.
func TestHyphenatedNouns(t *testing.T) {
	for word, want := range map[string]Flags{
		"Xq-Versicherung": German, "Xq-verzekering": Dutch, "Xq-Qz": 0,
	} {
		if got := Split(word, nil)[0].Flags & (German | Dutch); got&want != want || want == 0 && got != 0 {
			t.Errorf("%s: got %b, want %b", word, got, want)
		}
	}
	if got := Split("Müller-Versicherung", nil)[0].Flags; got&Surname == 0 {
		t.Errorf("got %b, want a surname among the classes", got)
	}
}
