package detect

import (
	"strings"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/rule"
)

// readLabel parts the words of a label, so that they are read as words: at signs and
// at inner capitals. A placeholder, which in a label has no brackets, is blanked out.
// Back gives for each byte of the reading, and its end, the byte of the label.
func readLabel(label string) (read string, back []int32) {
	var b strings.Builder
	put := func(c byte, at int) {
		b.WriteByte(c)
		back = append(back, int32(at))
	}
	start := true // of a word
	for i := 0; i < len(label); i++ {
		if n := barePlaceholder(label[i:]); start && n > 0 {
			for k := range n {
				put(' ', i+k)
			}
			i, start = i+n-1, false
			continue
		}
		c := label[i]
		start = partsLabel(label, i)
		switch {
		case start:
			c = ' '
		case i > 0 && small(label[i-1]) && c >= 'A' && c <= 'Z':
			put(' ', i)
		}
		put(c, i)
	}
	return b.String(), append(back, int32(len(label)))
}

// partsLabel reports whether the sign at i parts two words. A full stop between
// digits does not.
func partsLabel(label string, i int) bool {
	switch label[i] {
	case '_', '-':
		return true
	case '.':
		return i == 0 || i+1 == len(label) || !isDigit(label[i-1]) || !isDigit(label[i+1])
	}
	return false
}

func small(c byte) bool { return c >= 'a' && c <= 'z' || c >= utf8.RuneSelf }

// barePlaceholder is the length of the placeholder without brackets that a label
// starts with, or 0: CASE_REF_2.
func barePlaceholder(label string) int {
	for n := min(len(label), 20); n > 2; n-- {
		if (n == len(label) || strings.IndexByte("_-. ", label[n]) >= 0) && lex.PlaceholderAt("["+label[:n]+"]") > 0 {
			return n
		}
	}
	return 0
}

// Place gives the code points of the original text that bytes of the reading stand for.
func (x *Sheet) Place(from, to int) (start, end int) {
	if x.origin != nil {
		from, to = int(x.origin[from]), int(x.origin[to-1])+1
	}
	return x.Text.Span(from, to)
}

// labelNames reads every word of a label as if it had a capital, which names in labels
// have lost: a given name and a surname side by side, and surnames that mean nothing
// else.
func (x *Sheet) labelNames() {
	words := make([]lex.Token, len(x.tok))
	for i, t := range x.tok {
		if t.Kind == lex.Letters && t.Case == lex.Lower {
			t.Case = lex.Capital
		}
		words[i] = t
	}
	for _, m := range rule.Default().Matches(x.Field, words) {
		if m.Rule.Says == Name {
			x.putLabel(m.From, m.To, !x.ordinary(m.From) || !x.ordinary(m.To-1))
		}
	}
	for i, t := range x.tok {
		switch {
		case t.Kind != lex.Letters || t.Flags&lex.Surname == 0:
		case x.has(i+1, lex.Given) && (x.nameOnly(i) || x.nameOnly(i+1)):
			x.putLabel(i, i+2, false)
		case x.nameOnly(i) || x.against(i-1) || x.against(i+1):
			x.putLabel(i, i+1, false)
		}
	}
}

// putLabel takes words of a label as a name, unless all of them are taken.
func (x *Sheet) putLabel(from, to int, sure bool) {
	for i := from; i < to; i++ {
		if sure || !x.covered[x.tok[i].From] {
			x.put(Span{From: x.tok[from].From, To: x.tok[to-1].To, Type: Name, Rule: "label", Score: 0.9, Sure: sure})
			return
		}
	}
}

// ordinary reports whether word i is one of any language, rather than one that the
// list of a single language has beside a name.
func (x *Sheet) ordinary(i int) bool { return x.has(i, lex.Anywhere) }

// shortName is how many bytes a word has at most that is rather the sign of an
// organisation than a surname: ira, coop.
const shortName = 4

// nameOnly reports whether word i is hardly anything but a name.
func (x *Sheet) nameOnly(i int) bool {
	const other = lex.Anywhere | lex.OrgWord | lex.Law | lex.LawWord | lex.Month | lex.Phrase | lex.Medicine | lex.Role | lex.Keep | lex.Cues
	return !x.has(i, other) && (!x.has(i, lex.Org) || len(x.word(i)) > shortName)
}

// against reports whether word i stands between the parties of a case: v, vs.
func (x *Sheet) against(i int) bool {
	w := strings.ToLower(x.word(i))
	return w == "v" || w == "vs"
}
