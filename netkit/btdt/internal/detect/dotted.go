package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// strokes tells whether all words of a name are short capitals that no list of
// names knows, with a stroke between them: JSON/XML, AC/DC.
func (x *Sheet) strokes(from, to int) bool {
	if to-from != 3 || !x.is(from+1, "/") || x.shouted() {
		return false
	}
	a, b := x.tok[from], x.tok[to-1]
	return x.abbreviation(a) && x.abbreviation(b) && b.Flags&(lex.Given|lex.Surname) == 0
}

// shortForms are abbreviations with full stops that read as initials.
const shortForms = "uk us usa eu po ag da pa gp hr cv id pc vat nhs fir noc kyc otp emi rti epf pf rc dl atm lic rbi dm dpr dlgs rd sa sl sas srl spa va ssa irs dmv fda epa doj ei ub ie eg nb ps pm am ad bc dc la ny nj ca no it hq iou poa iva ccj mp mla mep mot asl ausl inps inail pec caf isee mn"

var shortFormKeys = sync.OnceValue(func() map[uint64]bool { return keySet(shortForms) })

// dottedEnd is the token behind single capitals with full stops at i, and their
// letters in small: K.Y.C. gives kyc.
func (x *Sheet) dottedEnd(i int) (to int, letters string) {
	for i+1 < len(x.tok) && x.initial(i) && x.is(i+1, ".") && (letters == "" || !x.tok[i].Space) {
		letters += strings.ToLower(x.word(i))
		i += 2
	}
	if letters != "" && x.initial(i) && !x.tok[i].Space {
		letters += strings.ToLower(x.word(i)) // U.S without its last stop
		i++
	}
	return i, letters
}

// dottedStart walks left to the first of such capitals: the tagger may start inside.
func (x *Sheet) dottedStart(i int) int {
	for i > 1 && !x.tok[i].Space && x.is(i-1, ".") && x.initial(i-2) {
		i -= 2
	}
	return i
}

// shortForm tells whether token i starts a known abbreviation, or one of three
// letters or more with no surname behind it.
func (x *Sheet) shortForm(i int) bool {
	end, letters := x.dottedEnd(i)
	if len(letters) < 2 {
		return false
	}
	surname := len(letters) < 4 && x.capital(end) && !x.tok[end].Line && x.has(end, lex.Given|lex.Surname) && !x.has(end, lex.Word|lex.OrgWord|lex.LawWord)
	return shortFormKeys()[lex.Key(letters)] && (!surname || len(letters) > 2) || len(letters) > 2 && !surname
}

// dotted tells whether what was taken for initials, with or without a surname, is
// an abbreviation and what it qualifies: O.T.P., the R.C. book, P.O. Box.
func (x *Sheet) dotted(from, to int) bool {
	from = x.dottedStart(from)
	end, letters := x.dottedEnd(from)
	if len(letters) < 2 || x.titleBefore(from) {
		return false
	}
	if x.shortForm(from) {
		return true
	}
	if end < to {
		const thing = lex.Word | lex.OrgWord | lex.LawWord
		return x.has(end, thing) && !x.has(end, lex.Given|lex.Surname)
	}
	return from > 0 && oneOf(x.word(from-1), "the an la el il le der die das un una")
}

// chained tells whether three words or more hang together by full stops, as the
// departments of a bank do: DBOD.Dir.BC.
func (x *Sheet) chained(from, to int) bool {
	stops := 0
	for i := from + 1; i+1 < to; i++ {
		if x.is(i, ".") && !x.tok[i+1].Space && x.tok[i-1].To-x.tok[i-1].From > 1 {
			stops++
		}
	}
	return stops > 1
}
