package ident

import (
	"crypto/sha256"
	"encoding/hex"
	"math/big"
	"strconv"
	"strings"
)

// ibanLength is the length of an IBAN by country, from the SWIFT registry.
var ibanLength = map[string]int{
	"AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BI": 27,
	"BR": 29, "BY": 28, "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DJ": 27, "DK": 18, "DO": 28,
	"EE": 20, "EG": 29, "ES": 24, "FI": 18, "FK": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23,
	"GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27,
	"JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "LY": 25,
	"MC": 27, "MD": 24, "ME": 22, "MK": 19, "MN": 20, "MR": 27, "MT": 31, "MU": 30, "NI": 28, "NL": 18,
	"NO": 15, "OM": 23, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "RU": 33,
	"SA": 24, "SC": 31, "SD": 18, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "SO": 23, "ST": 25, "SV": 28,
	"TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20, "YE": 30,
}

// IBANLength is the length of an IBAN of a country, 0 where there is none.
func IBANLength(country string) int { return ibanLength[country] }

// IBAN is an account number of ISO 13616: modulus 97 with the first four places
// moved to the end.
func IBAN(s string) bool {
	return len(s) > 4 && ibanLength[s[:2]] == len(s) && Digits(s[2:4]) && !strings.ContainsFunc(s, unusualInIBAN) && mod97(s[4:]+s[:4]) == 1
}

// unusualInIBAN reports whether a character is neither a digit nor a capital
// letter, the only ones that have a value in the sum.
func unusualInIBAN(r rune) bool { return (r < '0' || r > '9') && (r < 'A' || r > 'Z') }

// cardRanges are the first four digits of the cards of a network, from one to
// another, and the lengths that its numbers have. The first row that fits counts.
var cardRanges = []struct {
	from, to, least, most int
	lengths               string // two digits each, blank-divided; "" for all between
}{
	{4000, 4999, 13, 19, "13 16 19"}, {5100, 5599, 16, 16, ""}, {2221, 2720, 16, 16, ""}, {3400, 3499, 15, 15, ""}, {3700, 3799, 15, 15, ""},
	{1800, 1800, 15, 15, ""}, {2131, 2131, 15, 15, ""}, {1000, 1999, 15, 15, ""}, // UATP, of the airlines
	{3600, 3699, 14, 16, "14 16"}, {3800, 3999, 14, 16, "14 16"}, {3000, 3099, 14, 16, "14 16"}, {3500, 3599, 16, 16, ""},
	{6000, 6099, 16, 19, ""}, {6200, 6299, 16, 19, ""}, {6400, 6599, 16, 19, ""},
	{5000, 5099, 12, 19, ""}, {5600, 6999, 12, 19, ""}, // Maestro
}

// Card is a payment card: 12 to 19 digits, a prefix of a known network, Luhn.
func Card(s string) bool {
	if len(s) < 12 || len(s) > 19 || !Digits(s) || same(s) || !luhn(s) {
		return false
	}
	head := mod(s[:4], 10000)
	for _, r := range cardRanges {
		if head >= r.from && head <= r.to {
			return len(s) >= r.least && len(s) <= r.most && (r.lengths == "" || strings.Contains(r.lengths, strconv.Itoa(len(s))))
		}
	}
	return false
}

const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// Bitcoin is an address of Bitcoin, base58 with its checksum or bech32. Case
// counts, so it takes the text as it is written.
func Bitcoin(s string) bool {
	if low := strings.ToLower(s); strings.HasPrefix(low, "bc1") && (s == low || s == strings.ToUpper(s)) {
		return bech32(low)
	}
	if len(s) < 26 || len(s) > 35 || s[0] != '1' && s[0] != '3' {
		return false
	}
	n := new(big.Int)
	for i := range len(s) {
		v := strings.IndexByte(base58, s[i])
		if v < 0 {
			return false
		}
		n.Mul(n, big.NewInt(58)).Add(n, big.NewInt(int64(v)))
	}
	if n.BitLen() > 200 {
		return false
	}
	raw := n.FillBytes(make([]byte, 25))
	once := sha256.Sum256(raw[:21])
	twice := sha256.Sum256(once[:])
	return string(twice[:4]) == string(raw[21:])
}

const bech32Letters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"

// bech32 checks an address of BIP 173 (constant 1) or BIP 350 (bech32m).
func bech32(s string) bool {
	if len(s) < 14 || len(s) > 90 {
		return false
	}
	sum := uint32(1)
	step := func(v byte) {
		top := sum >> 25
		sum = sum&0x1ffffff<<5 ^ uint32(v)
		for i, g := range [5]uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
			if top>>i&1 == 1 {
				sum ^= g
			}
		}
	}
	for _, v := range []byte{'b' >> 5, 'c' >> 5, 0, 'b' & 31, 'c' & 31} {
		step(v)
	}
	for i := 3; i < len(s); i++ {
		v := strings.IndexByte(bech32Letters, s[i])
		if v < 0 {
			return false
		}
		step(byte(v))
	}
	return sum == 1 || sum == 0x2bc830a3
}

// Ethereum is an address of Ethereum by its form.
func Ethereum(s string) bool {
	if len(s) != 42 || s[:2] != "0x" && s[:2] != "0X" {
		return false
	}
	_, err := hex.DecodeString(s[2:])
	return err == nil
}
