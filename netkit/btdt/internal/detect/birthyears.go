package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// birthYear marks what is left of a day of birth at the year of token i when a
// word of birth stands right before: born in 1958, née en mai 1971, (*1958),
// geb. 3/58, w Wigilię 1951.
func (x *Sheet) birthYear(i int) {
	if x.tok[i].Kind != lex.Digits {
		return
	}
	first := i
	switch {
	case x.shortYear(i):
		first = i - 2
	case !isYear(x.word(i)):
		return
	case x.is(i-1, "*") && !x.tok[i].Space:
		x.add(x.tok[i].From, x.tok[i].To, DOB, "year_of_birth", 0.9)
		return
	default:
		first = x.partsOfYear(i)
	}
	if x.birthWordBefore(first) {
		to := x.tok[i].To
		if x.wordOr(i+1) == "r" {
			to = x.tok[i+1].To // Wigilię 1944 r.
		}
		x.add(x.tok[first].From, to, DOB, "year_of_birth", 0.9)
	}
}

// shortYear tells whether token i is the year of 3/58 or 03.1958.
func (x *Sheet) shortYear(i int) bool {
	if i < 3 || !x.is(i-1, "/.") || x.tok[i].Space || x.tok[i-1].Space || x.is(i+1, "/-.") && i+2 < len(x.tok) && x.tok[i+2].Kind == lex.Digits {
		return false
	}
	size, month := x.tok[i].To-x.tok[i].From, x.number(i-2)
	return (size == 2 || isYear(x.word(i))) && x.tok[i-2].Kind == lex.Digits && x.tok[i-2].To-x.tok[i-2].From <= 2 && month >= 1 && month <= 12 && !x.is(i-3, "/-,") && (!x.is(i-3, ".") || x.tok[i-2].Space)
}

// partsOfYear walks left from a year over the month or feast before it and gives
// the first token that belongs to it.
func (x *Sheet) partsOfYear(i int) int {
	first := i
	for j := i - 1; j >= 0 && j >= i-3 && !x.tok[j+1].Line; j-- {
		switch {
		case x.has(j, lex.Month) || oneOf(x.word(j), birthFeasts):
			first = j
		case !x.is(j, ",.") && !oneOf(x.word(j), "de del of eve day"):
			return first
		}
	}
	return first
}

// birthFeasts are days and seasons that stand for a day of birth, and months as Polish
// bends them.
const birthFeasts = "wigilia wigilię wigilii sylwestra sylwester boże narodzenie heiligabend silvester weihnachten neujahr ostern christmas easter boxing noël noel nochebuena nochevieja navidad natal natale capodanno ferragosto pasqua kerst kerstmis oudjaar spring summer autumn winter fall frühjahr frühling sommer herbst printemps été automne hiver primavera verano otoño invierno estate autunno inverno outono verão voorjaar zomer najaar herfst wiosną latem jesienią zimą styczniu lutym marcu kwietniu maju czerwcu lipcu sierpniu wrześniu październiku listopadzie grudniu"

const beforeYear = "la the der in en em nel im jahr roku anno year am around about on no na do ao le dans op se się zu um el año ano anno l'anno late early mid"

// birthWordBefore tells whether a word of birth stands before token i, with little
// words between.
func (x *Sheet) birthWordBefore(i int) bool {
	j := i - 1
	for hops := 0; j > 0 && hops < 4 && (oneOf(x.word(j), beforeYear) || strings.EqualFold(x.word(j), "w") || x.word(j) == "a" || x.is(j, ".:(")); hops++ {
		j--
	}
	if j > 0 && (x.word(j) == "b" || x.word(j) == "n") && x.is(j-1, "(,") && x.is(j+1, ".") {
		return true // (b. 1941)
	}
	if j >= 0 && j == i-1 && oneOf(x.word(j), "classe") && x.number(i) < grownUp {
		return true // classe 1939
	}
	return j >= 0 && oneOf(x.word(j), bornWords) && (len(x.word(j)) > 2 || strings.EqualFold(x.word(j), "ur") || x.word(j) == "Jg")
}
