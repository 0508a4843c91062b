package lex

import (
	"unicode"
	"unicode/utf8"
)

// Latin counts the words in small Latin letters, and those that are ordinary in the
// language that has most of them.
func Latin(s string, tokens []Token) (words, known int) {
	var v Votes
	for i := range tokens {
		t := &tokens[i]
		if r, _ := utf8.DecodeRuneInString(s[t.From:]); r < utf8.RuneSelf || unicode.Is(unicode.Latin, r) {
			v.Count(tokens[i : i+1])
		}
	}
	for _, n := range v.by {
		known = max(known, n)
	}
	return v.words, known
}

// script is letters that the word table lacks.
type script struct {
	name  string
	code  string // ISO 639-1
	table *unicode.RangeTable
}

// scripts are named after the language that most people write in them; the first
// that a text has names it, so that Japanese stands before Chinese.
var scripts = []script{
	{"Japanese", "ja", unicode.Hiragana}, {"Japanese", "ja", unicode.Katakana}, {"Korean", "ko", unicode.Hangul}, {"Chinese", "zh", unicode.Han},
	{"Arabic", "ar", unicode.Arabic}, {"Hebrew", "he", unicode.Hebrew}, {"Hindi", "hi", unicode.Devanagari}, {"Thai", "th", unicode.Thai},
	{"Greek", "el", unicode.Greek}, {Cyrillic, "ru", unicode.Cyrillic},
}

// shortWords is the number of scripts, the first ones, in which a letter may be a word.
const shortWords = 4

// Cyrillic names letters that the table lacks too, but in which capitals tell names as
// they do in Latin ones: 24 names of 24 were found, and nothing else was touched.
const Cyrillic = "Cyrillic"

// Foreign names the letters of a text that the word table lacks, "" for none: those of
// a run of two or more, since one alone is a sign of mathematics or a disguise, unless
// words have one letter in their script. Marks on letters do not end a run. Most
// reports whether they are most letters of the text.
func Foreign(text string) (name string, most bool) {
	letters, alien, run, best := 0, 0, 0, len(scripts)
	for _, r := range text {
		if unicode.IsMark(r) {
			continue
		}
		if r < utf8.RuneSelf || !unicode.IsLetter(r) || unicode.In(r, unicode.Latin, unicode.Common) {
			if letter(r) {
				letters++
			}
			run = 0
			continue
		}
		letters, alien, run = letters+1, alien+1, run+1
		if k := scriptOf(r); (run > 1 || k < shortWords) && (name == "" || k < best) {
			best, name = k, unknownScript
			if k < len(scripts) {
				name = scripts[k].name
			}
		}
	}
	return name, name != "" && alien*2 > letters
}

const unknownScript = "an unknown script"

// scriptOf is the place of a letter's script among scripts, or their number.
func scriptOf(r rune) int {
	for k, s := range scripts {
		if unicode.Is(s.table, r) {
			return k
		}
	}
	return len(scripts)
}

// CodeOf is the ISO 639-1 code of a language that Foreign names, "" for an unknown one.
func CodeOf(name string) string {
	for _, s := range scripts {
		if s.name == name {
			return s.code
		}
	}
	return ""
}
