package ident

import (
	"crypto/sha256"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The definitions of the check digits once more, each in another way than the
// package reckons them: slowly, from the text of the rule. They know nothing of
// prefixes that were never issued; those are in the columns "bad".

// sum adds digit × weight, with weights counted from the left.
func sum(s string, weight func(i int) int) int {
	total := 0
	for i, c := range s {
		total += weight(i) * int(c-'0')
	}
	return total
}

func matches(form string) func(string) bool {
	return regexp.MustCompile("^(?:" + form + ")$").MatchString
}

// atoi of digits; tests pass nothing else.
func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// slowIBAN writes letters as two digits and divides the whole.
func slowIBAN(s string) bool {
	if len(s) < 15 || ibanLength[s[:2]] != len(s) || !matches("[A-Z]{2}[0-9]{2}[A-Z0-9]+")(s) {
		return false
	}
	var digits strings.Builder
	for _, c := range s[4:] + s[:4] {
		v, _ := strconv.ParseInt(string(c), 36, 64)
		digits.WriteString(strconv.FormatInt(v, 10))
	}
	n, _ := new(big.Int).SetString(digits.String(), 10)
	return n.Mod(n, big.NewInt(97)).Int64() == 1
}

// slowLuhn looks doubled digits up.
func slowLuhn(s string) bool {
	if !matches("[0-9]+")(s) {
		return false
	}
	total := 0
	for i, c := range s {
		if d := int(c - '0'); (len(s)-i)%2 == 0 {
			total += []int{0, 2, 4, 6, 8, 1, 3, 5, 7, 9}[d]
		} else {
			total += d
		}
	}
	return total%10 == 0
}

var (
	slowMBI  = matches("[1-9][AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y][0-9][AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y][0-9][AC-HJKMNP-RT-Y]{2}[0-9]{2}")
	slowITIN = matches("9[0-9]{2}(5[0-9]|6[0-5]|7[0-9]|8[0-8]|9[0-24-9])[0-9]{4}")
	slowPAN  = matches("[A-Z]{3}[ABCFGHJKLPT][A-Z][0-9]{4}[A-Z]")

	slowEthereum = matches("0x[0-9a-fA-F]{40}")
)

func slowNINO(s string) bool {
	return matches("(QQ|[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z])[0-9]{6}[A-D]")(s) && !matches("(BG|GB|NK|KN|TN|NT|ZZ).*")(s)
}

func slowSSN(s string) bool {
	return matches("[0-9]{9}")(s) && !matches("(000|666|9..).*|...00.*|.*0000")(s)
}

func slowNPI(s string) bool { return matches("[12][0-9]{9}")(s) && slowLuhn("80840"+s) }

func slowABA(s string) bool {
	if !matches("[0-9]{9}")(s) {
		return false
	}
	first := 7*(int(s[0])+int(s[3])+int(s[6])-3*'0') + 3*(int(s[1])+int(s[4])+int(s[7])-3*'0') + 9*(int(s[2])+int(s[5])-2*'0')
	return first%10 == int(s[8]-'0') && matches("(0[0-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80).*")(s)
}

func slowDEA(s string) bool {
	if !matches("[A-Z][A-Z9][0-9]{7}")(s) {
		return false
	}
	total := sum(s[2:8], func(i int) int { return 1 + i%2 })
	return strings.HasSuffix(strconv.Itoa(total), s[8:])
}

func slowNHS(s string) bool {
	return matches("[0-9]{10}")(s) && sum(s, func(i int) int { return 10 - i })%11 == 0
}

// slowSteuerID is ISO 7064 MOD 11,10 as a running check that ends at 1, and one
// digit of the first ten twice or thrice, all others once.
func slowSteuerID(s string) bool {
	if !matches("[1-9][0-9]{10}")(s) {
		return false
	}
	check := 5
	for _, c := range s {
		if check == 0 {
			check = 10
		}
		check = (check*2%11 + int(c-'0')) % 10
	}
	var twice []int
	for d := range 10 {
		if n := strings.Count(s[:10], strconv.Itoa(d)); n > 1 {
			twice = append(twice, n)
		}
	}
	return check == 1 && len(twice) == 1 && twice[0] <= 3
}

func slowNIR(s string) bool {
	if !matches("[1-8][0-9]{4}([0-9]{2}|2A|2B)[0-9]{8}")(s) {
		return false
	}
	n := atoi(strings.NewReplacer("A", "0", "B", "0").Replace(s[:13]))
	switch s[6] { // Corsica: a million less for 2A, two for 2B
	case 'A':
		n -= 1_000_000
	case 'B':
		n -= 2_000_000
	}
	return (n+atoi(s[13:]))%97 == 0 && s[13:] != "00"
}

func slowDNI(s string) bool {
	if !matches("[XYZ0-9][0-9]{7}[A-Z]")(s) {
		return false
	}
	n := atoi(strings.NewReplacer("X", "0", "Y", "1", "Z", "2").Replace(s[:8]))
	return strings.Split("T R W A G M Y F P D X B N J Z S Q V H L C K E", " ")[n%23] == s[8:]
}

// slowCodice reads odd places off a word in which each letter stands where its
// value says.
func slowCodice(s string) bool {
	if !matches("[A-Z]{6}[0-9LMNP-V]{2}[ABCDEHLMPRST][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z]")(s) {
		return false
	}
	const odd, plain = "BAKPLCQDREVOSFTGUHMINJWZYX", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	total := 0
	for i, c := range strings.NewReplacer("0", "A", "1", "B", "2", "C", "3", "D", "4", "E", "5", "F", "6", "G", "7", "H", "8", "I", "9", "J").Replace(s[:15]) {
		if i%2 == 0 {
			total += strings.IndexRune(odd, c)
		} else {
			total += strings.IndexRune(plain, c)
		}
	}
	return plain[total%26] == s[15]
}

func slowPESEL(s string) bool {
	return matches("[0-9]{11}")(s) && sum(s, func(i int) int { return []int{1, 3, 7, 9}[i%4] }) > 0 &&
		(sum(s[:10], func(i int) int { return []int{1, 3, 7, 9}[i%4] })+int(s[10]-'0'))%10 == 0
}

func slowBSN(s string) bool {
	return matches("[0-9]{9}")(s) && (sum(s[:8], func(i int) int { return 9 - i })-int(s[8]-'0'))%11 == 0
}

func slowBelgian(s string) bool {
	if !matches("[0-9]{11}")(s) {
		return false
	}
	n, key := atoi(s[:9]), atoi(s[9:])
	return 97-n%97 == key || 97-(2_000_000_000+n)%97 == key
}

func slowPersonnummer(s string) bool {
	if !matches("(18|19|20)?[0-9]{10}")(s) {
		return false
	}
	last := s[len(s)-10:]
	return slowLuhn(last) && matches("[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01]|6[1-9]|[78][0-9]|9[01])[0-9]{4}")(last)
}

func slowSIN(s string) bool { return matches("[0-79][0-9]{8}")(s) && slowLuhn(s) }

func slowTFN(s string) bool {
	switch {
	case matches("[0-9]{9}")(s):
		return sum(s, func(i int) int { return []int{1, 4, 3, 7, 5, 8, 6, 9, 10}[i] })%11 == 0
	case matches("[0-9]{8}")(s):
		return sum(s, func(i int) int { return []int{10, 7, 8, 4, 6, 3, 5, 1}[i] })%11 == 0
	}
	return false
}

func slowMedicare(s string) bool {
	if !matches("[2-6][0-9]{9,10}")(s) {
		return false
	}
	last := strconv.Itoa(sum(s[:8], func(i int) int { return []int{1, 3, 7, 9}[i%4] }))
	return last[len(last)-1] == s[8]
}

// slowABN reckons the two leading check digits from the other nine.
func slowABN(s string) bool {
	if !matches("[1-9][0-9]{10}")(s) {
		return false
	}
	rest := -sum(s[2:], func(i int) int { return 3 + 2*i }) - 1
	return strconv.Itoa(11+((rest%89)+89)%89) == s[:2]
}

// slowAadhaar is Verhoeff by the rule of the dihedral group of ten instead of
// its table, and the permutation applied again and again.
func slowAadhaar(s string) bool {
	if !matches("[2-9][0-9]{11}")(s) {
		return false
	}
	product := func(a, b int) int {
		if a < 5 {
			return (a+b)%5 + b/5*5
		}
		return (a-b+10)%5 + (1-b/5)*5
	}
	permutation := []int{1, 5, 7, 6, 2, 8, 3, 0, 9, 4}
	check := 0
	for i, c := range slices.Backward([]byte(s)) {
		d := int(c - '0')
		for range len(s) - 1 - i {
			d = permutation[d]
		}
		check = product(check, d)
	}
	return check == 0
}

func slowCPF(s string) bool {
	if !matches("[0-9]{11}")(s) {
		return false
	}
	digit := func(n int) string {
		return strconv.Itoa((sum(s[:n], func(i int) int { return n + 1 - i }) * 10) % 11 % 10)
	}
	return digit(9)+digit(10) == s[9:]
}

func slowCNPJ(s string) bool {
	if !matches("[0-9]{14}")(s) {
		return false
	}
	digit := func(n int) string {
		return strconv.Itoa((sum(s[:n], func(i int) int { return (n-1-i)%8 + 2 }) * 10) % 11 % 10)
	}
	return digit(12)+digit(13) == s[12:]
}

// slowVIN writes every letter as its digit and weighs the whole.
func slowVIN(s string) bool {
	if !matches("[A-HJ-NPR-Z0-9]{8}[0-9X][A-HJ-NPR-Z0-9]{5}[0-9]{3}")(s) || matches("[0-9]+|[A-Z]{14}[0-9]*")(s) {
		return false
	}
	digits := strings.NewReplacer("A", "1", "B", "2", "C", "3", "D", "4", "E", "5", "F", "6", "G", "7", "H", "8",
		"J", "1", "K", "2", "L", "3", "M", "4", "N", "5", "P", "7", "R", "9",
		"S", "2", "T", "3", "U", "4", "V", "5", "W", "6", "X", "7", "Y", "8", "Z", "9").Replace(s)
	rest := sum(digits, func(i int) int { return []int{8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2}[i] }) % 11
	return "0123456789X"[rest] == s[8]
}

// slowBitcoin decodes base58 by hand, digit by digit, and takes the polynomial
// of BIP 173 over the expanded prefix.
func slowBitcoin(s string) bool {
	if low := strings.ToLower(s); strings.HasPrefix(low, "bc1") {
		return (s == low || s == strings.ToUpper(s)) && len(s) >= 14 && slowBech32(low)
	}
	if !matches("[13][1-9A-HJ-NP-Za-km-z]{25,34}")(s) {
		return false
	}
	raw := make([]byte, 25)
	for _, c := range s {
		carry := strings.IndexRune(base58, c)
		for i := range slices.Backward(raw) {
			carry += 58 * int(raw[i])
			raw[i], carry = byte(carry), carry>>8
		}
		if carry != 0 {
			return false
		}
	}
	once := sha256.Sum256(raw[:21])
	twice := sha256.Sum256(once[:])
	return slices.Equal(twice[:4], raw[21:])
}

func slowBech32(s string) bool {
	values := []int{3, 3, 0, 2, 3} // "bc" expanded
	for _, c := range s[3:] {
		v := strings.IndexRune("qpzry9x8gf2tvdw0s3jn54khce6mua7l", c)
		if v < 0 {
			return false
		}
		values = append(values, v)
	}
	check := 1
	for _, v := range values {
		top := check >> 25
		check = (check&0x1ffffff)<<5 ^ v
		for i, g := range []int{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
			check ^= g * (top >> i & 1)
		}
	}
	return check == 1 || check == 0x2bc830a3
}
