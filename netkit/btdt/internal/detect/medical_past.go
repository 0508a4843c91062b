package detect

import "github.com/agentnet/netctl/netkit/btdt/internal/lex"

// sinceYear marks the year since which somebody has an ailment: "guéri d'un
// lymphome depuis 2017".
func (x *Sheet) sinceYear(a ailment) {
	if a.kind == vague {
		return
	}
	for i := a.from - 2; i >= 0 && i >= a.from-8 && !x.stops(i) && !x.is(i, ","); i-- {
		if x.yearSince(i) {
			x.addDay(i+1, 1)
			return
		}
		if h := x.hints(i + 1); x.tok[i+1].Kind != lex.Digits && h&(joining|has|told|suffers|pronoun|possessive) == 0 && !x.mildly(i+1) {
			break
		}
	}
	for i := a.to; i+1 < len(x.tok) && i < a.to+3 && x.tok[i].Kind == lex.Letters; i++ {
		if x.yearSince(i) {
			x.addDay(i+1, 1)
			return
		}
	}
}

// yearSince tells whether a year stands behind token i, since which something is so.
func (x *Sheet) yearSince(i int) bool {
	return oneOf(x.word(i), "since seit depuis desde dal dall sinds od") && x.tok[i+1].Kind == lex.Digits && isYear(x.word(i+1)) && x.dayOrSpan(i+1) == 0
}

// mildly tells whether token i is a word that may stand between a verb of having
// and what somebody has.
func (x *Sheet) mildly(i int) bool {
	return oneOf(x.word(i), "ein eine einen einem an am un une una um uma een na from der die das") || x.has(i, lex.Mark)
}

// deeds are participles of what is done in a treatment. They stand between it and
// its day.
const deeds = "taken out removed replaced performed fitted inserted repaired drained pinned carried done redone treated scoped shattered amputated delivered given entfernt eingesetzt durchgeführt gemacht operiert vorgenommen retiré retirée retirés enlevé enlevée posé posée réalisé réalisée opéré opérée pratiqué pratiquée faite quitaron extirparon pusieron realizó realizaron practicaron realizada realizado feita feito retirado retirada colocado colocada rimosso rimossa tolto tolta asportato asportata impiantato eseguito eseguita fatta verwijderd geplaatst uitgevoerd gezet usunięto wycięto wszczepiono wykonano założono usunięty usunięta zrobiono"

// doneOn tells whether a day behind an ailment is when that was done: "his prostate
// was taken out in June 2020". Whatever else stands between tells of another day.
func (x *Sheet) doneOn(a ailment, day int) bool {
	if day < a.to || day-a.to > 9 {
		return false
	}
	done := false
	for i := a.to; i < day; i++ {
		switch {
		case oneOf(x.word(i), deeds):
			done = true
		case x.hints(i)&(told|has|joining|pronoun) != 0, x.held[i], x.has(i, lex.OrgWord|lex.Place|lex.Title), x.nameAt(i), oneOf(x.word(i), "at by from il le el em op on dnia been chez bei przez"):
		default:
			return false
		}
	}
	return done
}

// treatedOn tells whether a verb of treating stands right before the day at token i:
// "she was first treated on 11 March".
func (x *Sheet) treatedOn(i int) bool {
	j := i - 1
	for hops := 0; hops < 2 && oneOf(x.wordOr(j), "on in am im vom le el em no il op dnia the"); hops++ {
		j--
	}
	return j < i-1 && oneOf(x.wordOr(j), "treated examined x-rayed scanned vaccinated untersucht behandelt geimpft soigné soignée examiné examinée vacciné vaccinée atendido atendida tratado tratada vacunado vacunada vacinado vacinada curato curata visitato visitata vaccinato vaccinata behandeld onderzocht gevaccineerd leczony leczona badany badana")
}

// dateNamed tells whether the day at token i is announced as a date: "The date, 14
// August 2023, was wrong".
func (x *Sheet) dateNamed(i int) bool {
	for j := i - 1; j >= 0 && j >= i-4 && !x.stops(j); j-- {
		if oneOf(x.word(j), "date datum fecha data dzień termin day tag jour día dia giorno dag") {
			return true
		}
	}
	return false
}

// toldBefore tells whether the sentence before the one that starts at token from
// tells of somebody's treatment.
func (x *Sheet) toldBefore(from int) bool {
	if from == 0 {
		return false
	}
	start, end := x.sentence(from - 1)
	for _, a := range x.ailments {
		if a.from >= start && a.to <= end && a.weight >= private {
			return true
		}
	}
	return x.stayNear(start, end) && x.personIn(start, end)
}

// patientBefore tells whether an earlier sentence of the text is about somebody
// who is ill; the one that starts at token from need not name them again.
func (x *Sheet) patientBefore(from int) bool {
	for _, a := range x.ailments {
		if a.to <= from && a.weight >= private && a.kind != vague {
			return true
		}
	}
	return false
}

const (
	medicalPapers = "report letter note certificate order prescription referral bericht befund attest rezept verordnung gutachten überweisung arztbrief rapport certificat ordonnance courrier attestation informe orden receta certificado parte volante laudo relatório atestado receita relazione referto certificato ricetta verslag brief recept verwijzing zaświadczenie opinia skierowanie recepta"
	doctors       = "dr doctor doctora doctors gp surgeon cardiologist neurologist oncologist consultant arzt ärztin hausarzt hausärztin chirurg médecin docteur docteure chirurgien généraliste médico médica cirujano cirujana médico doutor doutora dra medico dottore dottoressa dott primario chirurgo arts huisarts specialist lekarz lekarza lekarka lekarki doktor"
	paperDays     = "of dated from on vom du daté datée del de do da di fechado fechada datado datada datato datata van d.d z"
)

// doctorsPaper tells whether the day at token i is that of a paper which a doctor
// wrote, in a text that tells of somebody who is ill: "el informe del 20 de
// febrero, de la doctora Mamani".
func (x *Sheet) doctorsPaper(i, from, to int) bool {
	j := i - 1
	for oneOf(x.wordOr(j), "el le il o em no na am den the") {
		j--
	}
	told := j < i-1 && oneOf(x.wordOr(j), medicalPapers) // hizo otro informe el 2 de mayo
	if !told && !oneOf(x.wordOr(j), paperDays) && x.wordOr(j) != "z" {
		return false
	}
	if oneOf(x.wordOr(j-1), "entlassungsbericht entlassbericht op-bericht reha-bericht klinikbericht attest befund arztbrief entlassbrief entlassungsbrief krankmeldung laudo atestado referto wypis arztbericht krankschreibung") {
		return true
	}
	paper, doctor := false, false
	for k := max(from, i-8); k < min(to, i+12); k++ {
		paper = paper || k < i && oneOf(x.word(k), medicalPapers)
		doctor = doctor || x.doctorAt(k)
	}
	return paper && doctor
}

// paperDates marks the days of doctors' papers and of what the sentence before
// tells, in a playbook whose patient another text tells of.
func (x *Sheet) paperDates() bool {
	if x.Field == "title" || x.Field == "key_contacts" {
		return false
	}
	more := x.testDays(true)
	if x.dayless {
		return more
	}
	for i := 0; i < len(x.tok); i++ {
		n := x.dayOrSpan(i)
		if n == 0 {
			continue
		}
		from, to := x.sentence(i)
		if !x.officeDay(i) && !x.taken(x.tok[i].From, x.tok[i+n-1].To) && (x.doctorsPaper(i, from, to) || x.datedTest(i) || x.certificateOf(i)) {
			x.addDay(i, n)
			more = true
		}
		i += n - 1
	}
	return more
}

// certificateOf tells whether the day at token i is that of a certificate, which in the
// playbook of a patient a doctor wrote: "le certificat du 11 janvier".
func (x *Sheet) certificateOf(i int) bool {
	j := i - 1
	if !oneOf(x.wordOr(j), paperDays) && x.wordOr(j) != "z" {
		return false
	}
	if j--; oneOf(x.wordOr(j), "médical médico medico funzionale lekarskie lekarskiego medisch") {
		j--
	}
	return oneOf(x.wordOr(j), "certificat certificado certificato zaświadczenie zaświadczenia zaświadczeniem diagnosi diagnóstico attest sick-note")
}
