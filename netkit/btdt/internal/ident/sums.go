// Package ident knows identifiers by their form and check digits. Every function
// takes the bare form (letters and digits alone, capitals) and says whether it
// can be such an identifier. None of them knows who holds it.
package ident

// digit is the value of an ASCII digit.
func digit(c byte) int { return int(c - '0') }

// Digits tells whether s is digits alone.
func Digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// form compares s with a pattern of the same length: 9 a digit, A a letter,
// N either, anything else itself.
func form(s, pattern string) bool {
	if len(s) != len(pattern) {
		return false
	}
	for i := range len(s) {
		c, number := s[i], s[i] >= '0' && s[i] <= '9'
		letter := c >= 'A' && c <= 'Z'
		switch pattern[i] {
		case '9':
			if !number {
				return false
			}
		case 'A':
			if !letter {
				return false
			}
		case 'N':
			if !number && !letter {
				return false
			}
		default:
			if c != pattern[i] {
				return false
			}
		}
	}
	return true
}

// same tells whether s repeats one character, as test numbers and rules do.
func same(s string) bool {
	for i := 1; i < len(s); i++ {
		if s[i] != s[0] {
			return false
		}
	}
	return true
}

// luhn is the check of ISO/IEC 7812-1, from the right, every second doubled.
func luhn(s string) bool {
	sum := 0
	for i := range len(s) {
		d := digit(s[len(s)-1-i])
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// weighted sums digits times weights from the left.
func weighted(s string, weights ...int) int {
	sum := 0
	for i, w := range weights {
		sum += digit(s[i]) * w
	}
	return sum
}

// mod reduces a number of any length.
func mod(s string, m int) int {
	r := 0
	for i := range len(s) {
		r = (r*10 + digit(s[i])) % m
	}
	return r
}

// mod97 reduces letters and digits as ISO/IEC 7064 does for an IBAN: A is 10.
func mod97(s string) int {
	r := 0
	for i := range len(s) {
		if c := s[i]; c >= 'A' {
			r = (r*100 + int(c-'A') + 10) % 97
		} else {
			r = (r*10 + digit(c)) % 97
		}
	}
	return r
}

// mod1110 is ISO/IEC 7064 MOD 11,10, the pure system of the German tax number.
func mod1110(s string) bool {
	product := 10
	for i := range len(s) - 1 {
		sum := (digit(s[i]) + product) % 10
		if sum == 0 {
			sum = 10
		}
		product = sum * 2 % 11
	}
	return (11-product)%10 == digit(s[len(s)-1])
}

var (
	verhoeffMul = [10][10]byte{
		{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4, 0, 6, 7, 8, 9, 5}, {2, 3, 4, 0, 1, 7, 8, 9, 5, 6},
		{3, 4, 0, 1, 2, 8, 9, 5, 6, 7}, {4, 0, 1, 2, 3, 9, 5, 6, 7, 8}, {5, 9, 8, 7, 6, 0, 4, 3, 2, 1},
		{6, 5, 9, 8, 7, 1, 0, 4, 3, 2}, {7, 6, 5, 9, 8, 2, 1, 0, 4, 3}, {8, 7, 6, 5, 9, 3, 2, 1, 0, 4},
		{9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
	}
	verhoeffPerm = [8][10]byte{
		{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 5, 7, 6, 2, 8, 3, 0, 9, 4}, {5, 8, 0, 3, 7, 9, 6, 1, 4, 2},
		{8, 9, 1, 6, 0, 4, 3, 5, 2, 7}, {9, 4, 5, 3, 1, 2, 6, 8, 7, 0}, {4, 2, 8, 6, 5, 7, 3, 9, 0, 1},
		{2, 7, 9, 3, 8, 0, 6, 4, 1, 5}, {7, 0, 4, 6, 9, 1, 3, 2, 5, 8},
	}
)

// verhoeff is the check of Verhoeff, 1969, over the dihedral group.
func verhoeff(s string) bool {
	c := byte(0)
	for i := range len(s) {
		c = verhoeffMul[c][verhoeffPerm[i%8][digit(s[len(s)-1-i])]]
	}
	return c == 0
}
