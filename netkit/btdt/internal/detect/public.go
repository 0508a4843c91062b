package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// publicNumber knows numbers that everybody may cite: cases of the European
// court, and decisions of high courts named before them.
func (x *Sheet) publicNumber(from int, text string) bool {
	if euCase(text) || taxForm(text) || strings.HasPrefix(text, "ECLI:") || from >= 3 && strings.Contains(x.s[max(0, from-12):from], "ECLI:") {
		return true
	}
	if manualItem(text) || x.wording(from) || x.sheetNumber(from, text) || x.ministerialOrder(from, text) || x.notice(from, text) || x.citation(from, text) || longestRun(text) < 6 && x.decreeBefore(from) || x.publicCode(from, text) {
		return true
	}
	if strings.Count(text, "/") != 1 || len(text) > 22 {
		return false
	}
	if court, _, ok := strings.Cut(text, " "); ok && oneOf(court, "bgh bverfg bsg bfh bverwg nsa ogh bger stj") {
		return true
	}
	if len(text) > 16 {
		return false
	}
	i := x.at(from)
	for j := i - 1; j >= 0 && j >= i-11; j-- {
		if x.is(j, ";") || x.tok[j+1].Line {
			return false
		}
		if oneOf(x.word(j), highCourts) {
			court := strings.ToLower(x.word(j)) // of the courts called so the highest alone is one
			return court != "sąd" && court != "sad" || strings.HasPrefix(strings.ToLower(x.wordOr(j+1)), "najwy")
		}
	}
	return false
}

// manualItem is C3-12.00, as manuals of compensation boards count their policies.
func manualItem(s string) bool {
	return len(s) >= 8 && len(s) <= 9 && (shape(s) == "A9-99.99" || shape(s) == "A99-99.99")
}

// wording is CG 00 01, a form of policies that all insurers share.
func (x *Sheet) wording(from int) bool {
	end := from + 8
	return end <= len(x.s) && !x.letterAt(end) && oneOf(x.s[from:from+2], "cg ho cp bp il dp pp") && shape(x.s[from:end]) == "AA 99 99" && !(end+1 < len(x.s) && isDigit(x.s[end+1]))
}

// sheetNumber is F21070 behind fiche, an answer of the French administration.
func (x *Sheet) sheetNumber(from int, text string) bool {
	return len(text) > 4 && len(text) < 7 && text[0] == 'F' && digitsIn(text) == len(text)-1 && oneOf(x.wordOr(x.at(from)-1), "fiche fiches")
}

// publicCue tells a cue that with the word before it announces what all may read:
// MBS item 2713, Executive Order 14028.
func (x *Sheet) publicCue(i int) bool {
	before := x.wordOr(i - 1)
	if bareNumberKeys()[x.tok[i].Key] && oneOf(before, "part model catalogue catalog style type article version firmware page chapter flight train bus platform gate room floor channel") {
		return true
	}
	if oneOf(x.word(i), "police") && oneOf(before, "de") && oneOf(x.wordOr(i-2), "zone zones") {
		return true // zone de police 5339
	}
	return oneOf(x.word(i), "item") && oneOf(before, "mbs") || oneOf(x.word(i), "order orders") && oneOf(before, "executive general ministerial statutory") || oneOf(x.word(i), "proc") && (oneOf(before, "rev") || oneOf(x.wordOr(i-2), "rev"))
}

// ministerialOrder is ECO/734/2004 behind Orden: three letters of a ministry, a
// number and a year.
func (x *Sheet) ministerialOrder(from int, text string) bool {
	i := x.at(from)
	if i == 0 || !oneOf(x.word(i-1), "orden") || len(text) < 8 || !upper(text[:3]) || text[3] != '/' {
		return false
	}
	number, year, ok := strings.Cut(text[4:], "/")
	return ok && isYear(year) && digitsIn(number) == len(number)
}

// notice is 10/2014 behind Aviso n.º, as the central bank of Portugal writes.
func (x *Sheet) notice(from int, text string) bool {
	number, year, ok := strings.Cut(text, "/")
	if !ok || !isYear(year) || len(number) > 2 || digitsIn(number) != len(number) {
		return false
	}
	for j := x.at(from) - 1; j >= 0 && j >= x.at(from)-5; j-- {
		if oneOf(x.word(j), "aviso") {
			return true
		}
	}
	return false
}

const highCourts = "sn bgh bverfg bag bsg bfh bverwg eugh cjue tjue tjce cgue tsue cjeu ecj echr cedh egmr cass cassazione stj stf sąd nsa ogh vfgh bger hoge delibera deliberazione arera agcom agcm"

// holdsLaw tells whether a law is named inside, as in 29 CFR 2560.503-1.
func holdsLaw(text string) bool {
	_, rest, _ := strings.Cut(text, " ")
	for group := range strings.FieldsSeq(rest) {
		if oneOf(group, "cfr usc bgb sgb zpo stgb hgb vvg vwgo rvg") {
			return true
		}
	}
	return false
}

// taxForm is 1095-A, 1099-INT.
func taxForm(s string) bool {
	return len(s) >= 6 && len(s) <= 9 && s[:2] == "10" && digitsIn(s) == 4 && s[4] == '-' && upper(s[5:])
}

// euCase is C-520/21 or T-99/03.
func euCase(s string) bool {
	if len(s) < 5 || len(s) > 9 || s[0] != 'C' && s[0] != 'T' || s[1] != '-' {
		return false
	}
	a, b, ok := strings.Cut(s[2:], "/")
	return ok && a != "" && a[0] != '0' && len(b) == 2 && digitsIn(b) == 2 && len(a) <= 4 && digitsIn(a) == len(a)
}

func isYear(s string) bool {
	return len(s) == 4 && digitsIn(s) == 4 && (s[:2] == "19" || s[:2] == "20")
}

// wordFollows tells whether an ordinary word, in small letters, stands behind.
func (x *Sheet) wordFollows(to int) bool {
	i := x.at(to)
	return i < len(x.tok) && x.tok[i].Kind == lex.Letters && x.tok[i].Case == lex.Lower && x.tok[i].Space
}

// countedThing tells whether what follows is a unit: the number counts days,
// pages or money and is no code.
func (x *Sheet) countedThing(to int) bool {
	if to < len(x.s) && strings.HasPrefix(x.s[to:], "%") {
		return true
	}
	i := x.at(to)
	if i >= len(x.tok) {
		return false
	}
	month := x.tok[i].Flags&lex.Month != 0 && x.tok[i].Kind == lex.Letters && !isDigitEnd(x.s[:to], 3)
	return month || isUnitWord(x.word(i)) || x.is(i, "%€$£")
}

const units = "kva kwp amp volt bar minuten minutes minutos minuti minuut minut ct cents cent smc gb tb mb mbit kw kg watt punkte points puntos pontos punti punten days day weeks week months month years year hours hour minutes business working calendar pages page times people letters calls steps percent am pm eur usd gbp chf pln zł euro euros dollars pounds tage tagen wochen monate monaten jahre jahren stunden uhr seiten jours jour semaines mois ans heures pages días día semanas meses años horas euros dias semanas anos reais giorni giorno settimane mesi anni ore euro dagen weken maanden jaar uur werkdagen dni dzień tygodni tygodnie miesięcy lat godzin złotych kwh m3 mg ml km"

func isUnitWord(w string) bool { return oneOf(w, units) }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// lawBefore tells whether a number at a byte is a place in a law or a form:
// § 12, Art. 15, Form 1099, Directive 93/13.
func (x *Sheet) lawBefore(from int) bool {
	i := x.at(from) - 1
	for hops := 0; i >= 0 && hops < 6; i, hops = i-1, hops+1 {
		w := x.word(i)
		if w == "§" || lawNumberKeys()[x.tok[i].Key] || stateCodeKeys()[x.tok[i].Key] && x.tok[i].Case == lex.Caps || x.dottedCode(i) {
			return true
		}
		if !(x.is(i, ".()°º#§") || isNumberLetter(w) || w == "o" || oneOf(w, "no nr nº eu ue eg ec eec ewg ce of über to cms irs nos nro di")) && x.tok[i].Kind != lex.Digits {
			return false
		}
	}
	return false
}

// stateCodes are the codes and manuals of states and agencies, by their letters.
const stateCodes = "crs aac irm rcw wac ccr nrs poms orc ors ilcs nycrr nmac tac oac uac arm kar mca ars rsmo mrsa njac njsa njs nmsa sdcl ksa krs ncgs ncac tca bpc ccp hsc vtl gol rpl rpapl cplr hrl ocga hrs iac idapa mgl mcl cmr comar dcmr ssr far dfars ecoa tila rbi irdai nerc cerc trai sebi amf acpr bafin"

var stateCodeKeys = sync.OnceValue(func() map[uint64]bool { return keySet(stateCodes) })

// dottedCode tells whether such a code, written with stops, ends with the capital at
// i: C.R.S. 38-12-103.
func (x *Sheet) dottedCode(i int) bool {
	if !x.initial(i) {
		return false
	}
	_, letters := x.dottedEnd(x.dottedStart(i))
	return len(letters) > 2 && stateCodeKeys()[lex.Key(letters)]
}

// lawNumberKeys, asked for at every word behind a cue, are a set.
var lawNumberKeys = sync.OnceValue(func() map[uint64]bool { return keySet(lawNumberWords) })

const lawNumberWords = "cfr c.f.r ilcs rcw nrs mgl nyccrr nycrr njsa njac cmr krs rsmo hrs orc oac rsbc rso rlrq dors usc u.s.c usca art arts article articles artikel artículo artigo articolo artykuł section sections sec secs code part rule rules regulation directive verordnung richtlinie règlement directive reglamento directiva regulamento diretiva regolamento direttiva verordening richtlijn rozporządzenie dyrektywa form forms formular formulaire formulario formulário modulo modello modelo formulier formularz chapter title act law pub paragraph para abs absatz ley lei legge wet loi gesetz ustawa dekret decreto décret bgb iso din reg part clause cl pl stat lbl annex ordinance §§ schedule portaria decreto-lei dl rdl rd lc resp eresp sts stc sap cass civ bgh bverfg bag bsg bfh olg adi resolução resolución circular instrução dlgs vo rl bfhe recomendação nom poz delibera deliberazione arera cerfa instruction uchwała uchwały interpretacja despacho beleidsregel guideline guidelines arrêt direction oficio-circular drs bt-drs drucksache"
