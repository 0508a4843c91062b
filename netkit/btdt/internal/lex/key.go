package lex

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

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

// Bare is a word in small ASCII letters and digits, as user names have it.
func Bare(word string) string {
	var b []byte
	for _, r := range word {
		switch {
		case r >= 'A' && r <= 'Z':
			b = append(b, byte(r)|0x20)
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b = append(b, byte(r))
		case r >= utf8.RuneSelf && r < bareSize && bare()[r][0] != 0:
			b = append(b, bare()[r][0])
			if bare()[r][1] != 0 {
				b = append(b, bare()[r][1])
			}
		}
	}
	return string(b)
}
