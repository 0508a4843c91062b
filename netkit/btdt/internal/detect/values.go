package detect

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// value reads a code that starts at token i: groups of letters and digits with
// -, /, . or _ between, and further groups behind single spaces as long as they
// look like the same code. It returns the byte behind it, or 0.
func (x *Sheet) value(i int, c cue) int {
	at := x.tok[i].From
	if x.is(i, "(") && x.letterAt(at+1) {
		at++
	}
	to, ok := x.codeGroup(at)
	if !ok {
		if to = x.heads(at, to); to == 0 {
			return 0
		}
	}
	for to+1 < len(x.s) {
		gap := x.gap(to)
		if gap == 0 {
			break
		}
		next, digits := x.codeGroup(to + gap)
		if next == 0 || !x.continues(x.s[to+gap:next], at, to, next, gap, digits, c) {
			break
		}
		to = next
	}
	return to
}

// heads reads the groups of letters alone that a code may start with (KH 2023,
// I ACa 442/36, QQ 12 34 56) and the group with digits behind them, and returns
// where that ends.
func (x *Sheet) heads(at, to int) int {
	for range 3 {
		if to == 0 || !x.head(at, to) {
			return 0
		}
		next := to
		if next < len(x.s) && (x.s[next] == '#' || x.s[next] == '/' || x.s[next] == '.' && to-at <= 3) {
			next++
		}
		if next >= len(x.s) || x.s[next] != ' ' {
			return 0
		}
		next++
		end, digit := x.codeGroup(next)
		if end == 0 {
			return 0
		}
		if digit {
			group := x.s[next:end]
			if strings.Contains(group, ":") || to-at > 4 && digitsIn(group) < 3 || !isDigit(group[0]) && digitsIn(group) < 3 || x.countedThing(end) && digitsIn(group) < 4 {
				return 0
			}
			return end
		}
		at, to = next, end
	}
	return 0
}

// head tells whether a part is capitals or a register sign of a court, such as
// ACa or Km.
func (x *Sheet) head(at, to int) bool {
	text := x.s[at:to]
	if capitals(text) {
		return len(text) <= 6 || len(text) <= 12 && strings.Contains(text, "-")
	}
	if strings.Contains(text, "-") && len(text) <= 12 && text[0] >= 'A' && text[0] <= 'Z' && to < len(x.s) && x.s[to] == ' ' && x.courtNumber(to+1) {
		return true // SteglZ-Wo 4/118-23
	}
	return len(text) <= 4 && to < len(x.s) && x.s[to] == ' ' && text[0] >= 'A' && text[0] <= 'Z' && x.courtNumber(to+1)
}

// gap is the length of what may stand between two groups of a code: a space, or
// a sign with a space on either side.
func (x *Sheet) gap(to int) int {
	switch {
	case x.s[to] == ')' && x.s[to+1] == ' ' && to > 2 && (x.s[to-3] == '(' || x.s[to-2] == '('):
		return 2 // (00) 259 0077
	case x.s[to] != ' ':
		return 0
	case to+3 < len(x.s) && (x.s[to+1] == '-' || x.s[to+1] == '/') && x.s[to+2] == ' ':
		return 3
	}
	return 1
}

// continues tells whether a group behind a space belongs to the code before it,
// which started at a byte.
func (x *Sheet) continues(group string, at, to, next, gap int, digits bool, c cue) bool {
	n := digitsIn(group)
	switch {
	case gap == 3:
		return c.strong && n >= 3 && isDigit(group[0]) && isDigit(x.s[to-1]) && !isYear(group) && !x.countedThing(next) && !x.isDate(to+gap, next)
	case !digits: // letters alone: 12 C 345/23k, LK51 XYZ
		return x.continuesInLetters(group, at, to, next, c)
	case n == len(group): // digits alone
		have := digitsIn(x.begun(at, to))
		before := isDigit(x.s[to-1]) || x.capsGroupEnds(to) || n >= 3 && upperOrDigit(x.begun(at, to)) && have > 0
		short := n <= 2 && x.wordFollows(next) && have < 8 && !(n == 2 && (have >= 6 || (c.strong || c.kind == Vehicle && x.capsGroupEnds(to)) && have >= 4))
		year := n == 4 && isYear(group) && !isDigitEnd(x.s[:to], 3) && !(have >= 8 && x.digitsFollow(next))
		return before && !year && !x.countedThing(next) && !short
	}
	return n*2 >= len(group) || upperOrDigit(group) && !x.isDate(to+1, next)
}

// begun is the start of a code, long enough to tell its form. Rows of groups go on
// without an end, and each of them asks.
func (x *Sheet) begun(at, to int) string { return x.s[at:min(to, at+64)] }

// digitsFollow tells whether a space and three digits stand at a byte.
func (x *Sheet) digitsFollow(at int) bool {
	return at+3 < len(x.s) && x.s[at] == ' ' && isDigitEnd(x.s[:at+4], 3)
}

func (x *Sheet) continuesInLetters(group string, at, to, next int, c cue) bool {
	if len(group) <= 4 && next+2 < len(x.s) && x.s[next] == ' ' && x.courtNumber(next+1) && x.head(to+1, next) {
		return true
	}
	if len(group) == 2 && upper(group) && digitsIn(x.begun(at, to)) >= 9 && upper(x.s[at:at+2]) {
		return true // RR 041 877 120 PT, as posts number what they carry; PT 0002 0000 4488 1277 XY of a meter
	}
	if c.strong && len(group) > 3 && len(group) <= 6 && upper(group) && x.digitsFollow(next) && isDigit(x.s[at]) {
		return true // 81 0415 ABFCR 003
	}
	if len(group) > 3 || !upper(group) || group == "I" || isUnitWord(group) || c.kind != Vehicle && oneOf(group, currencies) {
		return false
	}
	if !x.wordFollows(next) || c.kind == Vehicle || len(group) == 1 && digitsIn(x.begun(at, to)) >= 8 && !strings.Contains("AEIOUY", group) {
		return true
	}
	return c.strong && !strings.ContainsAny(group, "AEIOUY") // no word
}

// courtNumber tells whether 345/23 or 345/2023 stands at a byte, perhaps behind
// another register sign.
func (x *Sheet) courtNumber(at int) bool {
	to, ok := x.codeGroup(at)
	if !ok && to > 0 && to-at <= 4 && to < len(x.s) && x.s[to] == ' ' {
		at = to + 1
		to, ok = x.codeGroup(at)
	}
	if !ok {
		return false
	}
	a, b, cut := strings.Cut(x.s[at:to], "/")
	if !cut {
		a, b, cut = strings.Cut(x.s[at:to], "-")
	}
	return cut && digitsIn(a) == len(a) && digitsIn(b) >= 2 && isDigit(b[0])
}

// capsGroupEnds tells whether a short group of capitals ends at a byte, as NYL in
// "NYL 33 819 204".
func (x *Sheet) capsGroupEnds(to int) bool {
	i := to
	for i > 0 && x.s[i-1] >= 'A' && x.s[i-1] <= 'Z' {
		i--
	}
	return i < to && to-i <= 4 && (i == 0 || !x.letterAt(i-1))
}

func isDigitEnd(s string, n int) bool {
	for i := len(s) - 1; i >= 0 && n > 0; i, n = i-1, n-1 {
		if !isDigit(s[i]) {
			return false
		}
	}
	return n == 0
}

// codeGroup reads one group without spaces from a byte; ok tells whether it
// holds a digit. A group of prose (small letters without a digit) is none.
func (x *Sheet) codeGroup(i int) (to int, ok bool) {
	start, digit := i, false
	if i < len(x.s) && x.s[i] == '#' {
		i++
	}
	for i < len(x.s) {
		c := x.s[i]
		switch {
		case isDigit(c):
			digit = true
		case x.letterAt(i):
		case strings.IndexByte("-/._:+*#&", c) >= 0 && i > start && x.letterAt(i+1) && (c != ':' || isDigit(x.s[i+1])):
		case c == '/' && i > start && i+2 < len(x.s) && x.s[i+1] == '/' && x.letterAt(i+2):
			i++
		case c == '*' || c == '-' && i+1 < len(x.s) && x.s[i+1] == '-':
		case x.foreignAt(i):
			return 0, false // a word with other letters
		default:
			return ended(start, i, digit)
		}
		i++
	}
	return ended(start, i, digit)
}

// foreignAt tells whether a letter beyond ASCII starts at a byte.
func (x *Sheet) foreignAt(i int) bool {
	if i < 0 || i >= len(x.s) || x.s[i] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRuneInString(x.s[i:])
	return letterRune(r)
}

// foreignBefore tells whether a letter beyond ASCII ends at a byte.
func (x *Sheet) foreignBefore(i int) bool {
	if i <= 0 || i > len(x.s) || x.s[i-1] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(x.s[:i])
	return letterRune(r)
}

// letterRune leaves out the signs of number words, which Unicode calls letters.
func letterRune(r rune) bool { return unicode.IsLetter(r) && r != 'º' && r != 'ª' }

func ended(start, i int, digit bool) (int, bool) {
	if i == start {
		return 0, false
	}
	return i, digit
}

// capitals tells whether a text is capitals, perhaps with a sign between: AWP-IT, B&B.
func capitals(s string) bool {
	for i := range len(s) {
		if (s[i] < 'A' || s[i] > 'Z') && s[i] != '-' && s[i] != '/' && s[i] != '&' {
			return false
		}
	}
	return s != "" && s[0] >= 'A'
}

func upper(s string) bool {
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return s != ""
}

func upperOrDigit(s string) bool {
	for i := range len(s) {
		if s[i] >= 'a' && s[i] <= 'z' {
			return false
		}
	}
	return s != ""
}
