package detect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit/btdt/internal/ident"
	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// read finds what a step of a playbook holds.
func read(text string) *Sheet {
	x := NewSheet("steps", text)
	x.Find(0)
	return x
}

// found gives what one text holds, as TYPE:part, in order.
func found(text string) []string {
	x := read(text)
	var got []string
	for _, s := range x.Spans() {
		got = append(got, s.Type+":"+x.s[s.From:s.To])
	}
	return got
}

// kinds make numbers of each kind that has a check: a form in which 9 is any
// digit and ? any capital, and the places that the check decides.
var kinds = []struct {
	rule, form string
	check      func(string) bool
	last       int    // how many places at the end the check decides
	layout     []int  // sizes of the groups that people write
	cue        string // the word before it, where the number alone says too little
}{
	{"card", "4999999999999999", ident.Card, 1, []int{4, 4, 4, 4}, ""},
	{"card", "379999999999999", ident.Card, 1, []int{4, 6, 5}, ""},
	{"steuer_id", "99999999999", ident.SteuerID, 1, []int{2, 3, 3, 3}, "Steuer-ID"},
	{"nir", "199019999999999", ident.NIR, 2, []int{1, 2, 2, 2, 3, 3, 2}, ""},
	{"dni", "99999999Z", ident.DNI, 1, []int{8, 1}, ""},
	{"dni", "X9999999Z", ident.DNI, 1, []int{1, 7, 1}, ""},
	{"codice_fiscale", "RSSMRA99A01F999A", ident.CodiceFiscale, 1, []int{6, 5, 5}, ""},
	{"pesel", "99019999999", ident.PESEL, 1, []int{11}, ""},
	{"belgian_number", "99010199999", ident.Belgian, 2, []int{2, 2, 2, 3, 2}, "rijksregister"},
	{"personnummer", "9901019999", ident.Personnummer, 1, []int{6, 4}, "personnummer"},
	{"cpf", "99999999999", ident.CPF, 2, []int{3, 3, 3, 2}, ""},
	{"cnpj", "99999999000199", ident.CNPJ, 2, []int{2, 3, 3, 4, 2}, ""},
	{"aadhaar", "299999999999", ident.Aadhaar, 1, []int{4, 4, 4}, ""},
	{"nhs", "9999999999", ident.NHS, 1, []int{3, 3, 4}, "NHS number"},
	{"npi", "1999999999", ident.NPI, 1, []int{10}, "NPI"},
	{"aba", "021999999", ident.ABA, 1, []int{9}, "routing number"},
	{"bsn", "199999999", ident.BSN, 1, []int{9}, "BSN"},
	{"sin", "199999999", ident.SIN, 1, []int{3, 3, 3}, "SIN"},
	{"tfn", "199999999", ident.TFN, 1, []int{3, 3, 3}, "TFN"},
	{"medicare_au", "2999999991", ident.MedicareAU, 2, []int{4, 5, 1}, "Medicare number"},
	{"imei", "359999999999999", ident.IMEI, 1, []int{2, 6, 6, 1}, "IMEI"},
	{"vin", "1HGCM8?????999999", ident.VINForm, 0, []int{17}, ""},
	{"mbi", "1EG4TE5MK99", ident.MBI, 0, []int{4, 3, 4}, ""},
	{"nino", "AB999999C", ident.NINO, 0, []int{2, 2, 2, 2, 1}, ""},
	{"pan", "???P?9999?", ident.PAN, 0, []int{10}, ""},
	{"dea", "AB9999999", ident.DEA, 1, []int{9}, ""},
}

// number draws a valid number of a kind: free places first, then the deciding
// ones by trial.
func number(t *rapid.T, form string, last int, check func(string) bool) string {
	for range 200 {
		b := []byte(form)
		for i, c := range b {
			switch c {
			case '9':
				b[i] = byte(rapid.IntRange('0', '9').Draw(t, "digit"))
			case '?':
				b[i] = rapid.SampledFrom([]byte("ABCDEFGHJKLMNPRSTUVWXYZ")).Draw(t, "capital")
			}
		}
		if s, ok := completed(b, last, check); ok {
			return s
		}
	}
	t.Skip("no valid number drawn")
	return ""
}

// completed tries what may stand in the last places until the check is content.
func completed(b []byte, last int, check func(string) bool) (string, bool) {
	if check(string(b)) {
		return string(b), true
	}
	for n := 0; last > 0 && n < 100; n++ {
		if last == 1 && n < 26 {
			b[len(b)-1] = byte('A' + n)
			if check(string(b)) {
				return string(b), true
			}
		}
		copy(b[len(b)-last:], fmt.Sprintf("%02d", n)[2-last:])
		if check(string(b)) {
			return string(b), true
		}
	}
	return "", false
}

// grouped writes a number in groups with a sign between.
func grouped(s string, layout []int, sign string) string {
	var parts []string
	for _, n := range layout {
		parts = append(parts, s[:n])
		s = s[n:]
	}
	return strings.Join(append(parts, s)[:len(layout)], sign)
}

// frames are sentences in the eight languages, with a place for a word and one
// for a number.
var frames = []string{
	"They asked for it twice (%s %s) and lost it.", "The letter quoted %s %s, which was wrong.",
	"Im Schreiben stand %s %s, sonst nichts.", "Sur la lettre : « %s %s », sans explication.",
	"En la carta pusieron %s %s; nadie contestó.", "Na carta vinha %s %s. Ninguém respondeu.",
	"Nella lettera c'era scritto: %s %s.", "In de brief stond “%s %s”, meer niet.",
	"W piśmie podano %s %s i nic więcej.", "%s %s", "- %s %s\n- second line",
}

// A valid number is found whatever the language, the frame and the signs, to its
// last digit.
func TestValidNumbersAreFound(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.rule, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				bare := number(t, k.form, k.last, k.check)
				written := grouped(bare, k.layout, rapid.SampledFrom([]string{"", " ", "-", ".", "/", "  ", " - ", "\u00a0", "\u2011", "\u202f"}).Draw(t, "sign"))
				text := strings.TrimSpace(fmt.Sprintf(rapid.SampledFrom(frames).Draw(t, "frame"), k.cue, written))
				if !covered(text, written) {
					t.Fatalf("%q: got %q, want all of %s", text, found(text), written)
				}
			})
		})
	}
}

// covered tells whether every letter and digit of a part goes.
func covered(text, part string) bool {
	x := read(text)
	part = lex.Fold(part).S
	from := strings.Index(x.s, part)
	if from < 0 {
		return false
	}
	spans := x.Spans()
	for i := from; i < from+len(part); i++ {
		if x.letterAt(i) && !slices.ContainsFunc(spans, func(s Span) bool { return s.From <= i && i < s.To }) {
			return false
		}
	}
	return true
}

// One wrong digit, and the number is no longer claimed to be of its kind: what a
// check digit says is said by nothing else.
func TestWrongNumbersAreNotOfTheirKind(t *testing.T) {
	for _, k := range kinds {
		if k.last == 0 || k.rule == "belgian_number" || k.rule == "medicare_au" || k.rule == "codice_fiscale" {
			continue // a form alone, or a check over a part
		}
		t.Run(k.rule, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				b := []byte(number(t, k.form, k.last, k.check))
				i := rapid.SampledFrom(digitPlaces(b)).Draw(t, "place")
				b[i] = '0' + (b[i]-'0'+byte(rapid.IntRange(1, 9).Draw(t, "more")))%10
				if k.check(string(b)) {
					t.Skip("the check does not see every digit")
				}
				x := read("They wrote " + string(b) + " on it.")
				for _, s := range x.Spans() {
					if s.Rule == k.rule {
						t.Fatalf("got %s claimed as %s", b, k.rule)
					}
				}
			})
		})
	}
}

func digitPlaces(b []byte) []int {
	var places []int
	for i, c := range b {
		if isDigit(c) {
			places = append(places, i)
		}
	}
	return places
}

// IBANs of every country, in fours and in one, and with a digit mistyped.
func TestIBANsAreFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		country := rapid.SampledFrom([]string{"DE", "FR", "ES", "PT", "IT", "NL", "PL", "GB", "AT", "BE", "CH", "MT", "NO"}).Draw(t, "country")
		b := []byte(country + "00" + strings.Repeat("0", ident.IBANLength(country)-4))
		for i := 4; i < len(b); i++ {
			b[i] = byte(rapid.IntRange('0', '9').Draw(t, "digit"))
		}
		for n := 2; n < 99 && !ident.IBAN(string(b)); n++ {
			copy(b[2:4], fmt.Sprintf("%02d", n))
		}
		if !ident.IBAN(string(b)) {
			t.Fatalf("no check digits fit %s", b)
		}
		if rapid.Bool().Draw(t, "mistyped") {
			b[len(b)-1] = '0' + (b[len(b)-1]-'0'+1)%10
		}
		written := inFours(string(b))
		text := fmt.Sprintf(rapid.SampledFrom(frames).Draw(t, "frame"), "IBAN", written)
		if !covered(text, written) {
			t.Fatalf("%q: got %q, want all of %s", text, found(text), written)
		}
	})
}

func inFours(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// Things that only look like an identifier stay.
func TestNoIdentifier(t *testing.T) {
	for _, text := range []string{
		"The Patiëntenrechtenwet van 22 augustus 2002 applies.",
		"Paid 1,234,567.89 dollars in 12 instalments over 24 months.",
		"See 45 CFR 164.524 and 15 U.S.C. § 1692g, then Regulation (EU) 2016/679.",
		"It rose by 12 in 34 days 56 times, at 9 a show.",
		"The judgment C-520/21 settled it; so did ECLI:NL:HR:2021:1677.",
	} {
		if got := found(text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}

func TestIdentifierForms(t *testing.T) {
	for text, want := range map[string]string{
		"IBAN van de aannemer NL18 RABO 0344 7182 09 staat niet":    "FINANCIAL:NL18 RABO 0344 7182 09",
		"Il codice fiscale RSS MRA 85T10 A562S sulla bolletta":      "NATIONAL_ID:RSS MRA 85T10 A562S",
		"codice fiscale rssmra 85t10 a562s in piccolo":              "NATIONAL_ID:rssmra 85t10 a562s",
		"IBAN de89 - 3704 - 0044 - 0532 - 0130 - 00 stimmt":         "FINANCIAL:de89 - 3704 - 0044 - 0532 - 0130 - 00",
		"My NI number is qq 12 34 56 c, they said":                  "NATIONAL_ID:qq 12 34 56 c",
		"NIE X - 1234567 - L mal escrito":                           "NATIONAL_ID:X - 1234567 - L",
		"on 1HGCM82633A004352 the odometer":                         "VEHICLE:1HGCM82633A004352",
		"sent back under 1Z 884 W20 03 9917 4402, insured":          "OTHER_ID:1Z 884 W20 03 9917 4402",
		"ssn 536-90-4399 was wrong":                                 "NATIONAL_ID:536-90-4399",
		"send to bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4 please": "FINANCIAL:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
		"to 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed they went":   "FINANCIAL:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
	} {
		if got := found(text); !slices.Contains(got, want) {
			t.Errorf("%q: got %q, want %s", text, got, want)
		}
	}
}
