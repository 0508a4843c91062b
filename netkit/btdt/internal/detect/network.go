package detect

import (
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/btdt/internal/ident"
	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// network finds mail addresses, links that carry secrets, and addresses of
// machines. Each starts from a sign that is rare in prose.
func (x *Sheet) network() {
	for i := 0; i < len(x.s); i++ {
		switch x.s[i] {
		case '@':
			x.mail(i, i+1)
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

func mailRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._%+-'", r)
}

// mail takes the words around an at sign that ends at after.
func (x *Sheet) mail(at, after int) {
	from := x.back(at, mailRune)
	if from == at && at > 1 && x.s[at-1] == ' ' {
		from = x.back(at-1, mailRune)
	}
	for from < at && strings.IndexByte(".'-", x.s[from]) >= 0 {
		from++
	}
	if after < len(x.s) && x.s[after] == ' ' {
		after++
	}
	to, dots := x.domain(after)
	if from >= at || dots == 0 || digitsIn(x.s[to-1:to]) > 0 {
		return
	}
	x.add(from, to, Email, "email", 1)
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

// domain reads labels with dots between them, also written (dot) or [dot], and
// counts the dots; the last label needs two letters.
func (x *Sheet) domain(i int) (end, dots int) {
	end = i
	for {
		start := i
		for i < len(x.s) {
			r, n := utf8.DecodeRuneInString(x.s[i:])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' {
				break
			}
			i += n
		}
		if i == start {
			return end, dots
		}
		label := x.s[start:i]
		if dots > 0 && utf8.RuneCountInString(label) < 2 {
			return end, dots - 1
		}
		end = i
		n := dot(x.s[i:])
		if n == 0 {
			return end, dots
		}
		next, _ := utf8.DecodeRuneInString(x.s[i+n:])
		if !unicode.IsLetter(next) && !unicode.IsDigit(next) {
			return end, dots
		}
		i += n
		dots++
	}
}

// dot is the length of a dot at the start of s, plain or spelled in brackets.
func dot(s string) int {
	if strings.HasPrefix(s, ".") {
		return 1
	}
	return spelled(s, "dot", "punkt", "point", "punto", "ponto", "punt", "kropka")
}

// spelled is the length of a word in brackets at the start of s, with spaces
// around them, as in " [at] ".
func spelled(s string, words ...string) int {
	i := 0
	if strings.HasPrefix(s, " ") {
		i++
	}
	if i >= len(s) || strings.IndexByte("([{", s[i]) < 0 {
		return 0
	}
	i++
	if i < len(s) && s[i] == ' ' {
		i++
	}
	for _, w := range words {
		if len(s) >= i+len(w) && strings.EqualFold(s[i:i+len(w)], w) {
			j := i + len(w)
			if j < len(s) && s[j] == ' ' {
				j++
			}
			if j < len(s) && strings.IndexByte(")]}", s[j]) >= 0 {
				j++
				if j < len(s) && s[j] == ' ' {
					j++
				}
				return j
			}
		}
	}
	return 0
}

func (x *Sheet) hiddenMail(i int) {
	if n := spelled(x.s[i:], "at", "@", "ät", "arroba", "chiocciola", "arobase", "apenstaartje", "małpa"); n > 0 {
		at := i
		if at > 0 && x.s[at-1] == ' ' {
			at--
		}
		x.mail(at, i+n)
	}
}

// link reads a link around i, the place of "://" or of the dot after www, and
// marks it when it carries what belongs to one person. It returns where the
// link ends.
func (x *Sheet) link(i int) int {
	from := x.back(i, func(r rune) bool { return unicode.IsLetter(r) || r == '+' })
	to := i
	for to < len(x.s) {
		c := x.s[to]
		if c <= ' ' || strings.IndexByte(`"<>|\^{}`+"`", c) >= 0 {
			break
		}
		to++
	}
	for to > i && strings.IndexByte(".,;:!?)]'", x.s[to-1]) >= 0 {
		to--
	}
	if url := x.s[from:to]; len(url) > 4 && personalLink(url) {
		x.add(from, to, Network, "link", 1)
	} else if len(url) > 4 {
		x.holdHost(i, to)
	}
	return max(i, to-1)
}

// holdHost holds the words of the host whose link goes from byte i to byte to.
func (x *Sheet) holdHost(i, to int) {
	for i < to && strings.IndexByte(":/.", x.s[i]) >= 0 {
		i++
	}
	if slash := strings.IndexByte(x.s[i:to], '/'); slash >= 0 {
		to = i + slash
	}
	for k := x.at(i); k < len(x.tok) && x.tok[k].From < to; k++ {
		x.held[k] = true
	}
}

// personalLink tells a link to a page from one that opens somebody's case:
// credentials before a host, values after a question mark, long numbers or
// random words in its path.
func personalLink(url string) bool {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		rest = url
	}
	host, path, _ := strings.Cut(rest, "/")
	if strings.Contains(host, "@") {
		return true
	}
	path, query, asks := strings.Cut(path, "?")
	path, fragment, _ := strings.Cut(path, "#")
	if asks && strings.Contains(query, "=") && personalQuery(query) {
		return true
	}
	for part := range strings.FieldsFuncSeq(path+"/"+fragment, func(r rune) bool { return strings.ContainsRune("/-_.=&", r) }) {
		if digitsIn(part) >= 5 || len(part) >= 16 && digitsIn(part) >= 2 {
			return true
		}
	}
	return strings.Contains(host, ":") && digitsIn(host) > 8
}

// personalQuery looks at the values after a question mark: choices of language
// or page are words or small numbers.
func personalQuery(query string) bool {
	for pair := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
		key, value, _ := strings.Cut(strings.ToLower(pair), "=")
		if value == "" || lex.Of(lex.Key(key))&lex.LinkKey != 0 || strings.HasPrefix(key, "utm_") {
			continue
		}
		if len(value) >= 4 || digitsIn(value) > 0 && len(key) > 1 {
			return true
		}
	}
	return false
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
