package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

const (
	doseUnits  = "mg mcg µg μg ug g gr ml l iu ui ie i.e j.m jm units unit einheiten unités unidades unidades unità eenheden jednostek tablets tablet pills capsules puffs drops tabletten tropfen hub comprimés comprimidos compresse tabletki tabletek mmol mval % mg/ml mg/d mg/day mg/kg"
	perTime    = "daily nightly weekly monthly bd tds od bid tid qid prn day week month fortnight night times weeks days months hours täglich wöchentlich monatlich mal tag woche wochen monat nachts jour jours semaine semaines mois fois matin soir día días diario diaria diarios semana semanas mes meses noche veces dia dias diários noite vezes mês giorno giorni settimana settimane mese volte sera dag dagen week weken maand daags maal per avond dziennie dzień tydzień tygodniowo miesiąc razy"
	doseFill   = "a an per every each once twice three four two at in the je pro alle zweimal dreimal einmal am zur par toutes tous les le deux une trois al a la cada una dos tres por ao à uma duas cada due tre una ogni il alla twee drie een elke om de 's co dwa raz trzy na"
	resultFill = "were are del do da dell reconocida reconhecida fixé évalué valutata permanente parziale partielle permanent as of was is at to stood still above over under below only nearly around reading readings level levels value score count result results came back rose fell had been been von bei lag liegt betrug auf über unter de à a était est du el la era estava estaba di era pari van op was bij wynosi wynosił wynosiła wynosiło na poziomie wert is in wurde from"
	codeWords  = "icd icd-10 icd-10-cm icd-9 icd-11 cie cie-10 cid cid-10 cim cim-10 diagnosis diagnoses diagnose diagnosen diagnosecode diagnoseschlüssel diagnosekode diagnostic diagnóstico diagnosi diagnoza rozpoznanie rozpoznaniem code codes kod kodem codice código kode"
	procedures = "cpt hcpcs dsm dsm-5 dsm-iv ccam opcs ops icpm drg tarmed nomenclature icd icd-10 icd-9 cid cie cie-10 cim-10"
)

// dose is where the amount behind a medicine ends: 5 mg, 40mg/0.8ml, 2 x 500 mg
// twice daily. It is i where there is none.
func (x *Sheet) dose(i int) int {
	j := x.amount(i)
	if j == i {
		return i
	}
	for x.is(j, ",/+") && x.amount(j+1) > j+1 && x.is(j, "/+") {
		j = x.amount(j + 1)
	}
	return x.howOften(j)
}

// amount reads one amount with its unit, or a bare number of up to four digits
// that ends a phrase: Ibuprofen 600.
func (x *Sheet) amount(i int) int {
	j := i
	if x.is(j, "(") {
		j++
	}
	if x.times(j) {
		j += 2
	}
	start := j
	for j < len(x.tok) && j-start < 5 && (x.tok[j].Kind == lex.Digits && (j == start || !x.tok[j].Space || x.is(j-1, "-")) || j > start && x.is(j, ".,/-") && !x.tok[j].Space && j+1 < len(x.tok) && !x.tok[j+1].Space) {
		j++
	}
	switch {
	case j < len(x.tok) && x.tok[j].Kind == lex.Mixed && doseWord(x.word(j)) && (j == start || !x.tok[j].Space):
		j++
	case j == start:
		return i
	case j < len(x.tok) && (oneOf(x.word(j), doseUnits) || x.is(j, "%") || oneLetter(x.word(j), "glG")):
		j++
	case j-start == 1 && x.tok[start].To-x.tok[start].From <= 4 && x.tok[start].To-x.tok[start].From >= 2 && start == i && x.endsPhrase(j):
	default:
		return i
	}
	for x.is(j, "/") && j+1 < len(x.tok) && !x.tok[j].Space && (x.tok[j+1].Kind == lex.Letters || x.tok[j+1].Kind == lex.Digits || x.tok[j+1].Kind == lex.Mixed) {
		j += 2 // mg/ml, 5 mg/12 h
		if j < len(x.tok) && x.tok[j-1].Kind == lex.Digits && oneOf(x.word(j), doseUnits) || j < len(x.tok) && oneLetter(x.word(j), "hd") {
			j++
		}
	}
	if x.is(i, "(") && x.is(j, ")") {
		j++
	}
	return j
}

func oneLetter(w, letters string) bool { return len(w) == 1 && strings.Contains(letters, w) }

// times tells whether "2 x" stands at token i.
func (x *Sheet) times(i int) bool {
	return i+2 < len(x.tok) && x.tok[i].Kind == lex.Digits && (x.word(i+1) == "x" || x.is(i+1, "×")) && x.tok[i+2].Kind != lex.Letters
}

// endsPhrase tells whether nothing that a number could count follows.
func (x *Sheet) endsPhrase(i int) bool {
	if i >= len(x.tok) || x.tok[i].Line || x.tok[i].Kind == lex.Sign && !x.is(i, "€$£%/-") {
		return true
	}
	return x.hints(i)&(conjunction|joining|suffers|rules) != 0
}

// howOften reads "twice daily", "every three weeks", "1-0-1" behind an amount.
func (x *Sheet) howOften(i int) int {
	end := i
	for j := i; j < len(x.tok) && j < i+5 && !x.tok[j].Line; j++ {
		w := x.word(j)
		switch {
		case oneOf(w, perTime):
			end = j + 1
		case oneOf(w, doseFill) || x.tok[j].Kind == lex.Digits || w == "a" || w == "à" || w == "x" || w == "/":
		case x.is(j, "-") && !x.tok[j].Space:
		default:
			return end
		}
	}
	return end
}

func doseWord(w string) bool {
	n := 0
	for n < len(w) && isDigit(w[n]) {
		n++
	}
	return n > 0 && (oneOf(w[n:], doseUnits+" dd x") || oneLetter(w[n:], "glG"))
}

// resultAt reads what a laboratory or a scale measured, with its value: "HbA1c of
// 9.1", "PSA 12", "blood pressure was 190 over 110". It is i where nothing is
// measured.
func (x *Sheet) resultAt(i int) int {
	if to := x.analyte(i); to > i {
		return to
	}
	if to := x.percentOf(i); to > i {
		return to
	}
	f, n := x.classAt(i)
	if x.scale(i) {
		f, n = lex.Lab, max(n, 1)
	}
	if n == 0 && x.has(i, lex.Lab) && x.tok[i].Kind == lex.Letters {
		f, n = lex.Lab, 1 // PSA is a firm as well, but not with a number
	}
	if f&lex.Lab == 0 || x.rupees(i) {
		return i
	}
	if n > 1 && x.tok[i+n-1].Kind == lex.Digits {
		return x.unit(i + n) // BI-RADS 5 is listed with its number
	}
	j := i + n
	if to := x.bloodGroup(i, j); to > i {
		return to
	}
	for hops := 0; hops < 5 && j < len(x.tok) && !x.tok[j].Line && (oneOf(x.word(j), resultFill) || x.is(j, ":=<>(-~") || oneLetter(x.word(j), "aàé")); hops++ {
		j++
	}
	if j >= len(x.tok) || x.tok[j].Kind != lex.Digits && !(x.tok[j].Kind == lex.Mixed && isDigit(x.s[x.tok[j].From])) || x.dateAt(j) > 1 {
		return i
	}
	for j++; j < len(x.tok); j++ {
		if x.tok[j].Kind == lex.Digits && !x.tok[j-1].Space && x.is(j-1, ".,/-+") {
			continue
		}
		next := j+1 < len(x.tok) && x.tok[j+1].Kind == lex.Digits
		if next && (x.is(j, ".,/-+") && !x.tok[j].Space && !x.tok[j+1].Space || oneOf(x.word(j), "over zu sur sobre por su op na auf to")) {
			j++
			continue
		}
		break
	}
	return x.unit(j)
}

// rupees tells whether INR is the money of India: INR 10,000. As a value of the
// blood it is below 20.
func (x *Sheet) rupees(i int) bool {
	return x.word(i) == "INR" && i+1 < len(x.tok) && x.tok[i+1].Kind == lex.Digits && (x.number(i+1) > 20 || x.is(i+2, ",") && i+3 < len(x.tok) && x.tok[i+3].To-x.tok[i+3].From > 2)
}

// bloodGroup reads the group behind words that announce one: "blood group, O
// negative", "groupe sanguin A+". It is i where there is none.
func (x *Sheet) bloodGroup(i, j int) int {
	if !oneOf(x.word(i), "blood blutgruppe bloedgroep groupe grupo gruppo grupa grupę grupy rhesus tipo") {
		return i
	}
	for hops := 0; hops < 2 && j < len(x.tok) && (x.is(j, ",:(") || oneOf(x.word(j), "is was ist war est es è to jest type")); hops++ {
		j++
	}
	if j >= len(x.tok) || !bloodLetters(x.word(j)) {
		return i
	}
	for j++; j < len(x.tok) && (x.is(j, "+-") || oneOf(x.word(j), "rh rhd rhesus positive negative positiv negativ positif négatif positivo negativo positief negatief dodatnia dodatni ujemna ujemny plus minus pos neg")); j++ {
	}
	return j
}

func bloodLetters(w string) bool {
	return w == "A" || w == "B" || w == "AB" || w == "O" || w == "0"
}

// unit reads the unit of a result: %, ng/ml, mmol/mol, positive.
func (x *Sheet) unit(j int) int {
	if j < len(x.tok) && (x.is(j, "%") || oneOf(x.word(j), "grad degrees graden grados graus degrés gradi stopni mmol ng mg µg g ml pg u mmhg percent prozent iu kg mval mm")) || j < len(x.tok) && oneLetter(x.word(j), "gUL") {
		j++
		if x.is(j, "/") && j+1 < len(x.tok) {
			j += 2
		}
	}
	return j
}

// codeAt reads a code of a diagnosis or a procedure: M54.16, ICD-10 F33, CPT
// 27447. It is i where there is none.
func (x *Sheet) codeAt(i int) int {
	t := x.tok[i]
	if x.taken(t.From, t.To) {
		return i
	}
	if t.Kind == lex.Mixed && t.To-t.From == 3 && t.Case != lex.Lower && isDigit(x.s[t.From+1]) && isDigit(x.s[t.From+2]) {
		to := i + 1
		if x.is(to, ".") && to+1 < len(x.tok) && !x.tok[to+1].Space && (x.tok[to+1].Kind == lex.Digits || x.tok[to+1].Kind == lex.Mixed) {
			to += 2
		}
		if to > i+1 || x.wordsBefore(i, 5, codeWords) {
			return to
		}
		return i
	}
	if t.Kind == lex.Mixed && t.To-t.From == 7 && frenchAct(x.word(i)) && x.wordsBefore(i, 6, "acte actes ccam cotation code codes") {
		return i + 1
	}
	digits := t.Kind == lex.Digits && t.To-t.From >= 3 && t.To-t.From <= 5
	mixed := t.Kind == lex.Mixed && t.To-t.From >= 4 && t.To-t.From <= 7
	if !digits && !mixed || !x.wordsBefore(i, 3, procedures) || x.dateAt(i) > 1 {
		return i
	}
	to := i + 1
	if x.is(to, ".") && to+1 < len(x.tok) && !x.tok[to+1].Space && x.tok[to+1].Kind == lex.Digits {
		to += 2
	}
	return to
}

// wordsBefore tells whether one of some words stands among the n tokens before a
// token, in the same sentence.
func (x *Sheet) wordsBefore(i, n int, list string) bool {
	for j := i - 1; j >= 0 && j >= i-n-1; j-- {
		if oneOf(x.word(j), list) {
			return true
		}
		if x.is(j, ".;") || x.tok[j+1].Line {
			return false
		}
		// ICD-10 is three tokens: ICD, -, 10.
		if j >= 2 && x.is(j-1, "-") && oneOf(x.word(j-2), list) {
			return true
		}
	}
	return false
}

// frenchAct tells whether a word is built like a code of the French list of medical
// acts: JFFC002.
func frenchAct(w string) bool {
	for k := range len(w) {
		if upper := w[k] >= 'A' && w[k] <= 'Z'; upper != (k < 4) || k >= 4 && !isDigit(w[k]) {
			return false
		}
	}
	return true
}

// scales are called after people or short for long names; a number behind them is a
// score.
const scales = "rankin barthel apgar glasgow gcs mmse moca phq phq-9 gad-7 edss nyha gleason iotn karnofsky ecog tinetti braden norton katz waterlow roland-morris bdi bdi-ii hads epds pcl-5 haq das28 tnss pasi scorad eq-5d midas cobb"

// scale tells whether token i is a scale of medicine.
func (x *Sheet) scale(i int) bool {
	w, _, _ := strings.Cut(x.word(i), "-")
	return x.tok[i].Case != lex.Lower && (oneOf(x.word(i), scales) || oneOf(w, scales))
}

// labUnits are what a laboratory measures a substance in, before and behind the
// stroke.
const labUnits = "mg µg μg ug ng pg g mmol µmol μmol umol nmol pmol u ui iu ie mu miu mval meq"

// analyte is where a value ends that has the unit of a laboratory, behind the word at
// token i, whatever that is: "kalprotektyna 812 μg/g". It is i for none.
func (x *Sheet) analyte(i int) int {
	t := x.tok[i]
	if t.Kind == lex.Sign || t.Kind == lex.Digits || t.To-t.From < 3 || i+1 >= len(x.tok) || x.hints(i) != 0 || x.firm(i) {
		return i
	}
	j := i + 1
	for hops := 0; hops < 3 && j < len(x.tok) && (x.is(j, ":=<>(") || oneOf(x.word(j), resultFill)); hops++ {
		j++
	}
	if j >= len(x.tok) || x.tok[j].Kind != lex.Digits || x.tok[j].Line {
		return i
	}
	for j++; j+1 < len(x.tok) && x.is(j, ".,") && x.tok[j+1].Kind == lex.Digits && !x.tok[j+1].Space; {
		j += 2
	}
	if j+2 >= len(x.tok) || !(oneOf(x.word(j), labUnits) || oneLetter(x.word(j), "gU")) || !x.is(j+1, "/") || !(oneOf(x.word(j+2), "dl ml mmol mol") || oneLetter(x.word(j+2), "lLg")) {
		return i
	}
	return j + 3
}
