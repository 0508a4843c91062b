package detect

import (
	"strings"

	"github.com/nyaruka/phonenumbers"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// phone reads a run that is written like a telephone number from a byte and
// marks it when it is one.
func (x *Sheet) phone(from int) int {
	to, digits := x.phoneRun(from)
	if digits < 6 || digits > 17 || x.taken(from, to) || x.letterAt(to) && x.shortExtension(to) == to || to < len(x.s) && x.s[to] == '%' {
		return 0
	}
	if x.harmless(from, to) && (!x.phoneCue(from) || x.Field == "legal_levers") {
		return 0
	}
	if x.hotline(from, to) {
		return to
	}
	if !x.isPhone(from, to) || x.registerNear(from, to) {
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
	if roundNumber(text) {
		return false
	}
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

const extensionWords = "ext extn extension durchwahl dw poste extensión anexo ramal interno int toestel wew klappe"

// extension adds "ext. 123" and "x123" behind a telephone number.
func (x *Sheet) extension(to int) int {
	if x.letterAt(to) {
		return x.shortExtension(to)
	}
	i := x.at(to)
	if x.is(i, ",") {
		i++
	}
	if i+1 < len(x.tok) && x.word(i) == "x" && x.tok[i+1].Kind == lex.Digits && x.tok[i+1].To-x.tok[i+1].From < 6 {
		return x.tok[i+1].To // x 12
	}
	if i >= len(x.tok) || !oneOf(x.word(i), extensionWords) && !(len(x.word(i)) > 1 && x.word(i)[0] == 'x' && digitsIn(x.word(i)) == len(x.word(i))-1) {
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
