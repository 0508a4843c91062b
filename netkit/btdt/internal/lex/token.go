package lex

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is the kind of a token.
type Kind uint8

// Kinds of tokens.
const (
	Letters     Kind = iota + 1 // O'Brien, Jean-Luc, claim
	Digits                      // 2024
	Mixed                       // 23k, EXK7731902
	Sign                        // one character of anything else
	Placeholder                 // [NAME_1]
)

// Case is how the letters of a token are written.
type Case uint8

// Cases. Caps has at least two letters, all capital.
const (
	Lower Case = iota
	Capital
	Caps
	Inner // McDonald, iPhone: a capital inside
)

// Token is a word, number or sign of a text. Offsets are bytes.
type Token struct {
	From, To int
	Kind     Kind
	Case     Case
	Space    bool // white space before it
	Line     bool // a line starts with it
	Date     Date
	Key      uint64
	Flags    Flags
}

// Date is the place of a token in a date.
type Date uint8

// Places in a date.
const (
	NoDate Date = iota
	DateFirst
	DateNext
)

// placeholders are the words that may stand in brackets.
const placeholders = " NAME CASE_REF POLICY_REF ACCOUNT MEDICAL EMAIL PHONE ADDRESS DOB NATIONAL_ID FINANCIAL VEHICLE NETWORK OTHER_ID "

// PlaceholderAt returns the length of the placeholder that s starts with, or 0:
// [NAME], [NAME_12].
func PlaceholderAt(s string) int {
	if len(s) < 5 || s[0] != '[' {
		return 0
	}
	end := strings.IndexByte(s[:min(len(s), 24)], ']')
	if end < 0 {
		return 0
	}
	word := s[1:end]
	if i := strings.LastIndexByte(word, '_'); i > 0 && word[i+1:] != "" && strings.Trim(word[i+1:], "0123456789") == "" {
		word = word[:i]
	}
	if word == "" || strings.ContainsAny(word, " ") || !strings.Contains(placeholders, " "+word+" ") {
		return 0
	}
	return end + 1
}

// Split cuts a folded text into tokens, appending to the given slice.
func Split(s string, tokens []Token) []Token {
	before := len(tokens)
	space, line := true, true
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == ' ' || r == '\n' || r == '\t' || r == '\r' {
			space, line = true, line || r == '\n'
			i++
			continue
		}
		t := Token{From: i, Space: space, Line: line}
		switch {
		case r == '[' && PlaceholderAt(s[i:]) > 0:
			t.To, t.Kind = i+PlaceholderAt(s[i:]), Placeholder
		case letter(r) || r >= '0' && r <= '9':
			word(s, &t)
		default:
			t.To, t.Kind = i+n, Sign
			t.Key = Key(s[i:t.To])
		}
		tokens = append(tokens, t)
		i, space, line = t.To, false, t.Line && r == '>' // quoted mail
	}
	phrases(tokens[before:])
	dates(s, tokens[before:])
	return tokens
}

func letter(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z'
	}
	return unicode.IsLetter(r) || unicode.Is(unicode.M, r)
}

// word reads letters and digits, with hyphens and apostrophes between letters.
func word(s string, t *Token) {
	i, letters, digits, upper, lower, hyphen := t.From, 0, 0, 0, 0, 0
	first := true
	inner := false
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r >= '0' && r <= '9':
			digits++
		case letter(r):
			letters++
			if unicode.IsUpper(r) {
				upper++
				inner = inner || !first && lower > 0
			} else {
				lower++
			}
		case (r == '-' || r == '\'') && digits == 0 && joins(s, t.From, i):
			hyphen = i
			i++
			first = true
			continue
		default:
			r = -1
		}
		if r < 0 {
			break
		}
		first = false
		i += n
	}
	t.To = i
	t.Kind = Mixed
	if digits == 0 {
		t.Kind = Letters
	} else if letters == 0 {
		t.Kind = Digits
	}
	t.Case = caseOf(s[t.From:], upper, letters, inner)
	t.Key = Key(s[t.From:t.To])
	t.Flags = Of(t.Key)
	if t.Kind == Letters {
		t.Flags = judged(s[t.From:t.To], t, hyphen > 0)
	}
}

// caseOf gives how a word is written that has so many capitals among its letters.
func caseOf(w string, upper, letters int, inner bool) Case {
	start, _ := utf8.DecodeRuneInString(w)
	switch {
	case upper == letters && letters > 1:
		return Caps
	case unicode.IsUpper(start) && !inner:
		return Capital
	case upper > 0 && (inner || !unicode.IsUpper(start)):
		return Inner
	}
	return Lower
}

// judged adds to the classes of a word of letters what its parts tell.
func judged(w string, t *Token, joined bool) Flags {
	switch {
	case joined && contraction(w):
		return t.Flags | English
	case t.Flags == 0 && joined:
		return partFlags(w)
	case t.Flags == 0:
		return compound(w)
	}
	return t.Flags
}

// Bytes that a compound has at most, that its last part has at least, and that no
// surname reaches.
const (
	longestCompound = 60
	shortestPart    = 5
	longSurname     = 15
)

// compound is the language of a word that German or Dutch joins of others: that of
// the longest ordinary word that it ends in.
func compound(w string) Flags {
	if len(w) > longestCompound {
		return 0
	}
	for i := shortestPart - 1; i+shortestPart <= len(w); i++ {
		if !utf8.RuneStart(w[i]) {
			continue
		}
		if f := Of(Key(w[i:])); f&(German|Dutch) != 0 && (f&(Given|Surname) == 0 || len(w) >= longSurname) {
			return f & (German | Dutch)
		}
	}
	return 0
}

// contraction reports whether a word is one with its verb, as in we'll and didn't.
func contraction(w string) bool {
	i := strings.LastIndexByte(w, '\'')
	if i < 1 {
		return false
	}
	switch strings.ToLower(w[i+1:]) {
	case "ll", "re", "ve", "m", "d":
		return true
	case "t":
		return w[i-1]|0x20 == 'n'
	}
	return false
}

// joins reports whether the hyphen or apostrophe at i belongs inside the word that
// starts at from. A possessive ending and an elided article do not.
func joins(s string, from, i int) bool {
	next, n := utf8.DecodeRuneInString(s[i+1:])
	if i == from || !letter(next) {
		return false
	}
	if s[i] == '-' {
		return true
	}
	after, _ := utf8.DecodeRuneInString(s[i+1+n:])
	if (next == 's' || next == 'S') && !letter(after) {
		return false // O'Brien's
	}
	head := s[from:i]
	return !(elided(head) && (!unicode.IsUpper(next) || head[0] >= 'a'))
}

// elided reports whether a word has lost its end to an apostrophe. Asked at each
// apostrophe of a chain, it looks at no more than the longest of such words.
func elided(head string) bool {
	if len(head) > len("lorsqu") {
		return false
	}
	switch strings.ToLower(head) {
	case "l", "d", "j", "m", "n", "s", "t", "c", "qu", "un", "dell", "all", "nell", "sull", "dall", "quell", "jusqu", "lorsqu", "puisqu":
		return true
	}
	return false
}

// partFlags is what a hyphenated word is by its parts: a name if one part is
// one, an ordinary word only if all are, or if the last is one of German or Dutch,
// which make nouns so.
func partFlags(word string) Flags {
	any, all, last := Flags(0), ^Flags(0), Flags(0)
	for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return r == '-' || r == '\'' }) {
		f := Of(Key(part))
		if any |= f; f == 0 {
			f = compound(part)
		}
		all &= f
		last = f
	}
	if last&(Given|Surname) != 0 {
		last = 0
	}
	return any&(Given|Surname|OrgWord|Street|Cues) | all&(Languages|Anywhere|Place) | last&(German|Dutch)
}

// phrases adds the classes of a known phrase to each of its words.
func phrases(tokens []Token) {
	for i := range tokens {
		if tokens[i].Flags&Start == 0 {
			continue
		}
		f, size := phraseAt(tokens, i)
		for k := range size {
			tokens[i+k].Flags |= f | Phrase
		}
	}
}

// phraseAt finds the longest known phrase that starts at tokens[i]: its classes and
// how many tokens it has, or 0.
func phraseAt(tokens []Token, i int) (Flags, int) {
	key, best, size := tokens[i].Key, Flags(0), 0
	for j := i + 1; j < len(tokens) && j < i+maxPhrase; j++ {
		key = Join(key, tokens[j].Key)
		if f := Of(key); f&^Start != 0 {
			best, size = f&^Start, j-i+1
		}
	}
	return best, size
}

const maxPhrase = 8
