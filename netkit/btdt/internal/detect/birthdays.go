package detect

import (
	"slices"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// A date beside a name is a day of birth when its year lies before grownUp, and
// beside a child or another day of birth when it lies before recent. Later ones
// are as likely the day of a call. Between commas behind kin it is one before oldFolk.
const (
	grownUp = 2008
	recent  = 2021
	oldFolk = 1975
)

// birthdays finds days of birth that no word announces: the date beside a name or
// a child, and one that says the year of another day of birth again. It runs when
// the names are known.
func (x *Sheet) birthdays() {
	known := map[int]bool{}
	for _, s := range x.spans {
		if s.Type != DOB {
			continue
		}
		if i := x.at(s.From); x.dateAt(i) > 0 {
			known[x.yearOf(i, x.dateAt(i))] = true
		}
	}
	for i := 0; i < len(x.tok); i++ {
		n := x.dateAt(i)
		if n < 3 {
			x.birthOf(i, 1, x.yearAt(i))
			continue
		}
		from, to, year := x.tok[i].From, x.tok[i+n-1].To, x.yearOf(i, n)
		if year != 0 && !x.taken(from, to) && (known[year] || x.besideSomebody(i, year, len(known) > 0)) {
			x.add(from, to, DOB, "birthday", 0.8)
		}
		x.birthOf(i, n, year)
		i += n - 1
	}
	x.contradictions()
}

// yearOf is the year of a date of n tokens, 0 where it has none.
func (x *Sheet) yearOf(i, n int) int {
	last := i + n - 1
	for last > i && x.tok[last].Kind != lex.Digits {
		last--
	}
	y := x.number(last)
	if first := x.number(i); first >= 1850 && first <= 2100 {
		y = first // 1958-03-14
	} else if last > i && x.tok[last].To-x.tok[last].From == 2 { // 12.02.15, 3 mei '48
		if y += 1900; y < 1930 {
			y += 100
		}
	}
	if y < 1850 || y > 2100 {
		return 0
	}
	return y
}

// besideSomebody tells whether a date at token i stands right behind a name or a
// child, in brackets or behind a comma.
func (x *Sheet) besideSomebody(i, year int, birthsHere bool) bool {
	if i < 2 || !x.is(i-1, "(,") || year >= recent {
		return false
	}
	sign := x.tok[i-1].From
	named := slices.ContainsFunc(x.spans, func(s Span) bool {
		return s.Type == Name && s.To <= sign && s.To >= sign-2
	})
	child := false
	for j := max(0, i-7); j < i; j++ {
		child = child || oneOf(x.word(j), childWords)
	}
	if x.is(i-1, "(") && x.has(i-2, lex.Kin) && year < grownUp {
		return true // mijn vader (4 juni 1938)
	}
	if x.folk(i-2) && x.somebodyEnds(i-2) && year < oldFolk && x.is(i+x.dateAt(i), ",)") {
		return true // my nan, 11.02.1931, never had one
	}
	return named && (year < grownUp || child || birthsHere) || child && x.is(i-1, "(") || oneOf(x.word(i-2), childWords)
}

const childWords = "son daughter child baby toddler boy girl minor grandson granddaughter nephew niece twin kid sohn tochter kind säugling enkel enkelin neffe nichte junge mädchen fils fille enfant bébé garçon mineur mineure hijo hija niño niña bebé menor nieto nieta filho filha criança menina menino neto neta bebê figlio figlia bambino bambina minore neonato neonata nipote zoon dochter kindje jongen meisje kleinzoon syn syna córka córki dziecko dziecka niemowlę wnuk wnuczka"
