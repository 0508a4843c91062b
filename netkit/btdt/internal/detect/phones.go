package detect

import (
	"strings"
	"unicode"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// phones takes telephone numbers that their form tells; the tagger finds others.
func (x *Sheet) phones() {
	for i := 0; i < len(x.s); i++ {
		if i = x.past(i); i == len(x.s) {
			return
		}
		c := x.s[i]
		if !isDigit(c) && c != '+' && c != '(' || x.letterAt(i-1) {
			continue
		}
		to, digits := x.phoneRun(i)
		if digits >= 6 && digits <= 15 && !x.letterAt(to) && !x.taken(i, to) && x.isPhone(i, to, digits) {
			x.add(i, to, Phone, "phone", 0.95)
		}
		i = max(i, to-1)
	}
}

// past is the byte behind the placeholders that start at byte i: their numbers are
// nobody's.
func (x *Sheet) past(i int) int {
	for n := lex.PlaceholderAt(x.s[i:]); n > 0; n = lex.PlaceholderAt(x.s[i:]) {
		i += n
	}
	return i
}

// phoneRun reads digits with spaces, dots, dashes, slashes and brackets between.
func (x *Sheet) phoneRun(from int) (to, digits int) {
	gap := 0
	for i := from; i < len(x.s) && i-from < 32; i++ {
		switch c := x.s[i]; {
		case isDigit(c):
			digits++
			gap, to = 0, i+1
		case c == '+' && i == from || c == '(' && (i == from || digits > 0 && digits < 5 || x.s[from] == '+'), strings.IndexByte(" -./)", c) >= 0:
			gap++
		default:
			return to, digits
		}
		if gap > 3 {
			break
		}
	}
	return to, digits
}

// isPhone decides by the way of writing and the words before it.
func (x *Sheet) isPhone(from, to, digits int) bool {
	text, first := x.s[from:to], x.at(from)
	switch {
	case publicLine(text), x.tok[first].Date != lex.NoDate, x.held[first]:
		return false
	case text[0] == '+':
		return digits >= 7
	case text[0] == '(':
		return strings.Contains(text, ")") && digits >= 7 && digits <= 12
	case grouped334(text), strings.HasPrefix(text, "00") && digits >= 10:
		return true
	case text[0] == '0' && digits >= 8 && len(text) > digits && !strings.Contains(text, "-0"):
		return true
	}
	return x.cued(first, lex.PhoneCue) && digits >= 6 && digits <= 12 && !isAmount(text)
}

// publicLine reports whether nobody in private has such a number: free lines and
// those of firms and offices.
func publicLine(text string) bool {
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
	if strings.Contains(digits, "555") || strings.ContainsFunc(text, unicode.IsLetter) {
		return false // made up for films and examples, or no telephone number
	}
	if len(digits) == 11 && digits[0] == '1' {
		digits = digits[1:]
		return strings.Contains(" 800 833 844 855 866 877 888 ", " "+digits[:3]+" ")
	}
	for _, head := range []string{"0800", "0808", "0300", "0303", "0330", "0333", "0343", "0344", "0345", "0370", "0371", "0810", "1800", "1300", "0818"} {
		if strings.HasPrefix(digits, head) {
			return len(digits) >= 8
		}
	}
	return len(digits) == 10 && strings.Contains(" 800 833 844 855 866 877 888 ", " "+digits[:3]+" ") || len(digits) == 9 && strings.Contains(" 800 801 808 900 ", " "+digits[:3]+" ")
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

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// cued reports whether a word of some classes stands within eight words before
// token i or six behind it.
func (x *Sheet) cued(i int, classes lex.Flags) bool {
	for j := max(0, i-8); j < min(len(x.tok), i+7); j++ {
		if j != i && x.tok[j].Flags&classes != 0 {
			return true
		}
	}
	return false
}
