package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// A number is long when it has minDigits digits, and a code of letters and digits
// when it has minMixed. Long ones go unless the tagger is sure that they stay.
const (
	minDigits  = 7
	minMixed   = 5
	sureToStay = 80 // the margin of what stays, in the measure of stored weights
)

// codes takes long numbers and codes that nothing announces.
func (x *Sheet) codes() {
	for i := 0; i < len(x.tok); {
		j := x.codeEnd(i)
		if j > i && !x.taken(x.tok[i].From, x.tok[j-1].To) && x.special(i, j) && !x.stays(i, j) {
			x.add(x.tok[i].From, x.tok[j-1].To, x.codeType(i, j), "long_code", 0.7)
		}
		i = max(i+1, j)
	}
}

// codeEnd is the token behind a code that starts at token i: groups with signs
// between, and groups of digits alone behind single spaces.
func (x *Sheet) codeEnd(i int) int {
	if !x.codePart(i) {
		return i
	}
	j := i + 1
	for j < len(x.tok) {
		switch {
		case x.codePart(j) && (!x.tok[j].Space || x.tok[j].Kind == lex.Digits && x.tok[j-1].Kind == lex.Digits):
			j++
		case x.is(j, "-/._") && !x.tok[j].Space && j+1 < len(x.tok) && !x.tok[j+1].Space && x.codePart(j+1):
			j += 2
		default:
			return j
		}
	}
	return j
}

func (x *Sheet) codePart(i int) bool {
	t := &x.tok[i]
	return t.Date == lex.NoDate && (t.Kind == lex.Digits || t.Kind == lex.Mixed || t.Kind == lex.Letters && t.Case == lex.Caps && i+1 < len(x.tok) && !x.tok[i+1].Space)
}

// special reports whether a code is too long to be a count, a sum or a year.
func (x *Sheet) special(i, j int) bool {
	text := x.s[x.tok[i].From:x.tok[j-1].To]
	n := digitsIn(text)
	if strings.ContainsFunc(text, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }) {
		return n >= minMixed
	}
	return n >= minDigits && !isAmount(text)
}

// isAmount reports whether a number is written as sums and counts are, in groups of
// three.
func isAmount(s string) bool {
	groups := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '.' })
	for i, g := range groups {
		if i == 0 && (len(g) > 3 || len(groups) == 1) || i > 0 && len(g) != 3 {
			return false
		}
	}
	return true
}

// stays reports whether the tagger is sure of a code that it stays: a sum, a form, a
// place in a law.
func (x *Sheet) stays(i, j int) bool {
	for k := i; k < j; k++ {
		m := max(x.margins[k][tag.Number], x.margins[k][tag.Law])
		if x.tok[k].Kind != lex.Sign && !x.held[k] && m < sureToStay {
			return false
		}
	}
	return true
}

// codeType is the type of numbers that the tagger finds likeliest.
func (x *Sheet) codeType(i, j int) string {
	best, top := tag.OtherID, x.margins[i][tag.OtherID]
	for k := i; k < j; k++ {
		for l := tag.CaseRef; l <= tag.Financial; l++ {
			if m := x.margins[k][l]; l != tag.DOB && m > top+20 {
				best, top = l, m
			}
		}
	}
	return best.Type()
}
