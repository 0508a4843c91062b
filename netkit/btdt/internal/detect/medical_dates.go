package detect

import "github.com/agentnet/netctl/netkit/btdt/internal/lex"

// treatmentDates marks the days on which somebody was treated: those that stand
// in a sentence with a private ailment, right behind it or near a word of
// treatment.
func (x *Sheet) treatmentDates() {
	for _, a := range x.ailments {
		if a.weight < private {
			continue
		}
		from, to := x.sentence(a.from)
		for i := from; i < to; i++ {
			n := x.dayOrSpan(i)
			if n == 0 {
				continue
			}
			if x.adjoins(a, i) || x.treated(i, n, from, to) {
				if end := i + n; x.word(i+n-1) != "r" && oneLetter(x.wordOr(end), "r") && x.is(end+1, ".") {
					n++ // 14 lutego 2024 r.
				}
				x.add(x.tok[i].From, x.tok[i+n-1].To, Medical, "date_of_treatment", 0.8)
			}
			i += n - 1
		}
	}
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
		if !oneOf(x.word(i), "on el le am op em il del dnia du vom den from the since seit desde depuis di van de dal al od of il") && !x.is(i, ",(") && x.word(i) != "z" {
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
	return n > 0 && oneOf(x.wordOr(date-1), "on am le el em il op dnia w")
}

// seenWords tell of a treatment only beside an ailment.
const seenWords = "place intervenida intervenido dimessa dimesso visita perizia infortunio corretta documentata vastgesteld hospitalisatie stwierdzono tomografia wypadek wypisany leżał leżała leżałem leżałam baixa internada internado estuve ingresada ero biopsie greffe opéré analisi eseguita colonscopia tac mri mrt operację ontslagen lag diagnostiqué diagnostiquée opname opgenomen dos found biopsied scanned seen hospital ward discharge collapsed fell fainted entlassungsbrief entlassung aufnahme befund arztbrief krankenhaus sortie séjour hospitalisation consultation alta ingreso ingresó operaron operó hospitalización internação internamento consulta exame dimissione dimissioni ricovero referto ontslag ontslagbrief spoed ziekenhuis karta wypis wypisu szpital szpitalu badanie wynik pobyt had kreeg brach przeszedł przeszła miał miała erlitt teve sofreu tuvo sufrió ebbe subì eut"

// treated tells whether a word of treatment stands near a date of n tokens, in
// the sentence from start to end.
func (x *Sheet) treated(i, n, start, end int) bool {
	for j := max(start, i-10); j < min(end, i+n+7); j++ {
		if j >= i && j < i+n {
			continue
		}
		if oneOf(x.word(j), treatWords) || oneOf(x.word(j), seenWords) {
			return true
		}
	}
	return false
}

// dayOrSpan is the number of tokens of a date or a span of days at token i: "3 to
// 11 June 2023", "7-10 maart", "il 9/2"; a year alone is none.
func (x *Sheet) dayOrSpan(i int) int {
	if n := x.dateAt(i); n > 1 || n == 1 && x.tok[i].To-x.tok[i].From > 4 {
		return n
	}
	if d := x.number(i); d < 1 || d > 31 || x.tok[i].Kind != lex.Digits {
		return 0
	}
	j := i + 1
	if x.is(j, "/") && !x.tok[j].Space && j+1 < len(x.tok) && x.tok[j+1].Kind == lex.Digits && !x.tok[j+1].Space && x.number(j+1) <= 31 && oneOf(x.wordOr(i-1), "on il el le am em op dnia vom du al del of from") {
		return 3
	}
	if x.is(j, ".") {
		j++
	}
	if j >= len(x.tok) || !x.is(j, "-") && !oneOf(x.word(j), "to bis au al a tot do und et until through t/m") {
		return 0
	}
	if j+1 >= len(x.tok) {
		return 0
	}
	if n := x.dateAt(j + 1); n > 1 {
		return j + 1 + n - i
	}
	return 0
}
