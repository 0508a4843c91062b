package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// bodyWeight is where the kilos end that somebody weighs, i where it is not told.
func (x *Sheet) bodyWeight(i int) int {
	if x.tok[i].Kind != lex.Digits || !oneOf(x.wordOr(i+1), "kg kilo kilos kilogram kilograms stone lbs pounds pfund livres libras quilos chili kilogramów gram grams gramm grammes grammi gramos gramas gramów") && !oneLetter(x.wordOr(i+1), "g") {
		return i
	}
	if oneOf(x.wordOr(i+2), "abgenommen zugenommen afgevallen aangekomen") {
		return i + 2
	}
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		if oneOf(x.word(j), "weighing weighs weighed weigh weight wiegt wog wiege pèse pesait pesa pesaba peso pesava pesare weegt woog waży ważył ważyła ważę perdu perdí perdió perdi perdeu perso viel schudł schudła schudłem schudłam") && x.weighable(j) && !x.is(j+1, ",") {
			return i + 2
		}
	}
	return i
}

// bornAtWeek is where the weeks end that stand behind a birth: "born at 27 weeks".
// It is i where there are none.
func (x *Sheet) bornAtWeek(i int) int {
	if x.tok[i].Kind != lex.Digits || !x.weeks(i) || x.is(i+1, "%") {
		return i
	}
	end := i + 2
	if x.is(i+1, ".") {
		end++
	}
	for j := max(0, i-4); j < min(len(x.tok), end+3); j++ {
		if oneOf(x.word(j), "welt geburt kam schwanger born né née nacido nacida nació nasceu nascido nascida nato nata geboren urodzony urodzona birth prematuro prematura prématuré") {
			return end
		}
	}
	return i
}

// growLeft takes in what tells how or where before an ailment: "severe", "type 2",
// "stage III", "left".
func (x *Sheet) growLeft(i int) int {
	floor := 0
	if n := len(x.ailments); n > 0 {
		floor = x.ailments[n-1].to
	}
	from := i
	for grown := true; grown && i-from < 8; {
		grown = false
		for k := from - 1; k >= floor && from-k <= 4 && !x.tok[k+1].Line; k-- {
			f, n := x.classAt(k)
			if n >= from-k && f&(lex.Mark|lex.Part) != 0 || x.sized(k) == from || k == from-1 && x.unknownAdjective(k) || k >= from-2 && x.weeks(k) {
				from, grown = k, true
				break
			}
		}
		if from-2 >= floor && oneOf(x.word(from-2), "form vorm forme forma postać type case cas caso fall") && x.hints(from-1)&joining != 0 && (x.has(from-3, lex.Mark) || x.unknownAdjectiveAt(from-3)) && from-3 >= floor {
			from, grown = from-3, true // a severe form of eczema
		}
	}
	return from
}

// unknownAdjectiveAt is unknownAdjective for a token that may not exist.
func (x *Sheet) unknownAdjectiveAt(i int) bool { return i >= 0 && x.unknownAdjective(i) }

// sized is where the size of a growth or a stone ends that token i starts, with
// the preposition before it: "de 3 cm", "of 2.5 x 4 mm". It is i where there is
// none.
func (x *Sheet) sized(i int) int {
	j := i
	if oneOf(x.wordOr(j), "of de di von van da measuring o") {
		j++
	}
	digits := false
	for ; j < len(x.tok) && j < i+10 && !x.tok[j].Line; j++ {
		switch {
		case x.tok[j].Kind == lex.Digits:
			digits = true
		case digits && (oneOf(x.word(j), "mm cm") || x.tok[j].Kind == lex.Mixed && lastly(x.word(j), "mm cm")):
			if oneOf(x.wordOr(j+1), "x by") || x.is(j+1, "×") {
				continue // 12 mm x 8 mm
			}
			return j + 1
		case x.tok[j].Kind == lex.Mixed && lastly(x.word(j), "mm cm") && isDigit(x.word(j)[0]):
			return j + 1
		case digits && (x.is(j, ".,-×") || x.word(j) == "x" || oneOf(x.word(j), "by sur por mal na su op")):
		default:
			return i
		}
	}
	return i
}

// measured tells whether a size stands among some tokens.
func (x *Sheet) measured(from, to int) bool {
	for i := from; i < to; i++ {
		if x.tok[i].Kind != lex.Letters && x.sized(i) > i {
			return true
		}
	}
	return false
}

// countWords are numbers in words as far as weeks of a pregnancy go.
const countWords = "three four five six seven eight nine ten eleven twelve drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig trois quatre cinq six sept huit neuf dix onze douze vingt tres cuatro cinco seis siete ocho nueve diez once doce veinte três quatro sete oito nove dez doze vinte tre quattro cinque sei sette otto nove dieci undici dodici venti drie vier vijf zes zeven acht negen tien elf twaalf twintig trzy cztery pięć sześć siedem osiem dziewięć dziesięć"

// weeks tells whether a number stands at token i and a span of time behind it:
// 20 weeks pregnant.
func (x *Sheet) weeks(i int) bool {
	if x.tok[i].Kind == lex.Digits && x.is(i+1, ".%") {
		return x.is(i+1, "%") || oneOf(x.wordOr(i+2), "schwangerschaftswoche ssw woche")
	}
	return (x.tok[i].Kind == lex.Digits || oneOf(x.word(i), countWords)) && oneOf(x.wordOr(i+1), "percent prozent procent weeks months week semaines mois semanas meses settimane mesi weken maanden")
}

// growRight takes in what tells more behind an ailment: a stage, a side, a level
// of the spine.
func (x *Sheet) growRight(i int) int {
	for i < len(x.tok) && !x.tok[i].Line {
		f, n := x.classAt(i)
		switch {
		case x.allergen(i) > i:
			i = x.allergen(i)
		case x.located(i) > i:
			i = x.located(i)
		case x.timesAWeek(i) > i:
			i = x.timesAWeek(i)
		case oneOf(x.word(i), "at en in op na te") && i+1 < len(x.tok) && x.spinal(i+1):
			i++ // stenosis at L4/L5
		case x.perHour(i) > i:
			i = x.perHour(i)
		case n > 0 && f&lex.Mark != 0:
			i += n
		case x.hints(i)&stage != 0 && i+1 < len(x.tok) && x.grade(i+1):
			i += 2
		case x.tok[i].Kind == lex.Mixed && x.tok[i].To-x.tok[i].From == 2 && isDigit(x.s[x.tok[i].From]) && strings.ContainsAny(x.word(i)[1:], "abc"):
			i++ // CKD 3b
		case x.is(i, ",") && i+1 < len(x.tok) && oneOf(x.word(i+1), "severe moderate mild") && x.hints(i+2)&conjunction != 0:
			i += 2 // as manuals write it: opioid use disorder, severe
		case oneOf(x.word(i), "recipient survivor sufferer victim patient"):
			i++
		case x.gestation(i) > i:
			i = x.gestation(i)
		case x.spinal(i):
			i++
			if x.is(i, "/-") && i+1 < len(x.tok) && x.spinal(i+1) {
				i += 2
			}
		default:
			return i
		}
	}
	return i
}

// located is where it ends on what part of the body an ailment was, behind the verb
// at token i: "the tumour was on my left kidney". It is i where that is not told.
func (x *Sheet) located(i int) int {
	if !oneOf(x.word(i), "was is sat sits saß sitzt war ist était est estaba está estava era zat zit był jest") {
		return i
	}
	j := i + 1
	for hops := 0; hops < 4 && j < len(x.tok) && !x.tok[j].Line && (x.hints(j)&(joining|possessive) != 0 || x.has(j, lex.Mark) && !x.partAt(j)); hops++ {
		j++
	}
	if j > i+1 && j < len(x.tok) && x.partAt(j) && x.hints(i+1)&joining != 0 {
		return j + 1
	}
	return i
}

// timesAWeek is where it ends how often something is had: "three times a week",
// "four days a week". It is i where that is not told.
func (x *Sheet) timesAWeek(i int) int {
	if x.tok[i].Kind != lex.Digits && !oneOf(x.word(i), "once twice three four five six several every daily weekly zweimal dreimal viermal täglich deux trois quatre dos tres cuatro duas três quatro due tre quattro twee drie vier dwa trzy cztery") {
		return i
	}
	end := x.howOften(i)
	if end > i+1 && oneOf(x.word(end-1), "week day month woche tag monat semaine jour mois semana día mes dia mês settimana giorno mese maand dag tygodniu tydzień dniu dzień miesiąc daily weekly") {
		return end
	}
	return i
}

// gestation reads "de 31 semanas", "of 29 weeks" behind a pregnancy or an early
// birth. It is i where there is none.
func (x *Sheet) gestation(i int) int {
	j := i
	for hops := 0; hops < 2 && j < len(x.tok) && (oneOf(x.word(j), "of de di at von van las alle às in na der") || oneLetter(x.word(j), "aà") || x.word(j) == "à"); hops++ {
		j++
	}
	if j+1 < len(x.tok) && (x.tok[j].Kind == lex.Digits || oneOf(x.word(j), countWords)) && oneOf(x.word(j+1), "weeks months semaines mois semanas meses settimane mesi weken maanden wochen monaten monate") {
		return j + 2
	}
	return i
}

// grade tells whether token i is a stage: 3, IV, 3a, B, II/III.
func (x *Sheet) grade(i int) bool {
	t, w := x.tok[i], x.word(i)
	switch {
	case t.To-t.From > 4:
		return false
	case t.Kind == lex.Digits, t.Kind == lex.Mixed:
		return true
	}
	return t.Kind == lex.Letters && t.Case != lex.Lower && strings.Trim(w, "IVX") == "" || len(w) == 1 && w >= "A" && w <= "D"
}

// spinal tells whether token i is a level of the spine: L4, C6, S1, L4-L5.
func (x *Sheet) spinal(i int) bool {
	w := x.word(i)
	return x.tok[i].Kind == lex.Mixed && len(w) >= 2 && len(w) <= 3 && strings.ContainsAny(w[:1], "LCTS") && isDigit(w[1])
}

// allergen is where it ends what an allergy is to, behind the preposition at token
// i: "alergia à proteína do leite". It is i for none.
func (x *Sheet) allergen(i int) int {
	if i == 0 || !lastly(strings.ToLower(x.word(i-1)), "allergy allergic allergie alergia allergia uczulenie intolerance") || !oneOf(x.word(i), "to à aux au al ai alla alle agli ao aos às gegen gegenüber voor na") && x.word(i) != "a" {
		return i
	}
	to := x.nounEnd(i + 1)
	if to == i+1 {
		return i
	}
	if oneOf(x.wordOr(to), "of de do da du del di van von") && x.nounEnd(to+1) > to+1 {
		return x.nounEnd(to + 1)
	}
	return to
}
