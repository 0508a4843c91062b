package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// minDigits is the shortest run of digits, spaced or dashed, taken for a number
// that belongs to someone.
const minDigits = 7

// numbers finds what is left: telephone numbers, and codes and long numbers that
// nothing announces.
func (x *Sheet) numbers() {
	for i := 0; i < len(x.s); i++ {
		c := x.s[i]
		if !isDigit(c) && c != '+' && c != '(' && !(c >= 'A' && c <= 'Z') || x.letterAt(i-1) {
			continue
		}
		if c == '+' || c == '(' || isDigit(c) {
			if to := x.phone(i); to > 0 {
				i = to - 1
				continue
			}
		}
		if x.letterAt(i) {
			i = x.code(i)
		}
	}
}

// code reads one word of letters, digits and their signs, with further groups of
// digits behind it, and marks it when it is too special to be anything but an
// identifier. It returns the last byte read.
func (x *Sheet) code(from int) int {
	to, digit := x.codeGroup(from)
	if end := x.spaced(from, to, digit); end > 0 {
		return end - 1
	}
	if to == 0 {
		for to = from; to < len(x.s) && x.letterAt(to); to++ {
		}
		return to - 1
	}
	text := x.s[from:to]
	if !digit {
		return to - 1
	}
	if digitsIn(text) == len(text) || onlyDigitsAndSigns(text) {
		to = x.digitRun(from)
		text = x.s[from:to]
	}
	if x.taken(from, to) {
		return to - 1
	}
	if x.boxed(from) || !x.special(from, to, text) || vanity(text) || x.modelOf(from, text) {
		return to - 1
	}
	x.add(x.service(from), to, OtherID, "code", 0.8)
	return to - 1
}

// service walks left over the sign of two that posts write before a number: 8R
// 9041 7733 102.
func (x *Sheet) service(from int) int {
	if from > 2 && x.s[from-1] == ' ' && isDigit(x.s[from-3]) && x.s[from-2] >= 'A' && x.s[from-2] <= 'Z' && !x.letterAt(from-4) && !x.taken(from-3, from) {
		return from - 3
	}
	return from
}

// modelOf tells whether a code of letters and digits names the type of a thing that
// a maker stands before: Bosch WAN28281GB.
func (x *Sheet) modelOf(from int, text string) bool {
	i := x.at(from) - 1
	if i < 0 || !x.capital(i) || !x.has(i, lex.Org|lex.Seen) || !x.tok[i+1].Space || len(text) < 5 || len(text) > 12 {
		return false
	}
	last := text[len(text)-1]
	return upper(text[:2]) && !isDigit(last) && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// vanity tells whether a text is a public number that spells a word:
// 1-800-MEDICARE.
func vanity(text string) bool {
	if i := strings.LastIndexByte(text, '-'); i > 4 && oneOf(text[:4], "0800 0810 0300 0808") && upper(text[i+1:]) && len(text) > i+3 {
		return true // 0800-222-SALUD
	}
	rest, _ := strings.CutPrefix(text, "1-")
	return len(rest) > 6 && rest[0] == '8' && rest[3] == '-' && digitsIn(rest) == 3 && upper(strings.ReplaceAll(rest[4:], "-", ""))
}

// spaced marks codes and plates of several groups that start with capitals:
// KX 4471 9920 3GB, HH-KT 4471, BK19 ZRT.
func (x *Sheet) spaced(from, to int, digit bool) int {
	if to == 0 || to+1 >= len(x.s) || x.s[to] != ' ' || x.s[from] < 'A' || x.s[from] > 'Z' || x.letterAt(from-1) {
		return 0
	}
	head := x.s[from:to]
	next, ok := x.codeGroup(to + 1)
	if next == 0 || !upperOrDigit(head) {
		return 0
	}
	if x.taken(from, next) {
		return 0
	}
	group := x.s[to+1 : next]
	if end, n := x.phoneRun(to + 1); n > 5 && x.hotline(to+1, end) {
		return 0
	}
	if !ok || digit && digitsIn(head) < 2 || len(head) > 4 && !(len(head) < 8 && strings.Contains(head, "-") && !digit) || oneOf(head, currencies) || oneOf(head, lawNumberWords) || oneOf(head, standards) || stateCodeKeys()[lex.Key(head)] || x.lawBefore(from) || ordinaryCode(head+"-1") || !isDigit(group[0]) {
		return 0
	}
	end := x.value(x.at(from), cue{})
	if end == 0 || digitsIn(x.s[from:end]) < 6 || x.isMoney(from, end) || x.harmless(to+1, end) && !strings.Contains(head, "-") || x.isDate(to+1, end) || x.publicNumber(from, x.s[from:end]) {
		return 0
	}
	x.add(from, end, OtherID, "code", 0.8)
	return end
}

func onlyDigitsAndSigns(s string) bool {
	for i := range len(s) {
		if s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' {
			return false
		}
	}
	return true
}

// digitRun reads digits with at most three spaces, dashes or underscores, or one
// dot or slash, between neighbours.
func (x *Sheet) digitRun(from int) int {
	to, i := from, from
	for i < len(x.s) {
		j := i
		for j < len(x.s) && j-i < 4 && strings.IndexByte(" -_\n\t./", x.s[j]) >= 0 {
			j++
		}
		gap := x.s[i:j]
		if j >= len(x.s) || !isDigit(x.s[j]) || j-i > 3 || strings.ContainsAny(gap, "./") && j-i > 1 {
			break
		}
		// The next group may be a date of its own or count something.
		if i > from && gap != "" && x.startsOther(j) {
			break
		}
		for j < len(x.s) && x.letterAt(j) {
			j++
		}
		i, to = j, j
	}
	return to
}

// startsOther tells whether another thing starts at a byte: a date, or a number
// that counts what follows.
func (x *Sheet) startsOther(i int) bool {
	k := x.at(i)
	if k >= len(x.tok) || x.tok[k].From != i {
		return false
	}
	return x.dateAt(k) > 0 || x.countedThing(x.tok[k].To)
}

// special tells an identifier from a form, a law, a model or a sum.
func (x *Sheet) special(from, to int, text string) bool {
	n := digitsIn(text)
	switch {
	case x.harmless(from, to) || x.publicNumber(from, text) || x.hotline(from, to):
		return false
	case sectionNumber(text) || x.standard(from) || x.Field == "legal_levers" && longestRun(text) < 6 || len(text) <= 10 && strings.HasPrefix(text, "0x"):
		return false
	case onlyDigitsAndSigns(text):
		return n >= minDigits || n >= 4 && from > 0 && x.s[from-1] == '#' && !isYear(text)
	case oneOf(text, publicForms):
		return false
	case n >= 3 && ticketCode(text):
		return true
	case n < 7 && ordinaryCode(text):
		return false
	}
	return n >= 5 || n == 4 && strings.Count(text, "-")+strings.Count(text, "/") >= 2
}

// standard tells whether a body that sets standards, or a bulletin, stands before a
// number: ASTM E2018-15, Rev. Proc. 2018-58.
func (x *Sheet) standard(from int) bool {
	i := x.at(from) - 1
	for hops := 0; hops < 2 && (x.is(i, ".") || oneOf(x.wordOr(i), "en iso proc rul")); hops++ {
		i--
	}
	return oneOf(x.wordOr(i), standards)
}

// standards also are systems and manuals, whose versions and places look like codes.
const standards = "hmrc windows ios android chrome firefox macos astm ansi ieee iec iso din bs bsi nfpa ashrae asme sae une uni nen csa norm norma norme standard bulletin tsb rev irb ofsted icao iata"

// sectionNumber is the place of a rule in a building code: R905.2.8.5.
func sectionNumber(s string) bool {
	groups := strings.Split(s, ".")
	if len(groups) < 3 || s[0] < 'A' || s[0] > 'Z' || digitsIn(s) != len(s)-len(groups) {
		return false
	}
	for _, g := range groups[1:] {
		if len(g) > 2 {
			return false
		}
	}
	return len(groups[0]) <= 5
}

// ticketCode knows the short words that desks put before the numbers of their
// tickets: INC0045123, SR-4471, RMA/889.
func ticketCode(s string) bool {
	head := 0
	for head < len(s) && s[head] >= 'A' && s[head] <= 'Z' {
		head++
	}
	if head < 2 || head == len(s) {
		return false
	}
	digit := head
	if strings.IndexByte("-/#_", s[head]) >= 0 {
		digit++
	}
	return digit < len(s) && isDigit(s[digit]) && strings.Contains(ticketHeads, " "+s[:head]+" ")
}

const ticketHeads = " INC SR RMA CAS CASE REF TKT TICKET CLM CLAIM WO PO INV ORD CMP RITM CHG REQ CRM DR SIN EXP POL PNR BKG CONF ACC ACCT CUST REC RCPT DOSS "

// publicForms are forms whose numbers look like codes of somebody.
const publicForms = "sr163 sr-163 i-797c i-797 rp-7 g30 pm-56-118 wc-14 dwc-1 ca-16 sf-95 i-9 i-94 i-130 i-485 i-765 ds-160 sf-180 dd-214 w-8ben hcfa-1500 ub-04 sscs1 sscs5 et1 et3 n1 n244 cms-20027 cms-10003 rp-1a rp-1n cit-8 vat-r1 fp17dc fp17pr fp17 mt103 mt199 mt202 mt940 mt760"

// ordinaryCode knows forms and standards: CMS-1500, ISO-27001, EN12345.
func ordinaryCode(text string) bool {
	for _, p := range []string{"ISO", "DIN", "EN", "CMS", "SSA", "VA", "DS", "HUD", "UCC", "CFR", "PL", "ICD", "CPT", "MBS", "BGE", "ATF", "DTF", "BVGE", "ATAF"} {
		if rest, ok := strings.CutPrefix(text, p); ok && rest != "" && (rest[0] == '-' || isDigit(rest[0])) {
			return true
		}
	}
	return false
}
