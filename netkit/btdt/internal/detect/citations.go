package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// handbooks are the modules of the rule books of the British supervisors, which are
// cited by number: CONC 7.14, DISP 1.6.2R.
const handbooks = "conc disp icobs mcob bcobs cobs sysc prin cass fcg perg complaint loler puwer coshh riddor"

// norms open the names of standards and gazettes: NOM-184-SCFI-2018, DORS/2019-150.
const norms = "nom nmx nbr abnt dors sor crtc iec iso din astm ansi nfpa une"

// citation tells whether a text is what all may read: a rule of a handbook, a norm,
// a recall, a ruling of the transport agency of Canada, a place of a tariff.
func (x *Sheet) citation(from int, text string) bool {
	head, rest := text, ""
	if i := strings.IndexAny(text, " -/"); i > 0 {
		head, rest = text[:i], text[i+1:]
	}
	switch {
	case upper(head) && oneOf(head, norms) && digitsIn(rest) > 0 && longestRun(rest) < 6:
		return true
	case upper(head) && oneOf(head, handbooks) && digitsIn(rest) > 0 && digitsIn(rest) < 6:
		return true
	case strings.HasPrefix(text, "B ") && strings.HasSuffix(text, " R") && strings.Count(text, "/") == 1 && oneOf(x.courtBefore(from), "bsg"):
		return true // the Federal Social Court
	}
	if strings.HasSuffix(x.s[:from], "S.") && strings.HasPrefix(text, "I.") || x.orderOf(from, text) {
		return true // S.I. 137/2019
	}
	if x.councilOfState(from, text) {
		return true
	}
	switch shape(text) {
	case "99A-999":
		return text[2] == 'V' || text[2] == 'E' || text[2] == 'T' || text[2] == 'C' // campaigns of the NHTSA
	case "9999-999":
		return x.has(x.at(from+len(text)), lex.Place) // a postal code of Portugal
	case "99.9999":
		return oneOf(x.wordOr(x.at(from)-1), "position ziffer tarifposition")
	}
	parts := strings.Split(text, "-")
	return len(parts) == 4 && isYear(parts[3]) && digitsIn(parts[0]) == len(parts[0]) && len(parts[1]) == 1 && len(parts[2]) == 1
}

// councilOfState tells whether a number is that of a ruling of the Conseil d'État or
// the Cour de cassation: CE, 9 novembre 2020, n° 434225.
func (x *Sheet) councilOfState(from int, text string) bool {
	i := x.at(from)
	for j := i - 1; j >= 0 && j >= i-10 && !x.tok[j+1].Line && !x.is(j, ";"); j-- {
		if (x.word(j) == "CE" || x.word(j) == "CAA" || x.word(j) == "Cass") && len(text) < 11 {
			return x.is(j+1, ",.") || x.word(j) == "CAA"
		}
	}
	return false
}

// orderOf tells whether a number and a year are those of an order of the authority
// that stands before it in capitals: NERC Order No. 197/2020.
func (x *Sheet) orderOf(from int, text string) bool {
	_, year, ok := strings.Cut(text, "/")
	if !ok || !isYear(year) {
		return false
	}
	i := x.at(from) - 1
	for i > 0 && (x.is(i, ".º°") || oneOf(x.word(i), "no nr")) {
		i--
	}
	return i > 0 && oneOf(x.word(i), "order regulation regulations directive bulletin guideline guidelines") && x.tok[i-1].Case == lex.Caps
}

// courtBefore is a court of Germany that stands at most so far before a byte that a
// date finds room between.
func (x *Sheet) courtBefore(from int) string {
	i := x.at(from)
	for j := i - 1; j >= 0 && j >= i-13 && !x.tok[j+1].Line && !x.is(j, ";"); j-- {
		if oneOf(x.word(j), "bsg bgh bag bfh bverwg bverfg") {
			return x.word(j)
		}
	}
	return ""
}

// decrees are what offices issue by number and everybody may read. Words that open
// a case of somebody as well, as decision, are not among them.
const decrees = "resolución resolução resolution portaria circular circulaire instrução instrucción instruction disposición normativa gazette ordinance arrêté ordonnance verordnung provvedimento uchwała zarządzenie rozporządzenie obwieszczenie besluit regeling regulamento deliberação despacho decreto décret"

// decreeBefore tells whether a number at a byte is that of a decree whose office
// stands between: Resolução CMN nº 4.949, circular DBOD.Dir.BC.No.07/13.03.00/2014-15.
func (x *Sheet) decreeBefore(from int) bool {
	glued, office := true, false
	for i, hops := x.at(from)-1, 0; i >= 0 && hops < 8 && !x.tok[i+1].Line; i, hops = i-1, hops+1 {
		t := x.tok[i]
		glued = glued && !x.tok[i+1].Space
		switch {
		case oneOf(x.word(i), decrees):
			return office || oneOf(x.word(i), "circular circulaire gazette portaria ordinance")
		case glued && (t.Kind == lex.Letters || x.is(i, "./-")):
			office, hops = true, hops-1
		case t.Kind == lex.Letters && t.Case == lex.Caps && t.To-t.From < 9:
			office = true
		case x.is(i, ".º°,"), isNumberLetter(x.word(i)), oneOf(x.word(i), "no nr nº nos núm número numéro conjunta normativa rectoral rektora"):
		default:
			return false
		}
	}
	return false
}
