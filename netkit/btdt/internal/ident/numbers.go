package ident

import (
	"slices"
	"strings"
)

// SSN is a US social security number by the rules of issue: area not 000, 666
// or 900 and above, no group or serial of zeros.
func SSN(s string) bool {
	return form(s, "999999999") && s[:3] != "000" && s[:3] != "666" && s[0] != '9' && s[3:5] != "00" && s[5:] != "0000"
}

// ITIN is a US taxpayer number: 9xx with group 50–65, 70–88, 90–92 or 94–99.
func ITIN(s string) bool {
	if !form(s, "999999999") || s[0] != '9' {
		return false
	}
	g := digit(s[3])*10 + digit(s[4])
	return g >= 50 && g <= 65 || g >= 70 && g <= 88 || g >= 90 && g <= 92 || g >= 94
}

// NPI is a US provider number: Luhn with the prefix 80840.
func NPI(s string) bool {
	return form(s, "9999999999") && (s[0] == '1' || s[0] == '2') && luhn("80840"+s)
}

// ABA is a US bank routing number: weights 3, 7, 1.
func ABA(s string) bool {
	if !form(s, "999999999") || same(s) {
		return false
	}
	p := digit(s[0])*10 + digit(s[1])
	issued := p <= 12 || p >= 21 && p <= 32 || p >= 61 && p <= 72 || p == 80
	return issued && weighted(s, 3, 7, 1, 3, 7, 1, 3, 7, 1)%10 == 0
}

// MBI is a Medicare number of 2018: C A AN N A AN N A A N N, without S L O I B Z.
func MBI(s string) bool {
	if !form(s, "9AN9AN9AA99") || s[0] == '0' {
		return false
	}
	return !strings.ContainsAny(s, "SLOIBZ")
}

// DEA is a US prescriber number: two letters (the second may be 9), six digits
// and a check digit.
func DEA(s string) bool {
	if len(s) != 9 || !form(s[:1], "A") || !(form(s[1:2], "A") || s[1] == '9') || !Digits(s[2:]) {
		return false
	}
	n := s[2:]
	return (digit(n[0])+digit(n[2])+digit(n[4])+2*(digit(n[1])+digit(n[3])+digit(n[5])))%10 == digit(n[6])
}

// NHS is a number of the health service of England: weights 10 to 2, modulus 11.
func NHS(s string) bool {
	if !form(s, "9999999999") || same(s) {
		return false
	}
	return (11-weighted(s, 10, 9, 8, 7, 6, 5, 4, 3, 2)%11)%11 == digit(s[9])
}

// NINO is a British national insurance number by its form and the prefixes that
// are given out; the prefix QQ of forms and examples counts too.
func NINO(s string) bool {
	if !form(s, "AA999999A") || s[8] > 'D' {
		return false
	}
	p := s[:2]
	return p == "QQ" || !strings.ContainsAny(p, "DFIQUV") && p[1] != 'O' && !slices.Contains(unusedNINO, p)
}

// unusedNINO are prefixes that HMRC never gives out.
var unusedNINO = []string{"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"}

// SteuerID is the German tax number: eleven digits, none first 0, MOD 11,10. Of
// the first ten digits just one occurs twice or thrice, the others once.
func SteuerID(s string) bool {
	return form(s, "99999999999") && s[0] != '0' && oneRepeated(s[:10]) && mod1110(s)
}

func oneRepeated(s string) bool {
	var count [10]int
	for i := range len(s) {
		count[digit(s[i])]++
	}
	repeated := 0
	for _, n := range count {
		if n > 3 {
			return false
		}
		if n > 1 {
			repeated++
		}
	}
	return repeated == 1
}

// NIR is the French social security number: thirteen places and a key of 97;
// Corsica writes 2A and 2B.
func NIR(s string) bool {
	if len(s) != 15 || s[0] < '1' || s[0] > '8' {
		return false
	}
	n := s[:13]
	switch s[5:7] {
	case "2A":
		n = s[:5] + "19" + s[7:13]
	case "2B":
		n = s[:5] + "18" + s[7:13]
	}
	return Digits(n) && Digits(s[13:]) && 97-mod(n, 97) == mod(s[13:], 1000)
}

const dniLetters = "TRWAGMYFPDXBNJZSQVHLCKE"

// DNI is a Spanish identity number, or NIE for foreigners (X, Y, Z for 0, 1, 2).
func DNI(s string) bool {
	if len(s) != 9 {
		return false
	}
	n := s
	if i := strings.IndexByte("XYZ", s[0]); i >= 0 {
		n = string(rune('0'+i)) + s[1:]
	}
	return form(n, "99999999A") && dniLetters[mod(n[:8], 23)] == s[8]
}

// codiceOdd are the values of characters at odd places of a codice fiscale.
var codiceOdd = [36]int{
	1, 0, 5, 7, 9, 13, 15, 17, 19, 21, // 0–9
	1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23, // A–Z
}

// CodiceFiscale is the Italian tax code; letters may stand for digits where two
// people would share one.
func CodiceFiscale(s string) bool {
	if !form(s, "AAAAAANNANNANNNA") || strings.IndexByte("ABCDEHLMPRST", s[8]) < 0 {
		return false
	}
	for _, i := range []int{6, 7, 9, 10, 12, 13, 14} {
		if c := s[i]; c >= 'A' && strings.IndexByte("LMNPQRSTUV", c) < 0 {
			return false
		}
	}
	sum := 0
	for i := range 15 {
		v := int(s[i] - '0')
		if s[i] >= 'A' {
			v = int(s[i]-'A') + 10
		}
		if i%2 == 0 {
			sum += codiceOdd[v]
		} else if v >= 10 {
			sum += v - 10
		} else {
			sum += v
		}
	}
	return byte('A'+sum%26) == s[15]
}

// PESEL is the Polish number: weights 1, 3, 7, 9.
func PESEL(s string) bool {
	if !form(s, "99999999999") || same(s) {
		return false
	}
	return (10-weighted(s, 1, 3, 7, 9, 1, 3, 7, 9, 1, 3)%10)%10 == digit(s[10])
}

// BSN is the Dutch number: weights 9 to 2 and −1, modulus 11.
func BSN(s string) bool {
	return form(s, "999999999") && !same(s) && weighted(s, 9, 8, 7, 6, 5, 4, 3, 2, -1)%11 == 0
}

// Belgian is the Belgian national number: 97 less the rest of nine digits, with
// 2 before them for those born from 2000 on.
func Belgian(s string) bool {
	if !form(s, "99999999999") || same(s) {
		return false
	}
	key := mod(s[9:], 100)
	return 97-mod(s[:9], 97) == key || 97-mod("2"+s[:9], 97) == key
}

// Personnummer is the Swedish number of ten or twelve digits: Luhn over the last
// ten, a possible day before.
func Personnummer(s string) bool {
	if form(s, "999999999999") && (s[:2] == "19" || s[:2] == "20" || s[:2] == "18") {
		s = s[2:]
	}
	if !form(s, "9999999999") {
		return false
	}
	month, day := mod(s[2:4], 100), mod(s[4:6], 100)
	if day > 60 {
		day -= 60 // coordination numbers
	}
	return month >= 1 && month <= 12 && day >= 1 && day <= 31 && luhn(s)
}

// SIN is the Canadian number: Luhn, nine digits.
func SIN(s string) bool { return form(s, "999999999") && s[0] != '8' && !same(s) && luhn(s) }

// TFN is the Australian tax file number of eight or nine digits, modulus 11.
func TFN(s string) bool {
	if form(s, "99999999") {
		return !same(s) && weighted(s, 10, 7, 8, 4, 6, 3, 5, 1)%11 == 0
	}
	return form(s, "999999999") && !same(s) && weighted(s, 1, 4, 3, 7, 5, 8, 6, 9, 10)%11 == 0
}

// MedicareAU is the Australian card number: ten digits, perhaps one more for the
// person on the card.
func MedicareAU(s string) bool {
	if !form(s, "9999999999") && !form(s, "99999999999") {
		return false
	}
	return s[0] >= '2' && s[0] <= '6' && weighted(s, 1, 3, 7, 9, 1, 3, 7, 9)%10 == digit(s[8])
}

// ABN is the Australian business number: one less in the first place, modulus 89.
// It begins with two check digits, 11 to 99.
func ABN(s string) bool {
	if !form(s, "99999999999") || s[:2] < "11" {
		return false
	}
	return (weighted(s, 10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19)-10)%89 == 0
}

// Aadhaar is the Indian number: twelve digits, not 0 or 1 first, Verhoeff.
func Aadhaar(s string) bool { return form(s, "999999999999") && s[0] > '1' && !same(s) && verhoeff(s) }

// PAN is the Indian tax number by its form; its check letter is not published.
func PAN(s string) bool {
	return form(s, "AAAAA9999A") && strings.IndexByte("ABCFGHJKLPT", s[3]) >= 0
}

// CPF is the Brazilian number of a person: two check digits, modulus 11.
func CPF(s string) bool {
	return form(s, "99999999999") && !same(s) &&
		eleven(weighted(s, 10, 9, 8, 7, 6, 5, 4, 3, 2)) == digit(s[9]) &&
		eleven(weighted(s, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2)) == digit(s[10])
}

// CNPJ is the Brazilian number of a business.
func CNPJ(s string) bool {
	return form(s, "99999999999999") && !same(s) &&
		eleven(weighted(s, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)) == digit(s[12]) &&
		eleven(weighted(s, 6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)) == digit(s[13])
}

func eleven(sum int) int {
	if r := sum % 11; r >= 2 {
		return 11 - r
	}
	return 0
}

// IMEI is the number of a telephone: fifteen digits, Luhn.
func IMEI(s string) bool { return form(s, "999999999999999") && !same(s) && luhn(s) }

// vinWeights are those of 49 CFR 565; the ninth place is the check digit.
var vinWeights = [17]int{8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2}

// vinValues are the values of A to Z; I, O and Q do not occur.
const vinValues = "12345678.12345.7.923456789"

// VIN is a vehicle number with its North American check digit.
func VIN(s string) bool {
	if !VINForm(s) {
		return false
	}
	sum := 0
	for i := range 17 {
		v := int(s[i] - '0')
		if s[i] >= 'A' {
			v = digit(vinValues[s[i]-'A'])
		}
		sum += v * vinWeights[i]
	}
	r := sum % 11
	return s[8] == 'X' && r == 10 || s[8] == byte('0'+r) && r < 10
}

// VINForm is the form of a vehicle number, which outside of North America has no
// check digit: seventeen places without I, O and Q, with letters and digits.
func VINForm(s string) bool {
	return form(s, "NNNNNNNNNNNNNNNNN") && !strings.ContainsAny(s, "IOQ") && !Digits(s) &&
		Digits(s[14:]) && strings.ContainsAny(s[:14], "0123456789")
}
