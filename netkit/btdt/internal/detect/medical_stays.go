package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// shownTests are tests whose name stands in nothing but medicine; ordinaryTests
// mean another thing as often, and tell only of somebody known to be ill.
const (
	shownTests    = "doppler duplex angiographie angiografie angiografía angiografia tep tep-scan petscan scan scans mri ct pet pet-ct pet-scan x-ray xray ultrasound ecg ekg eeg emg biopsy bloods mammogram endoscopy colonoscopy smear echocardiogram mrt röntgenbild ultraschall biopsie blutprobe blutbild blutabnahme gewebeprobe irm échographie scintigraphie mammographie coloscopie prise-de-sang tac resonancia ecografía radiografía biopsia analítica mamografía gammagrafía ressonância tomografia ecografia biópsia mamografia ecocardiograma risonanza radiografia ecocardiogramma colonscopia bloedonderzoek bloedproef echo rezonans rezonansu tomografię tomografii usg prześwietlenie biopsję biopsji morfologia morfologię"
	ordinaryTests = "test tests retest sample swab check-up examination exam untersuchung probe kontrolle nachkontrolle abstrich scanner examen analyse analyses bilan prélèvement radio prueba análisis examen exame exames análise esame esami prelievo controllo visita onderzoek uitslag badanie badania wynik wyniki"
)

// testOf is the token of the test that a day at token i belongs to: "a second scan
// on 3rd July", "la PET del 28 novembre", "tomografia Grzegorza z 11 września". It
// is -1 for none.
func (x *Sheet) testOf(i int) int {
	j := i - 1
	for hops := 0; hops < 3 && j >= 0 && (oneOf(x.word(j), "on of from dated the vom am du de del di do da em em van op no na dnia le el il") || x.word(j) == "z"); hops++ {
		j--
	}
	if j == i-1 && x.is(j, ",") && x.dayOf(j-1) {
		return j - 1
	}
	if j == i-1 || j < 0 || x.tok[j+1].Line {
		return -1
	}
	for hops := 0; hops < 4 && j > 0 && (x.someoneAt(j) || x.hints(j)&possessive != 0 || oneOf(x.word(j), "of del de der des van di do da")); hops++ {
		j--
	}
	if w := unelided(x.word(j)); x.tok[j].Kind == lex.Letters && (oneOf(w, shownTests) || oneOf(w, ordinaryTests)) {
		return j
	}
	return -1
}

// unelided is a word without the article that an apostrophe joins to it: L'IRM.
func unelided(w string) string {
	if head, rest, ok := strings.Cut(w, "'"); ok && len(head) == 1 {
		return rest
	}
	return w
}

// testDays marks the days of tests and the tests themselves in a text that tells of
// somebody who is ill, or in one of a playbook that does (ill).
func (x *Sheet) testDays(ill bool) bool {
	if x.Field == "title" || x.Field == "key_contacts" || x.Field == "legal_levers" {
		return false
	}
	if x.dayless {
		return false
	}
	more, none := false, true
	for i := 0; i < len(x.tok); i++ {
		n := x.dayOrSpan(i)
		if n == 0 {
			continue
		}
		none = false
		from, to := x.sentence(i)
		if test := x.testOf(i); test >= 0 && !x.officeDay(i) {
			certain := oneOf(unelided(x.word(test)), shownTests) || oneOf(x.word(test), "scanner") && x.tongue() == french
			if ill || x.patientBefore(to) || certain && x.personIn(from, to) {
				more = x.addTest(test, i, n, certain) || more
			}
		} else if !x.taken(x.tok[i].From, x.tok[i+n-1].To) && x.spanOfStay(i, n, from, to, ill) {
			x.addDay(i, n)
			more = true
		}
		i += n - 1
	}
	x.dayless = none
	return more
}

// addTest marks a day and, where its name is one of medicine, the test before it.
func (x *Sheet) addTest(test, day, n int, certain bool) bool {
	more := false
	if t := x.tok[test]; certain && !x.taken(t.From, t.To) {
		to := t.To
		if day == test+2 && !x.tok[day].Line && x.word(test+1) != "on" {
			to = x.tok[test+1].To // la risonanza del 18 ottobre is one thing
		}
		x.add(t.To-len(unelided(x.word(test))), to, Medical, "dated_test", 0.7)
		more = true
	}
	if !x.taken(x.tok[day].From, x.tok[day+n-1].To) {
		x.addDay(day, n)
		more = true
	}
	return more
}

// stayWords tell of nights in a hospital beside a span of days.
const stayWords = "ward inpatient klinikaufenthalt krankenhausaufenthalt station stationär reha kur klinik krankenhaus tagesklinik hôpital clinique hospitalisation hospitalisé hospitalisée hospital clínica ingresado ingresada internado internada internação internamento degenza ospedale clinica ricovero ricoverato ricoverata ziekenhuis kliniek opname opgenomen szpital szpitalu oddział oddziale klinice sanatorium leżał leżała leżałem leżałam hospitalised hospitalized admitted"

// weakStays are words for any stay; a doctor, a doctor's paper or an ailment must
// stand in the sentence.
const weakStays = "stay aufenthalt aufenthalts aufenthaltes séjour estancia estadia soggiorno degenza verblijf pobyt pobytu"

// lodgings tell that a stay is a traveller's.
const lodgings = "hotel hostel airbnb booking apartment flat cruise resort holiday campsite cottage hôtel ferienwohnung urlaub urlaubs pension location vacances vacaciones apartamento férias alojamento vacanza albergo vakantie huisje hotelu hoteli wakacje wczasy apartament visa visum schengen"

// medicalTalk tells whether a doctor, a doctor's paper or somebody's ailment stands
// in the sentence from from to to.
func (x *Sheet) medicalTalk(from, to int) bool {
	for i := from; i < to; i++ {
		if oneOf(x.word(i), medicalPapers) && !oneOf(x.word(i), officePapers) {
			return true
		}
	}
	for _, a := range x.ailments {
		if a.weight >= private && a.from >= from && a.to <= to {
			return true
		}
	}
	return x.doctorNear(from, to)
}

// lodged tells whether a span of days at token i is that of a traveller's stay:
// "séjour du 4 au 11 juillet à l'hôtel".
func (x *Sheet) lodged(i int) bool {
	n := x.dayOrSpan(i)
	if n == 0 || !x.spanned(i, n) {
		return false
	}
	from, to := x.sentence(i)
	for j := max(from, i-near); j < min(to, i+n+near); j++ {
		if oneOf(x.word(j), lodgings) {
			return true
		}
	}
	return false
}

// spanOfStay tells whether a span of days is that of somebody's stay in hospital, or
// stands in one clause with what they had.
func (x *Sheet) spanOfStay(i, n, from, to int, ill bool) bool {
	if !x.spanned(i, n) || x.officeDay(i) {
		return false
	}
	stay := false
	for j := max(from, i-near); j < min(to, i+n+near); j++ {
		stay = stay || oneOf(x.word(j), stayWords) || oneOf(x.word(j), weakStays) && x.medicalTalk(from, to)
	}
	if stay {
		return ill || x.patientBefore(to) || x.personIn(from, to)
	}
	for _, a := range x.ailments {
		if a.weight >= private && a.from >= i+n && a.from <= i+n+4 && x.hints(i-1)&topic == 0 && x.directSpan(i, n, a.from) {
			return true
		}
	}
	return false
}

// directSpan tells whether an ailment follows a span of n tokens at token i with
// nothing but a preposition between, and somebody was before it: "war vom 8. bis
// 26. Mai wegen Depression".
func (x *Sheet) directSpan(i, n, ailment int) bool {
	for j := i + n; j < ailment; j++ {
		if x.tok[j].Kind != lex.Letters || x.hints(j)&(joining|topic|has|possessive) == 0 {
			return false
		}
	}
	from := x.clauseStart(i)
	return x.personIn(from, i)
}

// spanned tells whether a day of n tokens at token i is a span of several.
func (x *Sheet) spanned(i, n int) bool {
	for j := i + 1; j < i+n; j++ {
		if x.is(j, "-") && x.tok[j+1].Kind == lex.Digits && j > i+1 || x.is(j, "-") && x.dateAt(j+1) > 0 || spanWord(x.word(j)) && x.tok[i].Kind != lex.Letters {
			return true
		}
	}
	return false
}

// spanStart is where the span of days starts whose last day is at token i, which is
// i for a day alone: "ingresado del 9 al 21 de abril".
func (x *Sheet) spanStart(i int) int {
	for j := max(0, i-4); j < i; j++ {
		if n := x.dayOrSpan(j); n > i-j && x.spanned(j, n) {
			return j
		}
	}
	return i
}

// spanWord tells whether a word stands between the two ends of a span of days.
func spanWord(w string) bool {
	return oneOf(w, "to bis au al tot do und et i until through till hasta até fino t/m") || w == "a"
}

// dayOf tells whether the test at token i is one whose day is told: "on the day of the
// scan, 9 January".
func (x *Sheet) dayOf(i int) bool {
	if i < 1 || !oneOf(x.word(i), shownTests) && !oneOf(x.word(i), ordinaryTests) {
		return false
	}
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		if oneOf(x.word(j), "day tag tage jour día dia giorno dag dniu dzień") {
			return true
		}
	}
	return false
}
