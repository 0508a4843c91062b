package detect

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/btdt/internal/ident"
	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// known is an identifier with a check of its own. Sure ones are taken wherever
// they stand; the others, whose check one number in ten passes by chance, need
// a word within reach that announces a number.
type known struct {
	rule  string
	kind  string
	check func(string) bool
	sure  bool
	sizes [2]int // least and most places
}

// identifiers in the order in which they are tried: longer and surer first.
var knownIdentifiers = []known{
	{"iban", Financial, ident.IBAN, true, [2]int{15, 33}},
	{"codice_fiscale", NationalID, ident.CodiceFiscale, true, [2]int{16, 16}},
	{"vin", Vehicle, ident.VINForm, true, [2]int{17, 17}},
	{"ups", OtherID, parcelUPS, true, [2]int{18, 18}},
	{"nir", NationalID, ident.NIR, true, [2]int{15, 15}},
	{"cnpj", NationalID, ident.CNPJ, true, [2]int{14, 14}},
	{"imei", OtherID, ident.IMEI, false, [2]int{15, 15}},
	{"card", Financial, ident.Card, true, [2]int{12, 19}},
	{"personnummer", NationalID, ident.Personnummer, false, [2]int{10, 12}},
	{"cpf", NationalID, ident.CPF, true, [2]int{11, 11}},
	{"steuer_id", NationalID, ident.SteuerID, true, [2]int{11, 11}},
	{"pesel", NationalID, ident.PESEL, true, [2]int{11, 11}},
	{"belgian_number", NationalID, ident.Belgian, true, [2]int{11, 11}},
	{"abn", OtherID, ident.ABN, false, [2]int{11, 11}},
	{"medicare_au", NationalID, ident.MedicareAU, false, [2]int{10, 11}},
	{"aadhaar", NationalID, ident.Aadhaar, true, [2]int{12, 12}},
	{"mbi", NationalID, ident.MBI, true, [2]int{11, 11}},
	{"npi", NationalID, ident.NPI, false, [2]int{10, 10}},
	{"nhs", NationalID, ident.NHS, false, [2]int{10, 10}},
	{"pan", NationalID, ident.PAN, true, [2]int{10, 10}},
	{"dea", NationalID, ident.DEA, true, [2]int{9, 9}},
	{"dni", NationalID, ident.DNI, true, [2]int{9, 9}},
	{"nino", NationalID, ident.NINO, true, [2]int{9, 9}},
	{"aba", Financial, ident.ABA, false, [2]int{9, 9}},
	{"itin", NationalID, ident.ITIN, false, [2]int{9, 9}},
	{"sin", NationalID, ident.SIN, false, [2]int{9, 9}},
	{"tfn", NationalID, ident.TFN, false, [2]int{8, 9}},
	{"bsn", NationalID, ident.BSN, false, [2]int{9, 9}},
	{"ssn", NationalID, ident.SSN, false, [2]int{9, 9}},
}

// parcelUPS is the number of a parcel of UPS by its form.
func parcelUPS(s string) bool { return s[:2] == "1Z" && digitsIn(s) >= 9 }

// chain is a run of groups of letters and digits with single separators
// between, and its bare form.
type chain struct {
	bare [40]byte
	n    int
	ends [40]int // bare length → byte after that group, 0 inside a group
}

// identifiers tries every group that could start an identifier.
func (x *Sheet) identifiers() {
	for i := 0; i < len(x.s); i++ {
		i = x.past(i)
		if !x.letterAt(i) || x.letterAt(i-1) || x.foreignBefore(i) {
			continue
		}
		if !x.digitSoon(i) {
			continue
		}
		var c chain
		x.readChain(i, &c)
		to := x.bestIdentifier(i, &c)
		if to == 0 {
			to = x.ibanForm(i, &c)
		}
		if to > i {
			i = to - 1
		}
	}
}

// digitSoon reports whether the group at i holds a digit, or the next one starts
// with it, or the one after two groups of three capitals: all identifiers do.
func (x *Sheet) digitSoon(i int) bool {
	start := i
	for ; i < len(x.s) && x.letterAt(i); i++ {
		if x.s[i] <= '9' {
			return true
		}
	}
	if i-start == 3 && i+5 < len(x.s) && upper(x.s[start:i]) && upper(x.s[i+1:i+4]) && !x.letterAt(i+4) {
		i += 4
	}
	next := i + 1
	for next < len(x.s) && next < i+3 && separator(x.s[next]) {
		next++ // the doubled space or spaced dash of careless typing
	}
	return i-start <= 8 && next < len(x.s) && isDigit(x.s[next])
}

func separator(c byte) bool { return c == ' ' || c == '-' || c == '.' || c == '/' }

func (x *Sheet) readChain(i int, c *chain) {
	for c.n < len(c.bare)-1 && x.letterAt(i) {
		b := x.s[i]
		if b >= 'a' && b <= 'z' {
			b -= 'a' - 'A'
		}
		c.bare[c.n] = b
		c.n++
		if i++; x.letterAt(i) {
			continue
		}
		if x.foreignAt(i) {
			return // a letter beyond ASCII: the group is a word
		}
		c.ends[c.n] = i
		i += x.gap(i)
	}
}

// gap is the length of what divides the groups of a chain at byte i, 0 for nothing: one
// separator, or the spaced dash and the doubled space of careless typing.
func (x *Sheet) gap(i int) int {
	switch {
	case i >= len(x.s) || !separator(x.s[i]):
		return 0
	case x.letterAt(i + 1):
		return 1
	case strings.HasPrefix(x.s[i:], " - ") && x.letterAt(i+3):
		return 3
	case x.letterAt(i+2) && separator(x.s[i+1]):
		return 2
	}
	return 0
}

// bestIdentifier marks the longest identifier that starts at from and ends with
// a group, and returns where.
func (x *Sheet) bestIdentifier(from int, c *chain) int {
	for n := c.n; n >= 8; n-- {
		to := c.ends[n]
		if to == 0 {
			continue
		}
		bare := string(c.bare[:n])
		if digitsIn(bare) < 4 {
			continue
		}
		for k := range knownIdentifiers {
			id := &knownIdentifiers[k]
			if n < id.sizes[0] || n > id.sizes[1] || !id.check(bare) {
				continue
			}
			if x.isThis(id, from, to, bare) {
				if id.sure || !publicLine(x.s[from:to]) {
					x.add(from, to, id.kind, id.rule, 1)
				}
				return to
			}
		}
	}
	return 0
}

// ibanForm takes what is written like an IBAN, in fours or behind its name, and
// fails the check: a digit was mistyped, which hides nobody.
func (x *Sheet) ibanForm(from int, c *chain) int {
	if c.n < 15 || !upper(string(c.bare[:2])) || digitsIn(string(c.bare[2:4])) != 2 {
		return 0
	}
	n := ident.IBANLength(string(c.bare[:2]))
	if n == 0 || n > c.n || c.ends[n] == 0 || digitsIn(string(c.bare[:n])) < 10 {
		return 0
	}
	to := c.ends[n]
	fours := strings.Count(x.s[from:to], " ") == (n-1)/4 && c.ends[4] > 0 && c.ends[8] > 0 && c.ends[12] > 0
	if !fours && !x.cued(x.at(from), lex.AccountCue|lex.MoneyCue) {
		return 0
	}
	x.add(from, to, Financial, "iban_form", 0.9)
	return to
}

// isThis weighs what stands around something that passes a check.
func (x *Sheet) isThis(id *known, from, to int, bare string) bool {
	text := x.s[from:to]
	switch {
	case !id.sure && !x.cued(x.at(from), lex.IDCue|lex.MoneyCue|lex.OtherCue) && !plainForm(id.rule, text):
		return false
	case len(text) != len(bare) && (!upperOrDigit(text) && !x.inSmall(id.rule, from, text) || id.rule == "vin" && !ident.VIN(bare)):
		return false // prose without its spaces
	case !strings.Contains(" iban card vin codice_fiscale nir cnpj ", " "+id.rule+" ") && (x.goesOn(to) || x.cameFrom(from)):
		return false
	case len(bare) < 13 && x.countryCode(from):
		return false
	}
	return !isAmount(text)
}

// inSmall reports whether groups in small letters are an identifier all the same: by
// a check that prose never passes, by its dashes, or by its name beside it.
func (x *Sheet) inSmall(rule string, from int, text string) bool {
	return rule == "iban" || rule == "codice_fiscale" || rule == "dni" && !strings.Contains(text, " ") || x.cued(x.at(from), lex.IDCue)
}

// cameFrom reports whether a code runs up to a byte with a sign between: then what
// starts here is part of something longer.
func (x *Sheet) cameFrom(from int) bool {
	return from > 1 && (x.s[from-1] == '-' || x.s[from-1] == '/') && x.letterAt(from-2)
}

// countryCode reports whether a number starts with the code of a country, or right
// behind it: +55 11 96871-0000.
func (x *Sheet) countryCode(from int) bool {
	i := x.at(from)
	return x.is(i-1, "+") || x.is(i-2, "+") && x.tok[i-1].Kind == lex.Digits && x.tok[i-1].To-x.tok[i-1].From < 4
}

// goesOn reports whether more digits follow behind one separator: then what ends
// here is part of something longer.
func (x *Sheet) goesOn(to int) bool {
	return to+1 < len(x.s) && separator(x.s[to]) && x.s[to] != '.' && isDigit(x.s[to+1]) && x.tok[x.at(to+1)].Date == lex.NoDate
}

// plainForm is a way of writing that says enough by itself.
func plainForm(rule, text string) bool {
	switch rule {
	case "ssn", "itin":
		return len(text) == 11 && (text[3] == '-' && text[6] == '-' || text[3] == ' ' && text[6] == ' ' || text[3] == '.' && text[6] == '.')
	case "personnummer":
		return len(text) == 11 && text[6] == '-' || len(text) == 13 && text[8] == '-'
	}
	return false
}

func upper(s string) bool {
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return s != ""
}

func upperOrDigit(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r >= 'a' && r <= 'z' })
}

// foreignAt reports whether a letter beyond ASCII starts at a byte.
func (x *Sheet) foreignAt(i int) bool {
	if i < 0 || i >= len(x.s) || x.s[i] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRuneInString(x.s[i:])
	return unicode.IsLetter(r)
}

// foreignBefore reports whether a letter beyond ASCII ends at a byte.
func (x *Sheet) foreignBefore(i int) bool {
	if i <= 0 || x.s[i-1] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(x.s[:i])
	return unicode.IsLetter(r)
}
