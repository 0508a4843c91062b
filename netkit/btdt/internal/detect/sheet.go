// Package detect finds in the texts of a playbook what identifies a person. It is
// one pass of four parts: the text is folded and split into words (lex); numbers
// with a form or check digits of their own are taken (ident); the tagger labels the
// words (tag), over features that the rows of rule are among; and what was found
// as a name anywhere is taken everywhere (Memory).
package detect

import (
	"slices"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// Span is a part of a text that must go. Offsets are bytes of the folded text.
type Span struct {
	From, To int
	Type     string
	Rule     string  // the form, the row, "tagger" or "memory"
	Score    float64 // confidence, 0 to 1
	Sure     bool    // masked without a question
	Drop     bool    // nothing takes its place: a role stands beside it
	here     bool    // marked by the author for this place only
	foreign  bool    // found by a detector outside of this package
}

// Types of what is found.
const (
	Name       = "NAME"
	CaseRef    = "CASE_REF"
	PolicyRef  = "POLICY_REF"
	Account    = "ACCOUNT"
	Medical    = "MEDICAL"
	Email      = "EMAIL"
	Phone      = "PHONE"
	Address    = "ADDRESS"
	DOB        = "DOB"
	NationalID = "NATIONAL_ID"
	Financial  = "FINANCIAL"
	Vehicle    = "VEHICLE"
	Network    = "NETWORK"
	OtherID    = "OTHER_ID"
)

// Sheet is a text being read: its tokens and what was found.
type Sheet struct {
	Field string
	Text  lex.Text
	// FormsOnly makes Find look for nothing but what has a form: the language of the
	// text is not known.
	FormsOnly bool

	s       string  // as it is read
	origin  []int32 // of a label: byte of s → byte of Text; nil where both are equal
	tok     []lex.Token
	margins []tag.Scores // of each token, how clearly each label wins
	held    []bool       // of each token, whether a row says that it stays
	ill     bool         // the text tells of an illness or treatment
	spans   []Span
	covered []bool   // of each byte, whether a span holds it
	keeps   [][2]int // bytes that the author keeps
	marks   []Span   // what the author marked
	spared  []Span   // what was found in keeps
}

// NewSheet splits a text of a field, without an index, into words.
func NewSheet(field, text string) *Sheet {
	x := &Sheet{Field: field, Text: lex.Fold(text)}
	x.s = x.Text.S
	if field == "sub_category" {
		x.s, x.origin = readLabel(x.s)
	}
	x.tok = lex.Split(x.s, make([]lex.Token, 0, len(x.s)/5+8))
	x.covered = make([]bool, len(x.s))
	return x
}

// Votes adds what the words of the text tell of its language.
func (x *Sheet) Votes(v *lex.Votes) { v.Count(x.tok) }

// Latin counts the words in small Latin letters and those of them that are known.
func (x *Sheet) Latin() (words, known int) { return lex.Latin(x.s, x.tok) }

// Find finds what the text holds by itself. Around are the languages of the texts
// around it, for one too short to tell its own.
func (x *Sheet) Find(around lex.Flags) {
	if x.Field == "sub_category" {
		around = lex.Languages // a label is often in another language than the text
	}
	lex.Settle(x.tok, around)
	e := tag.NewExtractor(x.s, x.tok, x.Field)
	x.margins = tag.Default().Margins(e)
	x.held = make([]bool, len(x.tok))
	x.takeMarks()
	x.exact(e, true)
	x.network()
	x.identifiers()
	x.phones()
	if !x.FormsOnly {
		x.tagged()
	}
	x.codes()
	if !x.FormsOnly {
		x.exact(e, false)
	}
	if x.Field == "sub_category" {
		x.labelNames()
	}
	x.spare()
}

// Spans gives what was found, in order and without overlap.
func (x *Sheet) Spans() []Span {
	x.spare()
	x.spans = disjoint(x.spans)
	x.contacts()
	return x.spans
}

// exact does what rows decide alone: keep, or take as a type. What the tagger has
// taken is confirmed by a row that says the same.
func (x *Sheet) exact(e *tag.Extractor, keep bool) {
	for _, m := range e.Matches {
		switch {
		case !m.Rule.Exact || keep != (m.Rule.Says == "KEEP"):
		case keep:
			x.hold(m.From, m.To)
		case !x.confirm(x.tok[m.From].From, x.tok[m.To-1].To, m.Rule.Says):
			x.add(x.tok[m.From].From, x.tok[m.To-1].To, m.Rule.Says, m.Rule.Name, 0.9)
		}
	}
}

// Confirmed is the rule of a span that the tagger and a row took alike.
const Confirmed = "tagger+row"

// confirm reports whether the tagger has taken all of a part as the same type, and
// notes that a row says so too.
func (x *Sheet) confirm(from, to int, kind string) bool {
	for k := range x.spans {
		s := &x.spans[k]
		if s.From <= from && to <= s.To && s.Type == kind && (s.Rule == "tagger" || s.Rule == Confirmed) {
			s.Rule = Confirmed
			s.Sure = s.Sure || s.Score >= SureFrom(Confirmed, kind)
			return true
		}
	}
	return false
}

// hold keeps tokens, and the whole of the code that they end in.
func (x *Sheet) hold(from, to int) {
	for ; from < len(x.tok) && (from < to || !x.tok[from].Space && x.tok[from].Kind != lex.Placeholder); from++ {
		x.held[from] = true
	}
}

func (x *Sheet) add(from, to int, kind, rule string, score float64) {
	x.put(Span{From: from, To: to, Type: kind, Rule: rule, Score: score, Sure: score >= SureFrom(rule, kind)})
}

func (x *Sheet) put(s Span) {
	x.spans = append(x.spans, s)
	x.cover(s)
}

func (x *Sheet) cover(s Span) {
	for i := s.From; i < s.To; i++ {
		x.covered[i] = true
	}
}

// taken reports whether something found already touches a part.
func (x *Sheet) taken(from, to int) bool {
	return from < to && slices.Contains(x.covered[max(0, from):min(to, len(x.s))], true)
}

// word is the text of a token, "" outside of the text.
func (x *Sheet) word(i int) string {
	if i < 0 || i >= len(x.tok) {
		return ""
	}
	return x.s[x.tok[i].From:x.tok[i].To]
}

// is reports whether token i is one of some one-byte signs.
func (x *Sheet) is(i int, signs string) bool {
	w := x.word(i)
	return len(w) == 1 && x.tok[i].Kind == lex.Sign && slices.Contains([]byte(signs), w[0])
}

// has reports whether token i exists and is of one of some classes.
func (x *Sheet) has(i int, f lex.Flags) bool {
	return i >= 0 && i < len(x.tok) && x.tok[i].Flags&f != 0
}

// at finds the token that holds or follows a byte.
func (x *Sheet) at(b int) int {
	i, _ := slices.BinarySearchFunc(x.tok, b, func(t lex.Token, b int) int {
		if t.To <= b {
			return -1
		}
		return 1
	})
	return i
}

// disjoint sorts spans by place and joins those that overlap, so that no letter
// of either is left; the surer one names the whole.
func disjoint(spans []Span) []Span {
	slices.SortStableFunc(spans, func(a, b Span) int {
		if a.From != b.From {
			return a.From - b.From
		}
		return b.To - a.To
	})
	kept := spans[:0]
	for _, s := range spans {
		if n := len(kept); n > 0 && s.From < kept[n-1].To {
			last := &kept[n-1]
			if s.Score > last.Score {
				last.Type, last.Rule, last.Score = s.Type, s.Rule, s.Score
			}
			last.Sure = last.Sure || s.Sure
			last.To = max(last.To, s.To)
			continue
		}
		kept = append(kept, s)
	}
	return kept
}
