package detect

import (
	"slices"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// treatmentDates marks the days on which somebody was treated: those that stand
// in a sentence with a private ailment, right behind it or near a word of
// treatment.
func (x *Sheet) treatmentDates() {
	treated := make([]bool, len(x.tok)) // days already marked, which no further ailment need look at
	for _, a := range x.ailments {
		if a.weight < private {
			continue
		}
		from, to := x.sentence(a.from)
		x.sinceYear(a)
		last := -1 // where the last day ends that was one of treatment
		for i := from; i < to; i++ {
			n := x.dayOrSpan(i)
			if n == 0 {
				continue
			}
			if treated[i] {
				last = i + n
				i += n - 1
				continue
			}
			if x.officeDay(i) {
				i += n - 1
				continue
			}
			if x.adjoins(a, i) || x.treated(i, n, from, to) || i < a.from && x.eventDay(i, n, a.from) || x.datedTest(i) || x.trails(a, i) || x.doneOn(a, i) || last >= 0 && i-last <= 4 || oneOf(x.wordOr(i-1), "since seit depuis desde dal dall sinds od") {
				x.addDay(i, n)
				treated[i], last = true, i+n
			}
			i += n - 1
		}
	}
	x.stays()
	x.testDays(false)
}

// addDay marks a day of n tokens at token i, with an English article before it.
func (x *Sheet) addDay(i, n int) {
	from := i
	if (oneOf(x.wordOr(i-1), "the since seit depuis desde sinds od") || x.wordOr(i-1) == "w" && oneOf(x.word(i), polishMonths)) && !x.tok[i].Line {
		from--
	}
	if from > 1 && oneOf(x.word(from-1), "of de del di da do du vom van") && x.medicalAt(from-2) {
		from-- // la risonanza del 18 ottobre is one thing
	}
	if end := i + n; x.word(i+n-1) != "r" && oneLetter(x.wordOr(end), "r") && x.is(end+1, ".") {
		n++ // 14 lutego 2024 r.
	}
	x.add(x.tok[from].From, x.tok[i+n-1].To, Medical, "date_of_treatment", 0.8)
}

// near is within how many words of a day a stay in hospital is told.
const near = 8

// stays marks the days of somebody's stay in hospital or operation that names no
// ailment: "sortie le 3 avril de l'hôpital, j'attends encore".
func (x *Sheet) stays() {
	if x.Field == "title" || x.Field == "key_contacts" {
		return
	}
	for i := 0; i < len(x.tok); i++ {
		n := x.dayOrSpan(i)
		if n == 0 {
			continue
		}
		from, to := x.sentence(i)
		if x.taken(x.tok[i].From, x.tok[i+n-1].To) || x.officeDay(i) {
			i += n - 1
			continue
		}
		test := x.datedTest(i) || x.treatedOn(i) || x.stayNear(max(from, i-near), min(to, i+n+near))
		if test && (x.personIn(from, to) || x.patientBefore(from)) || x.dateNamed(i) && x.toldBefore(from) || x.patientBefore(to) && x.doctorsPaper(i, from, to) || x.patientBefore(from) && x.wentHome(i, from) {
			x.addDay(i, n)
		}
		i += n - 1
	}
}

// stayNear tells whether some tokens tell of a stay or an operation, and not of
// the place itself.
func (x *Sheet) stayNear(from, to int) bool {
	for i := from; i < to; i++ {
		if x.stemmed(i, strongStemsByHead()) && !x.held[i] && !x.confessed(i) && !x.deal(i) && (x.tok[i].Case == lex.Lower || x.sentenceStart(i) || x.tongue() == german) && x.hints(i+1)&organ == 0 && !oneOf(x.word(i), "arrêté arrêtée arrêtés arrêtées arrêter operating operator operators ingreso ingresos ingresar") {
			return true
		}
	}
	return false
}

// personIn tells whether somebody is in a sentence.
func (x *Sheet) personIn(from, to int) bool {
	for i := from; i < to; i++ {
		if x.someoneAt(i) || x.hints(i)&pronoun != 0 && x.pronounAt(i) || x.hints(i)&possessive != 0 && !x.theirs(i) && !oneOf(x.word(i), itsWords) {
			return true
		}
	}
	return false
}

// adjoins tells whether no more than a preposition stands between an ailment and
// a date behind it: "mastectomy on 12 May 2023".
func (x *Sheet) adjoins(a ailment, date int) bool {
	if date < a.from {
		return a.from-date <= 6 && x.directly(date, a.from)
	}
	if date < a.to || date-a.to > 3 {
		return false
	}
	for i := a.to; i < date; i++ {
		if !oneOf(x.word(i), "on el le am op em no na dia día giorno im in en il del dnia du vom den from the since seit desde depuis di van de da dal al od of till until bis hasta até") && !x.is(i, ",()") && x.word(i) != "z" && x.word(i) != "w" {
			return false
		}
	}
	return true
}

// directly tells whether an ailment follows a date with no more than articles and
// a verb of having between: "hatte am 11. März einen Infarkt".
func (x *Sheet) directly(date, ailment int) bool {
	n := x.dayOrSpan(date)
	for i := date + n; i < ailment; i++ {
		if x.tok[i].Kind != lex.Letters || x.hints(i)&(joining|has|told|suffers|possessive) == 0 && !oneOf(x.word(i), "ein eine einen einem une een uno um uma") {
			return false
		}
	}
	if x.has(date, lex.Month) && oneOf(x.wordOr(date-1), "im in en em nel") {
		return n > 0
	}
	return n > 0 && oneOf(x.wordOr(date-1), "on am le el em il op dnia w")
}

// seenWords tell of a treatment only beside an ailment.
const seenWords = "place intervenida intervenido dimessa dimesso visita perizia infortunio corretta documentata vastgesteld hospitalisatie stwierdzono tomografia wypadek wypisany leżał leżała leżałem leżałam baixa internada internado estuve ingresada ero biopsie greffe opéré analisi eseguita colonscopia tac mri mrt operację ontslagen lag diagnostiqué diagnostiquée opname opgenomen dos found biopsied scanned seen hospital ward discharge collapsed fell fainted entlassungsbrief entlassung aufnahme befund arztbrief krankenhaus sortie séjour hospitalisation consultation alta ingreso ingresó operaron operó hospitalización internação internamento consulta exame dimissione dimissioni ricovero referto ontslag ontslagbrief spoed ziekenhuis karta wypis wypisu szpital szpitalu badanie wynik pobyt had kreeg brach przeszedł przeszła miał miała erlitt teve sofreu tuvo sufrió ebbe subì eut"

// treated tells whether a word of treatment stands near a date of n tokens, in
// the sentence from start to end.
func (x *Sheet) treated(i, n, start, end int) bool {
	for j := max(start, i-12); j < min(end, i+n+10); j++ {
		if j >= i && j < i+n {
			continue
		}
		if x.treatment(j) {
			return true
		}
	}
	return false
}

// dayOrSpan is the number of tokens of a date or a span of days at token i: "3 to
// 11 June 2023", "7-10 maart", "il 9/2"; a year alone is none.
func (x *Sheet) dayOrSpan(i int) int {
	if n := x.dateAt(i); n > 1 || n == 1 && x.tok[i].To-x.tok[i].From > 4 {
		return x.until(i, n)
	}
	if n := x.monthAndYear(i); n > 0 {
		return n
	}
	if n := x.namedDay(i); n > 0 {
		return n
	}
	if n := x.bareOrdinal(i); n > 0 {
		return n
	}
	if d := x.number(i); d < 1 || d > 31 || x.tok[i].Kind != lex.Digits && !(x.tok[i].Kind == lex.Mixed && ordinal(x.word(i))) {
		return 0
	}
	j := i + 1
	if x.is(j, "/") && !x.tok[j].Space && j+1 < len(x.tok) && x.tok[j+1].Kind == lex.Digits && !x.tok[j+1].Space && x.number(j+1) <= 31 && oneOf(x.wordOr(i-1), "on il el le am em op dnia dia día giorno vom du al del of from de van") {
		return 3
	}
	if x.is(j, ".") {
		if n := x.dayAndMonth(i); n > 0 {
			return n
		}
		j++
	}
	if j+2 < len(x.tok) && x.is(j+1, "/") && x.word(j) == "t" && x.word(j+2) == "m" {
		j += 2 // t/m
	} else if j >= len(x.tok) || !x.is(j, "-") && !spanWord(x.word(j)) && !x.between(i, j) {
		return 0
	}
	if oneOf(x.word(j), "i") && !x.between(i, j) && x.number(j+1) <= x.number(i) {
		return 0 // 12 i 13 marca are days in a row
	}
	if oneOf(x.wordOr(j+1), "le el il o") || x.wordOr(j+1) == "o" {
		j++ // entre el 4 y el 15 de mayo
	}
	if j+1 >= len(x.tok) {
		return 0
	}
	if n := x.dateAt(j + 1); n > 1 {
		return j + 1 + n - i
	}
	return 0
}

// until is the number of tokens of a date of n tokens at token i together with a
// second one that ends the same span: "28 December until 4 January".
func (x *Sheet) until(i, n int) int {
	j := i + n
	if j+1 >= len(x.tok) || !x.is(j, "-") && !spanWord(x.word(j)) || oneOf(x.word(j), "und et i") {
		return n
	}
	if m := x.dateAt(j + 1); m > 1 {
		return j + 1 + m - i
	}
	return n
}

// between tells whether the "and" at token j joins the ends of a span of days whose
// first is token i: "between 3 and 9 June".
func (x *Sheet) between(i, j int) bool {
	return (x.hints(j)&conjunction != 0 || oneLetter(x.word(j), "yei")) && (oneOf(x.wordOr(i-1), "between zwischen entre tra fra tussen między pomiędzy") || oneOf(x.wordOr(i-2), "between zwischen entre tra fra tussen między pomiędzy"))
}

// polishMonths are the months behind "w", as no list of names has them.
const polishMonths = "styczniu lutym marcu kwietniu maju czerwcu lipcu sierpniu wrześniu październiku listopadzie grudniu"

// monthAndYear is the number of tokens of "March 2021", "marzo de 2021", 0 for
// none.
func (x *Sheet) monthAndYear(i int) int {
	j := i + 1
	if oneOf(x.wordOr(j), "de del of") {
		j++
	}
	if j >= len(x.tok) || x.tok[j].Kind != lex.Digits || !isYear(x.word(j)) || x.tok[i].Case == lex.Caps {
		return 0
	}
	if !x.has(i, lex.Month) && !oneOf(x.word(i), polishMonths) {
		return 0
	}
	return j + 1 - i
}

// dayAndMonth is the number of tokens of "14.11." at token i, 0 for none.
func (x *Sheet) dayAndMonth(i int) int {
	if i+3 >= len(x.tok) || x.tok[i+2].Kind != lex.Digits || x.tok[i+2].Space || !x.is(i+3, ".") || x.tok[i+3].Space {
		return 0
	}
	if m := x.number(i + 2); m < 1 || m > 12 || i+4 < len(x.tok) && !x.tok[i+4].Space && x.tok[i+4].Kind == lex.Digits {
		return 0
	}
	return 4
}

// medicalAt tells whether token i was found to be one of medicine.
func (x *Sheet) medicalAt(i int) bool {
	t := x.tok[i]
	return x.taken(t.From, t.To) && slices.ContainsFunc(x.spans, func(s Span) bool { return s.Type == Medical && s.From < t.To && t.From < s.To })
}

// wentHome tells whether the day at token i is that on which somebody came home, the
// sentence starting at token from.
func (x *Sheet) wentHome(i, from int) bool {
	for j := i - 1; j > from && j >= i-5; j-- {
		if oneOf(x.word(j), "home") && oneOf(x.word(j-1), "went came sent go back returned") || oneOf(x.word(j), "hause maison casa huis domu") && oneOf(x.word(j-1), "nach la a naar do") {
			return true
		}
	}
	return false
}
