package btdt

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folded is a text made plain for matching: invisible characters dropped, and
// look-alikes that mean the same (full-width letters, digits of any script,
// ideographic stops) turned into ASCII, so that they cannot hide a number.
type folded struct {
	text string
	at   []int // byte of text → code point of the original; one more for the end
}

// fold goes rune by rune, so that each byte keeps the place of the character that it
// came from; a whole-text normalisation would lose it.
func fold(original string) folded {
	var b strings.Builder
	f := folded{at: make([]int, 0, len(original)+1)}
	n := 0
	for _, r := range original {
		if plain := plainRune(r); plain >= 0 {
			size := utf8.RuneLen(plain)
			for range size {
				f.at = append(f.at, n)
			}
			b.WriteRune(plain)
		}
		n++
	}
	f.at = append(f.at, n)
	f.text = b.String()
	return f
}

// plainRune is one rune folded, or -1 for one that cannot be seen.
func plainRune(r rune) rune {
	if r < utf8.RuneSelf {
		return r
	}
	if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) {
		return -1
	}
	if unicode.Is(unicode.Nd, r) {
		return '0' + digitValue(r)
	}
	if unicode.IsSpace(r) {
		return ' '
	}
	if unicode.Is(unicode.Pd, r) || r == '\u2212' { // minus sign
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

// span turns byte borders of the folded text into code points of the original.
// The end is taken from the last byte inside, so that dropped characters after
// the match stay outside.
func (f folded) span(from, to int) (start, end int) {
	return f.at[from], f.at[to-1] + 1
}
