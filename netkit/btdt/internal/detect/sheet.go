// Package detect finds in the texts of a playbook what identifies a person. It
// reads each text in layers: identifiers by form and check digit, references by
// the word before them, what must stay, then names, addresses and what ties a
// condition to a person.
package detect

import (
	"slices"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// Span is a part of a text that must go. Offsets are bytes of the folded text.
type Span struct {
	From, To int
	Type     string
	Rule     string
	Score    float64 // confidence, 0 to 1
	Drop     bool    // nothing takes its place: a role stands beside it
	Value    int     // where its value starts, behind a sign such as "no."; 0 where From does
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

// Input is one text and the field that it stands in, without an index.
type Input struct{ Field, Text string }

// Sheet is a text being read: its tokens, what must stay and what was found.
type Sheet struct {
	Field    string
	Text     lex.Text
	s        string
	tok      []lex.Token
	held     []bool  // a token that must stay
	lead     []int32 // how clearly each token is a name
	labels   []uint8 // what the tagger says of each token
	speech   lex.Speech
	style    style
	around   bool // the speech is that of the playbook
	spans    []Span
	covered  []bool    // each byte that a span holds
	language tongue    // unknown until asked for
	mute     bool      // no word of the text tells its language
	dayless  bool      // no day stands in the text, as far as was looked
	dialogue *dialogue // counted when somebody asks
	ailments []ailment // what the text tells of medicine, tied to a person or not
	medicine []bool    // each token of an ailment, once all are known
}

// Read finds what one text holds by itself. Spread adds what other texts of the
// same playbook tell about it.
func Read(in Input) *Sheet { return ReadAmong(in, 0) }

// ReadAmong is Read for a text among others that are in the given languages, which
// tell where the text is too short to tell its own.
func ReadAmong(in Input, around lex.Flags) *Sheet {
	x := &Sheet{Field: in.Field, Text: lex.Fold(in.Text)}
	x.s = x.Text.S
	x.tok = lex.Split(x.s, make([]lex.Token, 0, len(x.s)/5+8))
	x.held = make([]bool, len(x.tok))
	x.covered = make([]bool, len(x.s))
	x.style = styleOf(x.tok)
	x.speech = lex.SpeechOf(x.tok)
	if around != 0 && x.Short() {
		lex.Settle(x.tok, around)
		x.speech, x.around = lex.Other, true
	}
	x.network()
	x.identifiers()
	x.dates()
	x.references()
	x.registers()
	x.userNames()
	x.twins()
	x.plates()
	x.numbers()
	x.keep()
	x.names()
	x.birthdays()
	x.addresses()
	x.medical()
	x.contacts()
	return x
}

// Short tells whether a text is too short to tell its language. Lists of contacts
// hold surnames rather than words, and are read for themselves.
func (x *Sheet) Short() bool {
	return (x.around || x.speech == lex.Unsure) && x.Field != "key_contacts"
}

// Around are the languages that some texts tell together.
func Around(all []*Sheet) lex.Flags {
	texts := make([][]lex.Token, len(all))
	for i, x := range all {
		texts[i] = x.tok
	}
	return lex.Tongues(texts...)
}

// Spans gives what was found, in order and without overlap.
func (x *Sheet) Spans() []Span {
	x.spans = disjoint(x.spans)
	x.numberSigns()
	return x.spans
}

// Slice is a part of the folded text.
func (x *Sheet) Slice(from, to int) string { return x.s[from:to] }

func (x *Sheet) add(from, to int, kind, rule string, score float64) {
	x.spans = append(x.spans, Span{From: from, To: to, Type: kind, Rule: rule, Score: score})
	x.cover(from, to)
}

// cover notes the bytes of a span, so that taken need not ask each span.
func (x *Sheet) cover(from, to int) {
	for i := from; i < to; i++ {
		x.covered[i] = true
	}
}

// drop takes back the spans that a test picks.
func (x *Sheet) drop(picked func(Span) bool) {
	before := len(x.spans)
	if x.spans = slices.DeleteFunc(x.spans, picked); len(x.spans) == before {
		return
	}
	clear(x.covered)
	for _, s := range x.spans {
		x.cover(s.From, s.To)
	}
}

// taken tells whether something found already touches a part.
func (x *Sheet) taken(from, to int) bool {
	return from < to && slices.Contains(x.covered[max(0, from):min(to, len(x.s))], true)
}

// word is the text of a token.
func (x *Sheet) word(i int) string { return x.s[x.tok[i].From:x.tok[i].To] }

// is tells whether token i exists and is one of some one-character signs.
func (x *Sheet) is(i int, signs string) bool {
	if i < 0 || i >= len(x.tok) || x.tok[i].Kind != lex.Sign {
		return false
	}
	w := x.word(i)
	for _, r := range signs {
		if w == string(r) {
			return true
		}
	}
	return false
}

// has tells whether token i exists and has one of some flags.
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
			last.Drop = last.Drop && s.Drop
			last.To = max(last.To, s.To)
			continue
		}
		kept = append(kept, s)
	}
	return kept
}
