package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// medical finds conditions, medicines, procedures and codes that are tied to a
// person. General words of medicine stay: a diabetes clinic is nobody's illness.
func (x *Sheet) medical() {
	if x.Field == "legal_levers" || x.Field == "entity" || x.Field == "region" || x.Field == "sub_category" {
		return // what stands there is about no patient
	}
	for i := 0; i < len(x.tok); i++ {
		x.diagnosisCode(i)
		if tag.Kind(x.labels[i]) == tag.MedicalFirst {
			to := i + 1
			for to < len(x.tok) && x.labels[to] == tag.MedicalNext {
				to++
			}
			if x.medicalLike(i, to) && (x.tied(i, to) || x.definite(i)) {
				x.addMedical(i, to, "tagger", 0.8)
			}
			i = to - 1
			continue
		}
		n := x.illAt(i)
		if n == 0 {
			continue
		}
		if x.tied(i, i+n) {
			x.addMedical(i, x.dose(i+n), "condition", 0.85)
		}
		i += n - 1
	}
}

func (x *Sheet) addMedical(from, to int, rule string, score float64) {
	to = x.dose(to)
	for from < to-1 && (oneOf(x.word(from), suffering) || oneOf(x.word(from), possessives) || oneOf(x.word(from), "with from of for an a the mit an unter de d' da di met na z")) {
		from++ // what ties the words to a person stays
	}
	for to > from && x.tok[to-1].Kind == lex.Sign && !x.is(to-1, ")%") {
		to--
	}
	if to > from && !x.held[from] {
		x.add(x.tok[from].From, x.tok[to-1].To, Medical, rule, score)
		x.treatmentDate(to)
	}
}

// treatmentDate marks a day right behind a treatment: "mastectomy on 12 May 2023".
func (x *Sheet) treatmentDate(i int) {
	for hops := 0; i < len(x.tok) && hops < 3; i, hops = i+1, hops+1 {
		if n := x.dateAt(i); n > 0 {
			x.add(x.tok[i].From, x.tok[i+n-1].To, Medical, "date_of_treatment", 0.8)
			return
		}
		if !oneOf(x.word(i), "on el le am op em il del dnia du vom den from the since seit desde depuis") && !x.is(i, ",(") {
			return
		}
	}
}

// medicalLike asks of the tagger's find a word of medicine, or somebody whose it
// is.
func (x *Sheet) medicalLike(from, to int) bool {
	for i := from; i < to; i++ {
		if x.tok[i].Flags&(lex.Ill|lex.Care|lex.Clinical|lex.Sick) != 0 || x.tok[i].Kind == lex.Mixed || drugEnd(x.word(i)) || x.illAt(i) > 0 {
			return true
		}
	}
	return x.strictlyTied(from, to)
}

// illAt is the number of tokens of a known condition or treatment at token i.
func (x *Sheet) illAt(i int) int {
	if f, n := lex.Phrase(x.tok, i); n > 0 && f&(lex.Ill|lex.Care|lex.Sick) != 0 {
		return n
	}
	t := x.tok[i]
	if t.To-t.From <= 4 && t.Case != lex.Caps && t.Flags&(lex.Word|lex.Foreign) != 0 {
		return 0 // als and add are words, ALS and ADD conditions
	}
	if t.Kind == lex.Letters && (t.Flags&(lex.Ill|lex.Care|lex.Sick) != 0 || drugEnd(x.word(i)) && t.Flags&(lex.Word|lex.Surname|lex.Given) == 0) {
		return 1
	}
	return 0
}

// drugEnd knows medicines by the ending of their international name.
func drugEnd(w string) bool {
	if len(w) < 8 {
		return false
	}
	low := strings.ToLower(w)
	for _, end := range []string{"mab", "tinib", "ciclib", "sartan", "statin", "prazole", "prazol", "cillin", "oxacin", "gliptin", "gliflozin", "glutide", "glutid", "xaban", "cycline", "dipine", "lukast", "triptan", "setron", "parib", "vudine", "navir", "tegravir"} {
		if strings.HasSuffix(low, end) {
			return true
		}
	}
	return false
}

const (
	possessives = "my his her our their your hers mine meine meiner meinem meinen mein seine seiner sein seinem ihre ihrer ihr ihrem unsere unser mon ma mes son sa ses notre leur mi mis su sus nuestra nuestro meu minha meus minhas seu sua nosso nossa mio mia miei suo sua nostra nostro loro mijn zijn haar onze ons hun mój moja moje mojej mojego jego jej nasz nasza"
	persons     = "i he she we patient claimant insured policyholder tenant member ich er sie wir je il elle nous yo él ella ele ela eu io lui lei ik hij zij ze wij on ona ja"
	suffering   = "diagnosed suffers suffered suffering prescribed treated undergoing underwent had has have having developed admitted recovering takes taking took on living diagnostiziert leidet litt leide verschrieben behandelt erkrankt hatte hat habe souffre souffrait atteint atteinte diagnostiqué diagnostiquée prescrit padece padecía sufre sufría diagnosticado diagnosticada diagnosticaron recetó recetado tiene tenía tengo tem tinha tenho sofre sofria diagnosticado receitou prescreveu soffre soffriva affetto affetta diagnosticato prescritto ha aveva ho lijdt leed gediagnosticeerd voorgeschreven heeft had heb choruje chorował chorowała cierpi cierpiał cierpiała zdiagnozowano rozpoznano przepisał przepisała ma miał miała"
	generalHead = "clinic department unit ward centre center nurse specialist consultant team policy coverage benefit benefits insurance guideline guidelines programme program charity association foundation research drug drugs medication screening awareness care service services society leaflet klinik abteilung zentrum station ambulanz beratung verband clinique service clinica departamento unidad unidade reparto afdeling polikliniek oddział poradnia ratio sheet formulary claims claim rider leave"
)

// tied tells whether a condition belongs to somebody: a possessive, a name or a
// word of suffering in the same clause, and no general head behind it.
func (x *Sheet) tied(from, to int) bool {
	if to < len(x.tok) && oneOf(x.word(to), generalHead) {
		return false
	}
	return x.somebody(from, to) || x.strictlyTied(from, to)
}

// strictlyTied asks for the person right before the words.
func (x *Sheet) strictlyTied(from, to int) bool {
	for i := from - 1; i >= 0 && i >= from-8; i-- {
		if x.is(i, ".;") && x.tok[i+1].Space || x.tok[i+1].Line {
			break
		}
		w := x.word(i)
		if i >= from-4 && oneOf(w, possessives) || oneOf(w, suffering) && x.personNear(i) {
			return true
		}
		if i >= from-2 && w == "s" && x.is(i-1, "'") && !x.held[max(0, i-2)] {
			return true
		}
	}
	return false
}

// somebody tells whether a person stands in the same sentence: by name, by
// relation, by a possessive or as a patient.
func (x *Sheet) somebody(from, to int) bool {
	start, end := from, to
	for start > 0 && from-start < 40 && !x.sentenceStart(start) {
		start--
	}
	for end < len(x.tok) && end-to < 40 && !x.sentenceStart(end) {
		end++
	}
	for i := start; i < end; i++ {
		if x.tok[i].Flags&lex.Kin != 0 && x.tok[i].Case != lex.Caps || tag.Kind(x.labels[i]) == tag.NameFirst && !x.held[i] || x.tok[i].Kind == lex.Placeholder || possessiveKeys()[x.tok[i].Key] {
			return true
		}
	}
	return false
}

var possessiveKeys = sync.OnceValue(func() map[uint64]bool {
	return keySet(possessives + " me him patient he she i ich mich mir je j'ai yo eu io ik")
})

// definite tells whether an article stands before a treatment: "the lumbar
// fusion" is one person's, where "a denial for a statin" is anybody's.
func (x *Sheet) definite(i int) bool {
	return x.illAt(i) > 0 && oneOf(x.wordOr(i-1), "the")
}

// diagnosisCode marks codes such as M54.16 beside a word for diagnoses.
func (x *Sheet) diagnosisCode(i int) {
	t := x.tok[i]
	if t.Kind != lex.Mixed || t.To-t.From != 3 || t.Case == lex.Lower || !isDigit(x.s[t.From+1]) || !isDigit(x.s[t.From+2]) {
		return
	}
	to := i + 1
	if x.is(to, ".") && to+1 < len(x.tok) && !x.tok[to+1].Space && x.tok[to+1].Kind == lex.Digits {
		to += 2
	}
	if to > i+1 || x.near(t.From, "icd icd-10 diagnosis diagnose diagnoses diagnostic diagnóstico diagnosi cie cie-10 cid cim code kod codice código diagnoza diagnozą rozpoznanie") {
		x.add(t.From, x.tok[to-1].To, Medical, "diagnosis_code", 0.8)
	}
}

// personNear tells whether somebody stands within six words before a verb.
func (x *Sheet) personNear(verb int) bool {
	for i := verb - 1; i >= 0 && i >= verb-6; i-- {
		if x.is(i, ".;") {
			return false
		}
		if oneOf(x.word(i), persons) || oneOf(x.word(i), possessives) || x.word(i) == "I" || x.tok[i].Flags&lex.Kin != 0 || tag.Kind(x.labels[i]) == tag.NameFirst || x.tok[i].Kind == lex.Placeholder {
			return true
		}
	}
	return false
}

const doseUnits = "mg mcg µg g ml iu ui units tablets pills daily bd tds od"

// dose adds an amount behind a medicine: 5 mg, 40mg/0.8ml.
func (x *Sheet) dose(i int) int {
	if i >= len(x.tok) {
		return i
	}
	t := x.tok[i]
	if t.Kind == lex.Mixed && doseWord(x.word(i)) {
		return i + 1
	}
	j := i
	for j < len(x.tok) && j-i < 4 && (x.tok[j].Kind == lex.Digits || j > i && x.is(j, ".,/") && !x.tok[j].Space) {
		j++
	}
	if j > i && j < len(x.tok) && oneOf(x.word(j), doseUnits) {
		return j + 1
	}
	return i
}

func doseWord(w string) bool {
	n := 0
	for n < len(w) && isDigit(w[n]) {
		n++
	}
	return n > 0 && oneOf(w[n:], doseUnits)
}
