// Package lex turns a text into words: it folds away what hides them, splits
// them, and knows of each what it commonly is (a given name, a city, a month).
package lex

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Text is a text as a scanner should see it: invisible characters gone, digits
// of every script and width in ASCII, letters composed, dashes, apostrophes and
// quotation marks plain. It keeps where each byte came from. Line ends stay.
type Text struct {
	S    string
	from []int32 // byte → code point in the original; nil where both are equal
	to   []int32 // byte → code point after it
}

// Fold prepares a text. Plain ASCII, which most playbooks are, costs nothing.
func Fold(original string) Text {
	if ascii(original) {
		return Text{S: original}
	}
	b := make([]byte, 0, len(original))
	t := Text{from: make([]int32, 0, len(original)), to: make([]int32, 0, len(original))}
	last, n := rune(-1), int32(0) // last is the rune written last, n counts originals
	for _, r := range original {
		p := plain(r)
		n++
		if p < 0 {
			continue
		}
		from := n - 1
		if p >= 0x300 && last >= 0 && unicode.Is(unicode.Mn, p) {
			if c, ok := compose(last, p); ok { // the letter now spans its original and the accent
				cut := len(b) - utf8.RuneLen(last)
				from, p = t.from[cut], c
				b, t.from, t.to = b[:cut], t.from[:cut], t.to[:cut]
			}
		}
		size := len(b)
		b = utf8.AppendRune(b, p)
		for range len(b) - size {
			t.from, t.to = append(t.from, from), append(t.to, n)
		}
		last = p
	}
	t.S = string(b)
	return t
}

// Span turns byte borders into code points of the original. The end comes from
// the last byte inside, so that dropped characters after it stay outside.
func (t Text) Span(from, to int) (start, end int) {
	if t.from == nil {
		return from, to
	}
	return int(t.from[from]), int(t.to[to-1])
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// compose joins a letter and an accent where Unicode has one letter for both.
func compose(letter, accent rune) (rune, bool) {
	s := norm.NFC.String(string(letter) + string(accent))
	r, size := utf8.DecodeRuneInString(s)
	return r, size == len(s) && r != utf8.RuneError
}

// plain is one rune as a scanner sees it, or -1 for one that cannot be seen.
func plain(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return r
	case r >= 0xC0 && r < 0x250 && r != 0xD7 && r != 0xF7:
		return r // Latin letters, by far the most frequent
	case r == '’' || r == '‘' || r == 'ʼ' || r == '´' || r == '＇':
		return '\''
	case r == '“' || r == '”' || r == '„' || r == '‟' || r == '«' || r == '»' || r == '＂':
		return '"' // however a language quotes
	case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r):
		return -1
	case unicode.Is(unicode.Nd, r):
		return '0' + digitValue(r)
	case unicode.IsSpace(r):
		return ' '
	case unicode.Is(unicode.Pd, r) || r == '\u2212': // minus sign
		return '-'
	}
	if k := norm.NFKC.String(string(r)); utf8.RuneCountInString(k) == 1 {
		r, _ = utf8.DecodeRuneInString(k)
	}
	return r
}

// digitValue is 0–9 for a decimal digit of any script: Unicode keeps each set of
// ten in one run that starts with zero, and runs may adjoin.
func digitValue(r rune) rune {
	for _, rng := range unicode.Nd.R16 {
		if r >= rune(rng.Lo) && r <= rune(rng.Hi) {
			return (r - rune(rng.Lo)) % 10
		}
	}
	for _, rng := range unicode.Nd.R32 {
		if r >= rune(rng.Lo) && r <= rune(rng.Hi) {
			return (r - rune(rng.Lo)) % 10
		}
	}
	return 0
}

// bare gives the one or two ASCII letters that a Latin letter is looked up by.
// The table is made when first needed, so that a program that never scrubs pays
// nothing.
var bare = sync.OnceValue(func() *[bareSize][2]byte {
	var t [bareSize][2]byte
	for r := rune(0x80); r < bareSize; r++ {
		low := unicode.ToLower(r)
		for _, d := range norm.NFD.String(string(low)) {
			if d < utf8.RuneSelf && unicode.IsLetter(d) {
				t[r] = [2]byte{byte(d), 0}
			}
			break
		}
	}
	for r, s := range map[rune]string{'ß': "ss", 'ẞ': "ss", 'ł': "l", 'Ł': "l", 'ø': "o", 'Ø': "o",
		'đ': "d", 'Đ': "d", 'æ': "ae", 'Æ': "ae", 'œ': "oe", 'Œ': "oe", 'þ': "th", 'Þ': "th", 'ð': "d", 'Ð': "d", 'ı': "i"} {
		t[r] = [2]byte{s[0], 0}
		if len(s) > 1 {
			t[r][1] = s[1]
		}
	}
	return &t
})

const bareSize = 0x1F00 // to the end of Latin Extended Additional

const (
	seed  = 14695981039346656037
	prime = 1099511628211
)

// Key is the hash that a word is looked up by: case and accents do not count.
func Key(word string) uint64 {
	h := uint64(seed)
	table := (*[bareSize][2]byte)(nil)
	for i := 0; i < len(word); {
		c := word[i]
		if c < utf8.RuneSelf {
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			h = (h ^ uint64(c)) * prime
			i++
			continue
		}
		if table == nil {
			table = bare()
		}
		r, n := utf8.DecodeRuneInString(word[i:])
		i += n
		if r < bareSize && table[r][0] != 0 {
			h = (h ^ uint64(table[r][0])) * prime
			if table[r][1] != 0 {
				h = (h ^ uint64(table[r][1])) * prime
			}
			continue
		}
		h = (h ^ uint64(unicode.ToLower(r))) * prime
	}
	return mix(h)
}

// mix spreads the bits, since the table is indexed by the low ones.
func mix(h uint64) uint64 {
	h ^= h >> 32
	h *= 0x9E3779B97F4A7C15
	return h ^ h>>29
}

// Join is the key of a phrase, word by word.
func Join(phrase, word uint64) uint64 { return mix(phrase*31 + word) }
