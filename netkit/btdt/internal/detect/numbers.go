package detect

import (
	"strings"

	"github.com/nyaruka/phonenumbers"

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

// phone reads a run that is written like a telephone number from a byte and
// marks it when it is one.
func (x *Sheet) phone(from int) int {
	to, digits := x.phoneRun(from)
	if digits < 6 || digits > 17 || x.taken(from, to) || x.letterAt(to) && x.shortExtension(to) == to || to < len(x.s) && x.s[to] == '%' {
		return 0
	}
	if x.harmless(from, to) && !x.phoneCue(from) {
		return 0
	}
	if !x.isPhone(from, to) {
		return 0
	}
	to = x.extension(to)
	x.add(from, to, Phone, "phone", 0.97)
	return to
}

// phoneRun reads digits with spaces, dots, dashes, slashes and brackets between.
func (x *Sheet) phoneRun(from int) (to, digits int) {
	i, gap := from, 0
	for i < len(x.s) && i-from < 32 {
		switch c := x.s[i]; {
		case isDigit(c):
			digits++
			gap = 0
			to = i + 1
		case c == '+' && i == from || c == '(' && (i == from || digits > 0 && digits < 5 || x.s[from] == '+'):
			gap++
		case strings.IndexByte(" -./)", c) >= 0:
			gap++
		default:
			return to, digits
		}
		if gap > 3 {
			return to, digits
		}
		i++
	}
	return to, digits
}

// phoneRegions are tried for numbers without a country code.
var phoneRegions = []string{"US", "GB", "DE", "FR", "ES", "IT", "NL", "PL", "BR", "PT", "AT", "CH", "BE", "IE", "AU", "MX", "IN", "SE"}

const phoneWords = "phone telephone tel mobile cell fax call called calling callback number ring rang rung dial dialled dialed hotline helpline whatsapp text texted sms landline line reach reached contact voicemail telefon telefonisch handy mobil rufnummer telefonnummer anruf angerufen rief fax durchwahl téléphone tél appelé appeler appelez portable mobile numéro fixe teléfono móvil llamar llamé llamada celular telefone telemóvel ligar liguei telefono cellulare chiamato chiamare numero telefoon mobiel gebeld bellen belde telefoonnummer nummer telefonu komórka zadzwonić zadzwoniłem zadzwoniłam dzwonić numer infolinia kom"

func (x *Sheet) phoneCue(from int) bool {
	i := x.at(from)
	for j := max(0, i-6); j < min(i, len(x.tok)); j++ {
		if oneOf(x.word(j), phoneWords) {
			return true
		}
	}
	return false
}

// isPhone decides by the way of writing, the words before it and the numbering
// plans of the regions.
func (x *Sheet) isPhone(from, to int) bool {
	text := x.s[from:to]
	digits := digitsIn(text)
	if text[0] == '+' {
		return digits >= 7
	}
	cued := x.phoneCue(from)
	if text[0] == '(' && strings.Contains(text, ")") && digits >= 7 && digits <= 12 {
		return true
	}
	if grouped334(text) {
		return true
	}
	international := strings.HasPrefix(text, "00") && digits >= 10
	if !cued && !international && (text[0] != '0' || digits < 8 || len(text) == digits) {
		return false
	}
	if cued && digits >= 7 && len(text) > digits {
		return true
	}
	for _, region := range phoneRegions {
		if n, err := phonenumbers.Parse(text, region); err == nil && phonenumbers.IsValidNumber(n) {
			return true
		}
	}
	return cued && digits >= 6 && digits <= 12 || international
}

// grouped334 is the North American way of writing: 312-555-0187, also with a 1
// before it.
func grouped334(s string) bool {
	if len(s) > 12 && s[0] == '1' && strings.IndexByte("-. ", s[1]) >= 0 {
		s = s[2:]
	}
	if len(s) != 12 || s[3] != s[7] || strings.IndexByte("-. ", s[3]) < 0 {
		return false
	}
	return digitsIn(s) == 10 && isDigit(s[0]) && isDigit(s[4]) && isDigit(s[8])
}

// shortExtension reads x123 right behind a telephone number.
func (x *Sheet) shortExtension(to int) int {
	end := to + 1
	for end < len(x.s) && isDigit(x.s[end]) {
		end++
	}
	if x.s[to]|0x20 != 'x' || end == to+1 || end > to+7 || x.letterAt(end) {
		return to
	}
	return end
}

// extension adds "ext. 123" and "x123" behind a telephone number.
func (x *Sheet) extension(to int) int {
	if x.letterAt(to) {
		return x.shortExtension(to)
	}
	i := x.at(to)
	if x.is(i, ",") {
		i++
	}
	if i >= len(x.tok) || !oneOf(x.word(i), "ext extension durchwahl dw poste extensión anexo ramal interno toestel wew") && !(len(x.word(i)) > 1 && x.word(i)[0] == 'x' && digitsIn(x.word(i)) == len(x.word(i))-1) {
		return to
	}
	if x.tok[i].Kind == lex.Mixed {
		return x.tok[i].To
	}
	i++
	for x.is(i, ".:#") {
		i++
	}
	if i < len(x.tok) && x.tok[i].Kind == lex.Digits {
		return x.tok[i].To
	}
	return to
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
	if !x.special(from, to, text) {
		return to - 1
	}
	x.add(from, to, OtherID, "code", 0.8)
	return to - 1
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
	if !ok || digit && digitsIn(head) < 2 || len(head) > 4 || oneOf(head, currencies) || oneOf(head, lawNumberWords) || ordinaryCode(head+"-1") || !isDigit(group[0]) {
		return 0
	}
	end := x.value(x.at(from), cue{})
	if end == 0 || digitsIn(x.s[from:end]) < 6 || x.harmless(to+1, end) || x.isDate(to+1, end) {
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
	case x.harmless(from, to) || x.publicNumber(from, text):
		return false
	case onlyDigitsAndSigns(text):
		return n >= minDigits || n >= 4 && from > 0 && x.s[from-1] == '#' && !isYear(text)
	case n >= 3 && ticketCode(text):
		return true
	case n < 7 && ordinaryCode(text):
		return false
	}
	return n >= 5 || n == 4 && strings.Count(text, "-")+strings.Count(text, "/") >= 2
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

// ordinaryCode knows forms and standards: CMS-1500, ISO-27001, EN12345.
func ordinaryCode(text string) bool {
	for _, p := range []string{"ISO", "DIN", "EN", "CMS", "SSA", "VA", "DS", "HUD", "UCC", "CFR", "PL", "ICD", "CPT"} {
		if rest, ok := strings.CutPrefix(text, p); ok && rest != "" && (rest[0] == '-' || isDigit(rest[0])) {
			return true
		}
	}
	return false
}

// harmless keeps numbers that many people share: dates, spans of years, sums of
// money, and places in a law.
func (x *Sheet) harmless(from, to int) bool {
	text := x.s[from:to]
	if yearSpan(text) || lawNumber(text) || x.isMoney(from, to) || x.datesInside(from, to) {
		return true
	}
	return x.lawBefore(from) && !strings.Contains(text, " ") && longestRun(text) < 6 && (digitsIn(text) < 9 || onlyDigitsAndSigns(text)) || x.lawAfter(to) && longestRun(text) < 6
}

// yearSpan is 2019-2024.
func yearSpan(s string) bool {
	a, b, ok := strings.Cut(s, "-")
	if !ok {
		a, b, ok = strings.Cut(s, "/")
	}
	return ok && isYear(strings.TrimSpace(a)) && isYear(strings.TrimSpace(b))
}

// lawNumber is 261/2004, 2016/679 or 20-13.255: numbers that laws and decisions of
// high courts have. What a word announces as a reference was taken before.
func lawNumber(s string) bool {
	if len(s) == 9 && s[2] == '-' && s[5] == '.' && digitsIn(s) == 7 {
		return true
	}
	if i := strings.LastIndexByte(s, '/'); i > 0 && oneOf(s[i+1:], unionNames) {
		s = s[:i]
	}
	a, b, ok := strings.Cut(s, "/")
	if !ok && len(s) <= 9 && len(s) >= 6 && s[4] == '-' {
		a, b, ok = strings.Cut(s, "-")
	}
	a = strings.ReplaceAll(a, ".", "")
	return ok && digitsIn(a) == len(a) && digitsIn(b) == len(b) && (isYear(b) && len(a) <= 4 || isYear(a) && len(b) <= 4)
}

// datesInside tells whether a part holds dates, and less than a long number is
// left without them.
func (x *Sheet) datesInside(from, to int) bool {
	n, dates := digitsIn(x.s[from:to]), 0
	for i := x.at(from); i < len(x.tok) && x.tok[i].From < to; i++ {
		if k := x.dateAt(i); k >= 3 && x.tok[i+k-1].To <= to && (i == 0 || x.tok[i].Space || !x.is(i-1, "-/.")) {
			end := x.tok[i+k-1].To
			if end < len(x.s) && (x.letterAt(end) || x.s[end] == '-' && x.letterAt(end+1)) {
				continue // a date that goes on is a code: 2024-03-12-998877
			}
			n -= digitsIn(x.s[x.tok[i].From:end])
			dates++
			i += k - 1
		}
	}
	return dates > 0 && n < minDigits
}

// isMoney tells a sum: a currency beside it, or groups of three with cents.
func (x *Sheet) isMoney(from, to int) bool {
	if from > 0 && strings.ContainsAny(lastRune(x.s[:from]), "$€£¥₹") {
		return true
	}
	i := x.at(from)
	if i > 0 && oneOf(x.word(i-1), currencies) || i > 0 && x.is(i-1, "$€£¥₹") {
		return grouped3(x.s[from:to])
	}
	j := x.at(to)
	if j < len(x.tok) && (oneOf(x.word(j), currencies) || x.is(j, "$€£¥₹")) {
		return grouped3(x.s[from:to])
	}
	return false
}

const currencies = "bs rs kr kč ksh ngn zar rm hkd sgd nzd mxn cop clp ars czk huf dkk nok thb php ron eur usd gbp chf inr brl pln sek aud cad zł euro euros dollars pounds złotych reais r$ us$"

// grouped3 tells whether a number is written as sums are: in groups of three, or
// short, or with two decimals.
func grouped3(s string) bool {
	run, first := 0, true
	for i := 0; i <= len(s); i++ {
		if i < len(s) && isDigit(s[i]) {
			run++
			continue
		}
		if !first && run != 3 && !(i == len(s) && run <= 2) || first && run > 6 {
			return false
		}
		first, run = false, 0
	}
	return true
}

func lastRune(s string) string {
	s = strings.TrimRight(s, " ")
	for i := len(s) - 1; i >= 0 && i > len(s)-5; i-- {
		if s[i] < 0x80 || s[i] >= 0xC0 {
			return s[i:]
		}
	}
	return ""
}

// lawAfter tells a number by the law that follows: 42 U.S.C., 261/2004/EG.
func (x *Sheet) lawAfter(to int) bool {
	i := x.at(to)
	if i >= len(x.tok) {
		return false
	}
	if x.is(i, "/") && i+1 < len(x.tok) && oneOf(x.word(i+1), unionNames) {
		return true
	}
	return oneOf(x.word(i), "cfr usc bgb zpo vvg sgb stgb") || strings.HasPrefix(x.s[x.tok[i].From:], "U.S.C") || strings.HasPrefix(x.s[x.tok[i].From:], "C.F.R")
}

// unionNames are what the European Union is called behind the number of a law.
const unionNames = "eg eu ce ue ec eec ewg cee eeg we"

func longestRun(s string) int {
	best, run := 0, 0
	for i := range len(s) {
		if isDigit(s[i]) {
			run++
			best = max(best, run)
		} else {
			run = 0
		}
	}
	return best
}
