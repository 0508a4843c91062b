package detect

import (
	"net/netip"
	"strings"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/btdt/internal/ident"
)

func addressByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' || c == ':' || c == '.'
}

// bytesBefore walks from i to the left over bytes of a kind, at most so many.
func (x *Sheet) bytesBefore(i, most int, ok func(byte) bool) int {
	for stop := max(0, i-most); i > stop && ok(x.s[i-1]); {
		i--
	}
	return i
}

// bytesFrom walks from i to the right over bytes of a kind, at most so many.
func (x *Sheet) bytesFrom(i, most int, ok func(byte) bool) int {
	for stop := min(len(x.s), i+most); i < stop && ok(x.s[i]); {
		i++
	}
	return i
}

// machine takes what surrounds a colon as an IPv6 or a MAC address.
func (x *Sheet) machine(i int) {
	from, to := x.bytesBefore(i, 48, addressByte), x.bytesFrom(i, 48, addressByte)
	for to-from > 1 && (x.s[to-1] == '.' || x.s[to-1] == ':' && x.s[to-2] != ':') {
		to--
	}
	if to-from < 4 || x.letterAt(from-1) || x.letterAt(to) || x.taken(from, to) {
		return
	}
	part := x.s[from:to]
	switch a, err := netip.ParseAddr(part); {
	case strings.Count(part, ":") == 5 && len(part) == 17 && strings.IndexByte(part, '.') < 0:
		x.add(from, to, Network, "mac", 1)
	case err == nil && a.Is6():
		x.add(from, to, Network, "ipv6", 1)
	}
}

func (x *Sheet) letterAt(i int) bool {
	return i >= 0 && i < len(x.s) && (x.s[i]|0x20 >= 'a' && x.s[i]|0x20 <= 'z' || x.s[i] >= '0' && x.s[i] <= '9')
}

// ipv4 takes what surrounds the first dot of four numbers; a port or a mask may
// follow.
func (x *Sheet) ipv4(i int) {
	from := x.bytesBefore(i, 4, isDigit)
	if from == i || x.letterAt(from-1) || from > 0 && x.s[from-1] == '.' {
		return
	}
	dots := 0
	to := x.bytesFrom(i, 20, func(c byte) bool {
		if c == '.' {
			dots++
		}
		return isDigit(c) || c == '.' && dots < 5
	})
	if x.s[to-1] == '.' {
		to--
	}
	if _, err := netip.ParseAddr(x.s[from:to]); err == nil && !x.letterAt(to) && !x.held[x.at(from)] {
		x.add(from, to, Network, "ipv4", 1)
	}
}

// hex finds addresses of coins, identifiers of 128 bits and MAC addresses with
// dashes, all of them words of at least 12 letters and digits.
func (x *Sheet) hex() {
	for i := range x.tok {
		from, to := x.tok[i].From, x.tok[i].To
		if to-from < 2 || x.s[from] >= utf8.RuneSelf {
			continue
		}
		for to < len(x.s) && (x.letterAt(to) || x.s[to] == '-' && x.letterAt(to+1)) && to-from < 100 {
			to++
		}
		if to-from < 12 || digitsIn(x.s[from:to]) == 0 || x.letterAt(from-1) {
			continue
		}
		if kind, rule, score := longWord(x.s[from:to]); kind != "" {
			x.add(from, to, kind, rule, score)
		}
	}
}

// longWord tells what a long word of letters and digits is, "" for nothing.
func longWord(word string) (kind, rule string, score float64) {
	switch {
	case ident.Bitcoin(word):
		return Financial, "bitcoin", 1
	case ident.Ethereum(word):
		return Financial, "ethereum", 1
	case macDashes(word):
		return Network, "mac", 1
	case len(word) == 36 && strings.Count(word, "-") == 4 && hexOnly(word):
		return OtherID, "uuid", 1
	case len(word) >= 20 && digitsIn(word) >= 3 && !strings.Contains(word, "-"):
		return OtherID, "random_word", 0.9
	}
	return "", "", 0
}

func macDashes(s string) bool {
	if len(s) != 17 || !hexOnly(s) {
		return false
	}
	for i := 2; i < 17; i += 3 {
		if s[i] != '-' {
			return false
		}
	}
	return true
}

func hexOnly(s string) bool {
	for i := range len(s) {
		if !addressByte(s[i]) && s[i] != '-' || s[i] == ':' || s[i] == '.' {
			return false
		}
	}
	return true
}
