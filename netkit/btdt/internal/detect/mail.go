package detect

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

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

// shortestHandle is how many characters a user name has behind its at sign at least.
const shortestHandle = 3

// handle takes the user name behind an at sign that starts a word: @jane_roe.
func (x *Sheet) handle(at int) {
	if before, _ := utf8.DecodeLastRuneInString(x.s[:at]); at > 0 && mailRune(before) || x.taken(at, at+1) {
		return
	}
	to := at + 1
	for to < len(x.s) && (x.letterAt(to) || x.s[to] == '_' || x.s[to] == '.') {
		to++
	}
	for to > at && x.s[to-1] == '.' {
		to--
	}
	if to-at > shortestHandle && !isDigit(x.s[at+1]) {
		x.add(at, to, OtherID, "handle", 0.95)
	}
}
