package lex

import (
	"encoding/binary"
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

// German joins nouns without end: what ends in one and is no name is ordinary.
func TestCompounds(t *testing.T) {
	for word, want := range map[string]bool{
		"Wetterarchiv": true, "Verbraucherverträge": true, "Medikationsplan": true, "Postanschrift": true,
		"Kowalewski": false, "Featherstonehaugh": false, "Tuimavave": false, "Nwachukwu": false,
	} {
		if got := one(t, word).Flags&Foreign != 0; got != want {
			t.Errorf("%s: got ordinary %v, want %v", word, got, want)
		}
	}
}

func TestContractions(t *testing.T) {
	for word, want := range map[string]bool{"we'll": true, "Don't": true, "I've": true, "they're": true, "O'Brien": false, "d'Or": false} {
		if got := contraction(word); got != want {
			t.Errorf("%s: got %v, want %v", word, got, want)
		}
	}
	if one(t, "Don't").Flags&Word == 0 {
		t.Error("Don't: got no ordinary word")
	}
}

func TestInflected(t *testing.T) {
	for word, want := range map[string]bool{"Paulas": true, "Tomaszem": true, "Aleksandras": true, "Qxzvws": false} {
		if got := inflected(word)&Given != 0; got != want {
			t.Errorf("%s: got a given name %v, want %v", word, got, want)
		}
	}
}

func TestHyphenated(t *testing.T) {
	if got := partFlags("Karl-Heinz"); got&Given == 0 {
		t.Errorf("Karl-Heinz: got %b, want a given name", got)
	}
	if got := partFlags("well-known"); got&Word == 0 {
		t.Errorf("well-known: got %b, want an ordinary word", got)
	}
	if got := partFlags("well-xqzvw"); got&Word != 0 {
		t.Errorf("got %b, want no ordinary word where one part is unknown", got)
	}
}

func TestSpeech(t *testing.T) {
	for text, want := range map[string]Speech{
		"they wrote to the bank about the letter":             English,
		"der Brief wurde nie beantwortet und dann verloren":   Other,
		"la banque n'a jamais répondu à cette lettre envoyée": Other,
		"Maria Johnson": Unsure,
		"CALLED TWICE":  Unsure,
	} {
		if got := SpeechOf(Split(text, nil)); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

func TestPhrase(t *testing.T) {
	for text, want := range map[string]int{"Wells Fargo refused": 2, "Bank of America paid": 3, "Maria Johnson paid": 0, "Legal & General paid": 3} {
		if f, n := Phrase(Split(text, nil), 0); n != want || n > 0 && f&(Org|Seen) == 0 {
			t.Errorf("%q: got %d words of %b, want %d of an organisation", text, n, f, want)
		}
	}
}

func TestLists(t *testing.T) {
	for word, want := range map[string]Flags{
		"Germany": Place, "Texas": Place, "promised": Say, "unterschrieb": Say, "Rollstuhl": Noun, "Manaaki": Given,
		"Mukherjee": Surname, "Swissquote": Org, "Stadtwerke": Org, "Kowalczyk": Surname,
	} {
		if got := Of(Key(word)); got&want == 0 {
			t.Errorf("%s: got %b, want it to have %b", word, got, want)
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
		table, err := Build(words, keys)
		if err != nil {
			t.Fatal(err)
		}
		n := int(binary.LittleEndian.Uint32(table))
		classes, slots := table[header:header+8*n], table[header+8*n:]
		for _, key := range keys {
			if got := lookUp(classes, slots, key); got != words[key] {
				t.Fatalf("got %b, want %b", got, words[key])
			}
		}
		if got := lookUp(classes, slots, Key("ZZ top 99")); got != 0 {
			t.Fatalf("got %b of a word that is not there", got)
		}
	})
}

// lookUp reads a table in the plainest way: every slot.
func lookUp(classes, slots []byte, key uint64) Flags {
	for ; len(slots) > 0; slots = slots[slot:] {
		if binary.LittleEndian.Uint32(slots) == uint32(key>>32)|1 {
			return Flags(binary.LittleEndian.Uint64(classes[8*int(binary.LittleEndian.Uint16(slots[4:])):]))
		}
	}
	return 0
}

func TestBuildRefusesTwins(t *testing.T) {
	const key = 7 << 32
	_, err := Build(map[uint64]Flags{key: Given, key + 3: Word}, []uint64{key, key + 3})
	if err == nil || !strings.Contains(err.Error(), "share") {
		t.Errorf("got %v, want an error for two words with one key", err)
	}
}
