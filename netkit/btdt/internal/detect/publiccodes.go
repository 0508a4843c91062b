package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// tariffWords announce a place in the tariff of a customs office.
const tariffWords = "tariff heading headings subheading hs hts htsus taric customs duty commodity zolltarifnummer zolltarif warennummer tarifnummer douane douanier tarifaire nomenclature partida arancelaria arancel fracción subpartida ncm pautal doganale dogana goederencode douanetarief taryfa taryfy celna celnej cn"

// publicCode tells whether a text is a code that everybody shares: a place in a tariff
// or in a manual, a service of a schedule of fees, a kind of bank message, a scale.
func (x *Sheet) publicCode(from int, text string) bool {
	head, rest, ok := strings.Cut(text, " ")
	if ok && oneOf(head, publicRegisters) || x.registerNear(from, from+len(text)) {
		return true
	}
	if ok && oneOf(head, tariffWords) {
		text = rest // HS 6403.91
	}
	switch {
	case formed(text, "9999.99.99") || formed(text, "9999.99.9999") || formed(text, "9999.99.99.99"):
		return !x.ownedBefore(from)
	case formed(text, "9999 99 99") || formed(text, "9999 99 99 99") || formed(text, "9999 99") || formed(text, "9999.99") || formed(text, "9999.9999") || formed(text, "99999999") && x.wordsWithin(from, 3, tariffWords):
		return x.wordsWithin(from, 12, tariffWords) && !x.ownedBefore(from)
	case formed(text, "AAAA999"):
		return x.wordsWithin(from, 4, "acte actes ccam cotation code codes")
	case len(text) > 5 && len(text) < 11 && text[4] == '-' && upper(text[5:]) && digitsIn(text[:4]) == 4:
		return x.wordsWithin(from, 3, "code formulaire annexe déclaration imprimé cerfa formulario modulo") // 2042-RICI
	case formed(text, "AA999"):
		return text[:2] == "MT" && x.wordsWithin(from, 3, "swift message") // MT103
	}
	switch {
	case strings.HasPrefix(text, "1/") || strings.HasPrefix(text, "1:"):
		return x.wordsWithin(from, 3, "scale échelle maßstab escala scala schaal skala skali") || roundNumber(text[2:])
	case strings.Count(text, ".") > 1 && strings.Trim(text, "0123456789.") == "" && longestRun(text) < 4 && len(text) < 10:
		return x.wordsWithin(from, 2, "determination determinations ncd lcd manual handbook section sections")
	}
	return medicalPolicy(text) || x.frenchOrder(from, text) || x.councilOrder(from, text)
}

// publicRegisters are lists whose numbers are of a service, a share or a ship.
const publicRegisters = "tuss cbhpm ebm goä goz bema tarmed tardoc lpp lppr ngap nabm isin wkn cusip sedol imo naics sic nace nomenclador katalogu gnr naf ape cnae ateco sbi-code pkd"

// formed tells whether a text has a form, as shape writes it.
func formed(s, form string) bool { return len(s) == len(form) && sameShape(s, form) }

// registerNear tells whether such a list stands right before what is written from one
// byte to another, or within two tokens behind: Nummer 33012 im EBM. A code that its
// service follows is of one as well: código 40808041: mamografia.
func (x *Sheet) registerNear(from, to int) bool {
	i, j := x.at(from), x.at(to)
	for k := max(0, i-2); k < i; k++ {
		if oneOf(x.word(k), publicRegisters) && !x.tok[k+1].Line {
			return true
		}
	}
	for k := j; k < len(x.tok) && k < j+2 && !x.is(k, ".,;"); k++ {
		if oneOf(x.word(k), publicRegisters) {
			return true
		}
	}
	return x.is(j, ":") && oneOf(x.wordOr(i-1), codeOfWhat) && x.has(j+1, lex.Care|lex.Ill|lex.Clinical)
}

// councilOrder tells the number of a resolution of a council in Poland: uchwała nr
// XLII/377/21.
func (x *Sheet) councilOrder(from int, text string) bool {
	session, rest, ok := strings.Cut(text, "/")
	return ok && session != "" && strings.Trim(session, "IVXLC") == "" && strings.Count(rest, "/") == 1 && x.wordsWithin(from, 9, "uchwała uchwały uchwałą uchwale uchwałę")
}

// ownedBefore tells whether one of the two words before a byte announces what belongs
// to somebody: klantnummer 4471.88.20.
func (x *Sheet) ownedBefore(from int) bool {
	i := x.at(from)
	for j := max(0, i-2); j < i; j++ {
		if c, n := x.cueAt(j); n > 0 && (c.kind != CaseRef && c.kind != OtherID || oneOf(x.word(j), filed)) {
			return true
		}
	}
	return false
}

// filed announce the reference of one case, and nothing of a tariff.
const filed = "case reference ref dossier file complaint claim aktenzeichen vorgang expediente caso processo pratica zaak sprawa sprawy"

// wordsWithin tells whether one of some words stands among n tokens before a byte.
func (x *Sheet) wordsWithin(from, n int, words string) bool {
	i := x.at(from)
	for j := i - 1; j >= 0 && j >= i-n && !x.tok[j+1].Line; j-- {
		if oneOf(x.word(j), words) {
			return true
		}
	}
	return false
}

// medicalPolicy tells the guidelines of health insurers, which they publish:
// CG-REHAB-04, SURG.00045.
func medicalPolicy(s string) bool {
	if rest, ok := strings.CutPrefix(s, "CG-"); ok {
		topic, number, ok := strings.Cut(rest, "-")
		return ok && upper(topic) && len(topic) > 2 && len(number) < 4 && digitsIn(number) == len(number)
	}
	topic, number, ok := strings.Cut(s, ".")
	return ok && oneOf(topic, "surg med rad drug gene lab dme trans beh admin anc") && shape(number) == "99999"
}

// frenchOrder tells the number of an ordonnance or a loi that its day follows: n°
// 2013-481 du 2 juillet 2013.
func (x *Sheet) frenchOrder(from int, text string) bool {
	if len(text) < 6 || !isYear(text[:4]) || !lawNumber(text) {
		return false
	}
	i := x.at(from + len(text))
	return oneOf(x.wordOr(i), "du") && i+1 < len(x.tok) && x.dateAt(i+1) > 0 && x.wordsWithin(from, 4, "ordonnance loi décret arrêté")
}

// sumAt tells whether token i is a currency before its sum, and no illness of the same
// letters: CAD 1,800.
func (x *Sheet) sumAt(i int) bool {
	t := x.tok[i]
	if t.Case != lex.Caps || t.To-t.From != 3 || !oneOf(x.word(i), currencies) || i+1 >= len(x.tok) || x.tok[i+1].Kind != lex.Digits {
		return false
	}
	return !isYear(x.word(i+1)) || x.is(i+2, ".,") && !x.tok[i+2].Space
}

// modelNumbers are what makers of cars call their models.
const modelNumbers = "1 2 3 4 5 6 7 8 9 104 106 107 108 205 206 207 208 305 306 307 308 309 405 406 407 408 500 505 508 600 605 607 806 807 850 911 1007 2008 3008 4007 4008 5008"

// modelNumber tells whether the number behind the maker of a car is its model: Renault
// 5 4471 VX 31, la Peugeot 3008.
func (x *Sheet) modelNumber(i int, q *quest) bool {
	if q.kind != Vehicle || q.strong || i != q.end || x.tok[i].Kind != lex.Digits || !x.capital(q.first) {
		return false
	}
	return strings.Contains(" "+modelNumbers+" ", " "+x.word(i)+" ") && (i+1 >= len(x.tok) || !x.is(i+1, "-/") || x.tok[i+1].Space)
}
