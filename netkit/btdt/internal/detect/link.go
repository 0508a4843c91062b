package detect

import (
	"strings"
	"unicode"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

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
