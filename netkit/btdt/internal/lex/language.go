package lex

import "math/bits"

// Votes counts, for each language, the words in small letters that are ordinary in
// it, and all words in small letters.
type Votes struct {
	words int
	by    [64]int
}

// Count adds the words of a text.
func (v *Votes) Count(tokens []Token) {
	for i := range tokens {
		t := &tokens[i]
		if t.Kind != Letters || t.Case != Lower || t.To-t.From < 2 {
			continue
		}
		v.words++
		for rest := uint64(t.Flags & Languages); rest != 0; rest &= rest - 1 {
			v.by[bits.TrailingZeros64(rest)]++
		}
	}
}

// Likely are the languages that have most of the words, or 0 where there are too
// few to tell.
func (v *Votes) Likely() Flags {
	if v.words < 3 {
		return 0
	}
	most := 0
	for _, n := range v.by {
		most = max(most, n)
	}
	likely := Flags(0)
	for bit, n := range v.by {
		if n > 0 && n*8 >= most*7 {
			likely |= 1 << bit
		}
	}
	return likely
}

// Settle notes of each word whether it is an ordinary one of the language of the
// text, which its own words tell or, where they are too few, those around it.
func Settle(tokens []Token, around Flags) {
	var own Votes
	own.Count(tokens)
	likely := own.Likely()
	if likely == 0 {
		likely = around
	}
	if likely == 0 {
		likely = Languages
	}
	for i := range tokens {
		switch f := &tokens[i].Flags; {
		case *f&(likely|Anywhere) != 0:
			*f |= Common
		case *f&Languages != 0:
			*f |= Elsewhere
		}
	}
}

// codes are the ISO 639-1 codes of the languages, in the order of their flags.
var codes = []string{"en", "de", "fr", "es", "pt", "it", "nl", "pl"}

// Code is the ISO 639-1 code of the language that has most of the words, "" where
// there are too few to tell.
func (v *Votes) Code() string {
	if v.Likely() == 0 {
		return ""
	}
	code, most := "", 0
	for k, c := range codes {
		if n := v.by[bits.TrailingZeros64(uint64(English))+k]; n > most {
			code, most = c, n
		}
	}
	return code
}
