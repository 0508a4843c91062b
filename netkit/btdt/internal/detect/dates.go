package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// dates finds days of birth, and days of treatment, by the words before them.
// A day alone identifies nobody.
func (x *Sheet) dates() {
	before := lastDate{}
	for i := 0; i < len(x.tok); i++ {
		n := x.dateAt(i)
		if n == 0 {
			x.birthYear(i)
			continue
		}
		from, to := x.tok[i].From, x.tok[i+n-1].To
		if x.is(i+n, ".") && to-from > 6 && i+n+1 < len(x.tok) && !x.tok[i+n].Space && x.word(i+n-1) == "r" {
			to = x.tok[i+n].To // 11 listopada 1948 r.
		} else if w := x.wordOr(i + n); w == "r" || w == "roku" {
			to = x.tok[i+n].To // 12.12.1979 r.
		}
		born := x.bornBefore(i) && !x.nextDay(i, n, before) || x.bornAfter(i+n) || x.corrected(i, n, before) || x.askedFor(i, n, before)
		before = lastDate{i + n, born}
		if born {
			x.add(from, to, DOB, "date_of_birth", 0.98)
		} else if x.treatedBefore(i) && !x.officeDay(i) {
			x.add(x.tok[x.spanStart(i)].From, to, Medical, "date_of_treatment", 0.8)
		}
		i += n - 1
	}
}

// dateAt is the number of tokens of a date at token i, 0 if none starts there.
func (x *Sheet) dateAt(i int) int {
	switch t := x.tok[i]; {
	case t.Kind == lex.Digits:
		if n := x.numericDate(i); n > 0 {
			return n
		}
		return x.dayFirst(i)
	case t.Kind == lex.Mixed && ordinal(x.word(i)):
		return x.dayFirst(i)
	case t.Flags&lex.Month != 0:
		n := x.monthFirst(i)
		if t.Case == lex.Lower && !(n > 0 && isYear(x.word(i+n-1))) {
			return 0 // may 14 people come; octubre 12 de 1948
		}
		return n
	}
	return 0
}

func ordinal(w string) bool {
	n := 0
	for n < len(w) && isDigit(w[n]) {
		n++
	}
	switch strings.ToLower(w[n:]) {
	case "st", "nd", "rd", "th", "er", "º", "ª", "o", "de", "ste":
		return n > 0 && n <= 2
	}
	return false
}

// numericDate is 03/14/1958, 1958-03-14, 14.3.58, with the same sign twice.
func (x *Sheet) numericDate(i int) int {
	if i+4 >= len(x.tok) || x.tok[i+2].Kind != lex.Digits || x.tok[i+4].Kind != lex.Digits {
		return 0
	}
	sign := x.word(i + 1)
	if sign != x.word(i+3) || !strings.Contains("/-.", sign) || x.tok[i+1].Space {
		return 0
	}
	if (x.tok[i+2].Space || x.tok[i+4].Space) && sign != "." {
		return 0
	}
	a, b, c := x.number(i), x.number(i+2), x.number(i+4)
	la, lc := x.tok[i].To-x.tok[i].From, x.tok[i+4].To-x.tok[i+4].From
	switch {
	case la == 4 && lc <= 2 && a >= 1850 && a <= 2100 && b >= 1 && b <= 12 && c >= 1 && c <= 31:
		return 5
	case la <= 2 && (lc == 4 && c >= 1850 && c <= 2100 || lc == 2) && a >= 1 && b >= 1 && (a <= 31 && b <= 12 || a <= 12 && b <= 31):
		return 5
	}
	return 0
}

// number is the value of the digits of a token, at most four of them.
func (x *Sheet) number(i int) int {
	n := 0
	for k, c := range []byte(x.word(i)) {
		if k == 4 || !isDigit(c) {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// dayFirst is 14 March 1958, 14. März 1958, 14 de marzo de 1958, the year
// perhaps missing.
func (x *Sheet) dayFirst(i int) int {
	if d := x.number(i); d < 1 || d > 31 || x.tok[i].To-x.tok[i].From > 5 {
		return 0
	}
	j := i + 1
	for hops := 0; hops < 3 && j < len(x.tok) && (x.is(j, ".°º") || x.word(j) == "o" && x.is(j-1, ".") || oneOf(x.word(j), "de of di del")); hops++ {
		j++
	}
	if !x.has(j, lex.Month) && !x.romanMonth(j) {
		return 0
	}
	return x.year(i, j+1)
}

// romanMonth is the month of 4 X 1938, as Polish and Italian write it: a year
// must follow.
func (x *Sheet) romanMonth(j int) bool {
	return j+1 < len(x.tok) && x.tok[j].Kind == lex.Letters && strings.Contains(" I II III IV V VI VII VIII IX X XI XII ", " "+x.word(j)+" ") && isYear(x.word(j+1))
}

// monthFirst is March 14, 1958, or March 1958.
func (x *Sheet) monthFirst(i int) int {
	j := i + 1
	if x.is(j, ".") {
		j++
	}
	if j >= len(x.tok) || x.tok[j].Kind == lex.Letters || x.tok[j].Kind == lex.Sign {
		return 0
	}
	if d := x.number(j); d >= 1 && d <= 31 && x.tok[j].To-x.tok[j].From <= 4 {
		return x.year(i, j+1)
	}
	return 0
}

// year ends a date that started at token i: a year may follow at token j.
func (x *Sheet) year(i, j int) int {
	k := j
	for hops := 0; hops < 2 && k < len(x.tok) && (x.is(k, ",.") || oneOf(x.word(k), "de del of")); hops++ {
		k++
	}
	if k < len(x.tok) && x.tok[k].Kind == lex.Digits && x.tok[k].To-x.tok[k].From == 4 {
		if y := x.number(k); y >= 1850 && y <= 2100 {
			if k+1 < len(x.tok) && x.word(k+1) == "r" {
				k++ // roku
			}
			return k - i + 1
		}
	}
	if x.is(k, "'") && k+1 < len(x.tok) && x.tok[k+1].Kind == lex.Digits && x.tok[k+1].To-x.tok[k+1].From == 2 {
		return k - i + 2 // '48
	}
	return j - i
}

const bornWords = "jg geburt turned turns birthdays urodziłam urodziłem urodził urodziła urodzony urodziłeś urodzić urodzoną urodzonej urodzonego urodzonym urodzeni urodzonych urodzą nés nées nacidos nacidas nascidos nascidas nati nate geborenen geburtsjahr nacque nasci nasceste naissait geborene geborener compì compie cumplió cumple fêté fêtait nací n birthdate births born dob d.o.b birth birthdate birthday geboren geb geburtsdatum geburtstag jahrgang rocznik ddn nasc nac naiss fnac gebdat gebdatum geburtsdat né née naissance nacido nacida nacimiento nació nascido nascida nascimento nasceu nato nata nascita geboortedatum geboorte urodzony urodzona urodzenia urodzeniu ur birthdate nacimiento"

// bornBefore looks for a word of birth among the six tokens before a date, in
// the same sentence.
func (x *Sheet) bornBefore(i int) bool {
	for j := i - 1; j >= 0 && j >= i-7; j-- {
		if x.is(j, ";") || x.tok[j+1].Line || x.tok[j].Kind == lex.Placeholder && strings.HasPrefix(x.word(j), "["+DOB) {
			return false // or the day of birth was taken already
		}
		if w := x.word(j); oneOf(w, bornWords) || (w == "n" || w == "b" || w == "f") && x.is(j+1, ".") && j >= i-2 {
			return true
		}
		if oneOf(x.word(j), "age aged") && j >= i-3 { // birthday wrong on file: age 43, 14 March
			i = j
			continue
		}
		if x.is(j, "*†") && j == i-1 {
			return true
		}
		if x.is(j, ".") && x.tok[j].To < len(x.s) && j > 0 && x.tok[j-1].To-x.tok[j-1].From > 4 {
			return false
		}
		// D.O.B. and d.o.b. are split into letters.
		if j >= 4 && strings.EqualFold(x.s[x.tok[j-4].From:x.tok[j].To], "d.o.b") {
			return true
		}
	}
	return false
}

// bornAfter is a date with its word behind it: "14/03/1958 (DOB)".
func (x *Sheet) bornAfter(i int) bool {
	if x.is(i, "(,") {
		i++
	}
	if i < len(x.tok) && oneOf(x.word(i), "dob geboren urodzony urodzona") {
		return true
	}
	for j := i + 1; j < len(x.tok) && j < i+9 && !x.is(j, ";."); j++ {
		if oneOf(x.word(j), "welt mondo monde wereld świat luz") && (oneOf(x.word(j-1), "zur al au ter na") || x.word(j-1) == "a" || x.word(j-1) == "à") {
			return true // brachte am 3. April Ole zur Welt
		}
	}
	return false
}

const treatWords = "admitted discharged hospitalised hospitalized operated surgery operation biopsy diagnosed surgeries procedure scan mri chemotherapy chemo miscarried underwent stationär operiert operation eingewiesen entlassen diagnostiziert hospitalisé hospitalisée opéré opérée opération ingresado ingresada operado operada operación cirugía cirurgia internado internada operada operado ricoverato ricoverata operato operata intervento opgenomen geopereerd operatie ziekenhuisopname hospitalizowany hospitalizowana operacja operacji operację zabieg zabiegu"

func (x *Sheet) treatedBefore(i int) bool {
	for j := i - 1; j >= 0 && j >= i-6; j-- {
		if x.is(j, ";.") || x.tok[j+1].Line {
			return false
		}
		if oneOf(x.word(j), treatWords) && !x.confessed(j) && !x.deal(j) {
			return true
		}
	}
	return false
}

// confessed tells whether "admitted" means owning up to something.
func (x *Sheet) confessed(j int) bool {
	if oneOf(x.word(j), "discharged") {
		return oneOf(x.wordOr(j+1), "from") && oneOf(x.wordOr(j+2), "bankruptcy liability duty")
	}
	if oneOf(x.word(j), "admitted") && oneOf(x.wordOr(j+1), "to") && oneOf(x.wordOr(j+3), "bar") {
		return true
	}
	return oneOf(x.word(j), "admitted") && oneOf(x.wordOr(j+1), "the that it its his her their a an liability fault this they he she")
}

// isDate tells whether a part of the text is a date and nothing else.
func (x *Sheet) isDate(from, to int) bool {
	i := x.at(from)
	if i >= len(x.tok) || x.tok[i].From != from {
		return false
	}
	n := x.dateAt(i)
	return n > 0 && x.tok[i+n-1].To >= to
}
