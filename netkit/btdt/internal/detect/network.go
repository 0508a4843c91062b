package detect

import (
	"strings"
	"unicode/utf8"
)

// network finds mail addresses, links that carry secrets, and addresses of
// machines. Each starts from a sign that is rare in prose.
func (x *Sheet) network() {
	for i := 0; i < len(x.s); i++ {
		switch x.s[i] {
		case '@':
			x.mail(i, i+1)
			x.handle(i)
		case '(', '[', '{':
			x.hiddenMail(i)
		case ':':
			if strings.HasPrefix(x.s[i:], "://") {
				i = x.link(i)
			} else {
				x.machine(i)
			}
		case '.':
			x.ipv4(i)
			if i >= 3 && strings.EqualFold(x.s[i-3:i], "www") {
				i = x.link(i)
			}
		}
	}
	x.hex()
}

// back walks from i to the left over runes of a kind, at most 128 bytes.
func (x *Sheet) back(i int, ok func(rune) bool) int {
	stop := max(0, i-128)
	for i > stop {
		r, n := utf8.DecodeLastRuneInString(x.s[:i])
		if !ok(r) {
			break
		}
		i -= n
	}
	return i
}

func digitsIn(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			n++
		}
	}
	return n
}
