package detect

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// plates finds number plates that their form gives away. Forms that other codes
// share (ABC 1234, 1234 BCD) need a word before them: see references.
func (x *Sheet) plates() {
	for i := 0; i < len(x.s); i++ {
		if !x.letterAt(i) || x.letterAt(i-1) || x.foreignBefore(i) || i > 0 && (x.s[i-1] == '-' || x.s[i-1] == '/') {
			continue
		}
		if to := x.moroccan(i); to > 0 {
			x.add(i, to, Vehicle, "plate", 0.97) // wins over the number alone
			i = to
			continue
		}
		to := max(x.plateAt(i), x.spanishPlate(i))
		if to > i && !x.taken(i, to) {
			x.add(i, to, Vehicle, "plate", 0.8)
			i = to
			continue
		}
		for i+1 < len(x.s) && x.letterAt(i+1) {
			i++
		}
	}
}

// plateAt reads up to three short groups of capitals and digits, and returns
// where a plate ends, or 0.
func (x *Sheet) plateAt(from int) int {
	var groups [3]string
	var signs [2]byte // what stands between
	i, best := from, 0
	for n := range groups {
		start := i
		for i < len(x.s) && i-start < 9 && (isDigit(x.s[i]) || x.s[i] >= 'A' && x.s[i] <= 'Z') {
			i++
		}
		if i == start || x.letterAt(i) || x.foreignAt(i) {
			return best
		}
		groups[n] = x.s[start:i]
		goesOn := i+1 < len(x.s) && strings.IndexByte("-/", x.s[i]) >= 0 && x.letterAt(i+1)
		if !goesOn && plateForm(groups[:n+1], signs) {
			best = i
		}
		if n == 2 || i+1 >= len(x.s) || x.s[i] != ' ' && x.s[i] != '-' {
			return best
		}
		signs[n] = x.s[i]
		i++
	}
	return best
}

// spanishPlate reads 0471 KTV behind an article or a word of whose it is, where the
// text is in Spanish, and returns where it ends, or 0. Such plates have no vowels.
func (x *Sheet) spanishPlate(from int) int {
	to := from + 8
	if to > len(x.s) || !formed(x.s[from:to], "9999 AAA") || strings.ContainsAny(x.s[from+5:to], "AEIOUQ") || oneOf(x.s[from+5:to], currencies) || x.letterAt(to) || isUnitWord(x.s[from+5:to]) {
		return 0
	}
	i := x.at(from) - 1
	if x.speech == lex.English || !oneOf(x.wordOr(i), "el al del mi su un coche furgoneta moto furgón turismo") {
		return 0
	}
	return to
}

// plateForm knows the plates of several countries by their groups and the signs
// between them.
func plateForm(g []string, signs [2]byte) bool {
	switch len(g) {
	case 1:
		return shape(g[0]) == "9AAA999" || shape(g[0]) == "AA99AAA" || shape(g[0]) == "AA999AA" || shape(g[0]) == "AAA9A99"
	case 2:
		s := shape(g[0]) + " " + shape(g[1])
		return s == "AA99 AAA" || s == "9AA 9AA" || s == "9AAA 999" // United Kingdom; Victoria; California
	}
	switch s := shape(g[0]) + " " + shape(g[1]) + " " + shape(g[2]); {
	case signs == [2]byte{'-', '-'}:
		return s == "AA 999 AA" || strings.Contains(dashedPlates, "|"+s+"|")
	case signs == [2]byte{' ', ' '}: // France and Italy; neither uses I, O, Q, U
		return s == "AA 999 AA" && !strings.ContainsAny(g[0]+g[2], "IOQU")
	}
	return signs == [2]byte{'-', ' '} && germanHead(g[:2]) && shortNumber(g[2])
}

// dashedPlates are the side codes of the Netherlands, Belgium and Portugal.
const dashedPlates = "|AA 99 AA|99 AA AA|AA AA 99|99 99 AA|AA 99 99|99 AA 99|99 AAA 9|9 AAA 99|AA 999 A|A 999 AA|AAA 99 A|9 AA 999|999 AA 9|A 99 AAA|9 AAA 999|AAA 999 9|"

// germanHead tells whether two groups are the district and letters of a German
// plate, HH and KT.
func germanHead(g []string) bool {
	return len(g) == 2 && len(g[0]) <= 3 && upper(g[0]) && len(g[1]) <= 2 && upper(g[1])
}

// shortNumber is the number of a German plate, with the letter of electric and
// old cars.
func shortNumber(s string) bool {
	s = strings.TrimRight(s, "EH")
	return len(s) <= 4 && s != "" && digitsIn(s) == len(s)
}

// moroccan reads 48217-أ-6, a number, an Arabic letter and a region, and returns
// where it ends, or 0.
func (x *Sheet) moroccan(from int) int {
	i := from
	for i < len(x.s) && i-from < 5 && isDigit(x.s[i]) {
		i++
	}
	if i == from || i+5 > len(x.s) || strings.IndexByte("-| ", x.s[i]) < 0 {
		return 0
	}
	r, size := utf8.DecodeRuneInString(x.s[i+1:])
	end := i + 1 + size
	if !unicode.Is(unicode.Arabic, r) || end+1 >= len(x.s) || strings.IndexByte("-| ", x.s[end]) < 0 || !isDigit(x.s[end+1]) {
		return 0
	}
	for end++; end < len(x.s) && isDigit(x.s[end]); {
		end++
	}
	return end
}
