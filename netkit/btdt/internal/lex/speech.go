package lex

import (
	"math/bits"
	"strings"
	"sync"
)

// Speech is what can be told of the language of a text.
type Speech uint8

// Speeches: a text of few words tells nothing.
const (
	Unsure Speech = iota
	English
	Other
)

// englishWords stand in nearly every English sentence and are hardly ever a word of
// the other languages.
const englishWords = "the of to and for with that they she his her my our it its not from this had have we he you your be are their which who after before because when then them were has been out if but at until than only while what how"

var englishKeys = sync.OnceValue(func() map[uint64]bool {
	keys := map[uint64]bool{}
	for w := range strings.FieldsSeq(englishWords) {
		keys[Key(w)] = true
	}
	return keys
})

// spoken tells by its words in small letters which languages a text may be in:
// none of the flags for English, all of them where it cannot be told. Drei Briefe an
// die Zeitung has no small word that English has not, but none that is English alone.
func spoken(texts ...[]Token) (Speech, Flags) {
	words, foreign, capitals, own := 0, 0, 0, false
	var votes [bits.UintSize]int
	for _, tokens := range texts {
		for i := range tokens {
			t := &tokens[i]
			if t.Kind != Letters || t.To-t.From < 2 {
				continue
			}
			if t.Case != Lower {
				const name = Given | Surname | Place | Org | OrgWord | Seen | Word
				if t.Flags&Languages != 0 && t.Flags&name == 0 {
					capitals++
				}
				continue
			}
			words++
			own = own || englishKeys()[t.Key]
			if t.Flags&Word == 0 && t.Flags&(Foreign|Languages) != 0 {
				foreign++
			}
			for rest := uint64(t.Flags & Languages); rest != 0; rest &= rest - 1 {
				votes[bits.TrailingZeros64(rest)]++
			}
		}
	}
	switch {
	case words < 3:
		return Unsure, Languages
	case foreign*4 <= words && (own || foreign+capitals < 2):
		return English, 0
	}
	most := 0
	for _, n := range votes {
		most = max(most, n)
	}
	likely := Flags(0)
	for bit, n := range votes {
		if n > 0 && n*5 >= most*4 {
			likely |= 1 << bit
		}
	}
	return Other, likely
}

// settle makes of the languages of each word whether it is an ordinary word of
// the language of the text, since most names are an ordinary word somewhere.
func settle(tokens []Token) {
	speech, likely := spoken(tokens)
	for i := range tokens {
		t := &tokens[i]
		switch of := t.Flags & Languages; {
		case of == 0 || speech == Unsure && t.Flags&(Given|Surname) != 0:
		case of&likely != 0:
			t.Flags |= Foreign
		default:
			t.Flags &^= Noun
		}
	}
}

// Tongues are the languages that some texts are in by their words in small letters
// together, or none: where they are too few, or English.
func Tongues(texts ...[]Token) Flags {
	words := 0
	for _, tokens := range texts {
		for i := range tokens {
			if tokens[i].Kind == Letters && tokens[i].Case == Lower {
				words++
			}
		}
	}
	if words < 12 {
		return 0
	}
	_, likely := spoken(texts...)
	return likely
}

// Settle makes ordinary words of the names in a text too short to tell its language
// that are one in the languages of the texts around it.
func Settle(tokens []Token, likely Flags) {
	for i := range tokens {
		switch t := &tokens[i]; {
		case t.Flags&likely != 0:
			t.Flags |= Foreign
		default:
			t.Flags &^= Noun
		}
	}
}

// SpeechOf tells by its words in small letters whether a text is English.
func SpeechOf(tokens []Token) Speech {
	s, _ := spoken(tokens)
	return s
}
