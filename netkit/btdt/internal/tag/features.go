package tag

import (
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/rule"
)

// Features are the hashes of what is known of one token.
type Features struct {
	Hash [64]uint64
	N    int
}

// Extractor gives the features of the tokens of one text.
type Extractor struct {
	s       string
	tok     []lex.Token
	shapes  []uint64
	field   uint64
	caps    uint64 // how most words of the text are written
	runs    []run  // of each token the run of capitals that it stands in
	codes   []code // of each token the word without spaces that it stands in
	rules   [][]uint64
	Matches []rule.Match // where rows hold
}

// kinds are the classes that tell words apart; the languages say it by Common.
const kinds = ^(lex.Languages | lex.Anywhere | lex.Start)

// NewExtractor prepares a text whose tokens are settled.
func NewExtractor(s string, tokens []lex.Token, field string) *Extractor {
	e := &Extractor{s: s, tok: tokens, shapes: make([]uint64, len(tokens)), field: lex.Key(field)}
	words, capitals, lower := 0, 0, 0
	for i := range tokens {
		t := &tokens[i]
		e.shapes[i] = e.shape(t)
		if t.Kind != lex.Letters || t.To-t.From < 2 {
			continue
		}
		words++
		switch t.Case {
		case lex.Caps:
			capitals++
		case lex.Lower:
			lower++
		}
	}
	switch {
	case capitals*2 > words && words > 2:
		e.caps = 1
	case lower == words:
		e.caps = 2
	}
	e.runs, e.codes = findRuns(s, tokens), findCodes(s, tokens)
	e.Matches = rule.Default().Matches(field, tokens)
	e.rules = make([][]uint64, len(tokens))
	for _, m := range e.Matches {
		name := lex.Key(m.Rule.Name)
		for i := m.From; i < m.To; i++ {
			e.rules[i] = append(e.rules[i], name)
		}
	}
	return e
}

// shape is how a word is written, without which it is.
func (e *Extractor) shape(t *lex.Token) uint64 {
	length := min(t.To-t.From, 8)
	switch t.Kind {
	case lex.Digits:
		return 100 + uint64(length) + uint64(t.Date)<<12
	case lex.Sign:
		return 200 + uint64(e.s[t.From])
	case lex.Placeholder:
		return 500
	}
	return uint64(t.Kind)<<8 | uint64(t.Case)<<4 | lengthClass(t.To-t.From) | uint64(t.Date)<<12
}

// lengthClass is how long a word is, roughly: abbreviations are short, compounds
// longer than names.
func lengthClass(bytes int) uint64 {
	switch {
	case bytes < 4:
		return uint64(bytes)
	case bytes < 6:
		return 4
	case bytes < 9:
		return 5
	case bytes < 13:
		return 6
	}
	return 7
}

// add appends a feature; each number gets its own part of the hash.
func (f *Features) add(number, value uint64) {
	if f.N == len(f.Hash) {
		return
	}
	h := (value ^ number*0x9E3779B97F4A7C15) * 0xD6E8FEB86659FD93
	f.Hash[f.N] = h ^ h>>32
	f.N++
}

const none = 0x5bd1e995

func (e *Extractor) inside(i int) bool { return i >= 0 && i < len(e.tok) }

func (e *Extractor) key(i int) uint64 {
	if !e.inside(i) {
		return none + uint64(i>>31&1)
	}
	switch t := &e.tok[i]; t.Kind {
	case lex.Digits:
		return 7000 + uint64(t.To-t.From)
	case lex.Mixed, lex.Placeholder:
		return 8000 + uint64(t.Kind)
	default:
		return t.Key
	}
}

func (e *Extractor) flags(i int) uint64 {
	if !e.inside(i) {
		return none
	}
	return uint64(e.tok[i].Flags & kinds)
}

func (e *Extractor) form(i int) uint64 {
	if !e.inside(i) {
		return none
	}
	return e.shapes[i]
}

// class is what a word is and how it is written.
func (e *Extractor) class(i int) uint64 { return lex.Join(e.flags(i), e.form(i)) }

// At computes the features of token i.
func (e *Extractor) At(i int, f *Features) {
	f.N = 0
	k0, c0, kl, kr := e.key(i), e.class(i), e.key(i-1), e.key(i+1)
	cl, cr := e.class(i-1), e.class(i+1)
	start := uint64(0)
	if e.first(i) {
		start = 1
	}
	f.add(1, k0)
	f.add(2, kl)
	f.add(3, kr)
	f.add(4, e.key(i-2))
	f.add(5, e.key(i+2))
	f.add(6, lex.Join(kl, k0))
	f.add(7, lex.Join(k0, kr))
	f.add(8, e.form(i)<<2|e.caps)
	f.add(9, c0<<1|start)
	f.add(10, lex.Join(cl, c0))
	f.add(11, lex.Join(c0, cr))
	f.add(12, lex.Join(lex.Join(cl, c0), cr))
	f.add(13, e.flags(i))
	f.add(14, e.flags(i-1))
	f.add(15, e.flags(i+1))
	f.add(16, lex.Join(kl, c0))
	f.add(17, lex.Join(c0, kr))
	f.add(18, lex.Join(lex.Join(e.key(i-2), kl), c0))
	f.add(19, lex.Join(e.form(i-1)<<20|e.form(i), e.form(i+1)))
	f.add(20, lex.Join(e.field, e.form(i)<<1|start))
	f.add(21, lex.Join(lex.Join(c0, cr), e.class(i+2)))
	f.add(22, lex.Join(lex.Join(e.class(i-2), cl), c0))
	f.add(23, lex.Join(kl, kr)^e.form(i))
	f.add(24, lex.Join(kr, c0<<1|start))
	f.add(25, lex.Join(e.field, c0))
	e.bits(i, f)
	e.around(i, c0, f)
	e.near(i, c0, f)
	e.coded(i, kl, f)
	for _, name := range e.rules[i] {
		f.add(60, name)
		f.add(61, lex.Join(name, c0))
	}
	if e.tok[i].Kind == lex.Letters {
		e.affixes(i, f)
	}
}

// bits are the classes of a word one by one, since most sets of them are rare.
func (e *Extractor) bits(i int, f *Features) {
	up := uint64(e.tok[i].Case)
	n := 0
	for rest := e.tok[i].Flags & kinds; rest != 0 && n < 5; rest &= rest - 1 {
		f.add(26, uint64(rest&-rest)<<2|up)
		n++
	}
}

// affixes are the first and last letters of a word.
func (e *Extractor) affixes(i int, f *Features) {
	w := e.s[e.tok[i].From:e.tok[i].To]
	up := uint64(0)
	if e.tok[i].Case != lex.Lower {
		up = 1
	}
	f.add(30, tail(w, 2)<<1|up)
	f.add(31, tail(w, 3)<<1|up)
	f.add(32, tail(w, 4)<<1|up)
	f.add(33, head(w, 3)<<1|up)
}

// tail hashes the last n letters, whatever their case.
func tail(w string, n int) uint64 {
	at := len(w)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(w[:at])
		at -= size
	}
	return lex.Key(w[at:])
}

func head(w string, n int) uint64 {
	at := 0
	for ; n > 0 && at < len(w); n-- {
		_, size := utf8.DecodeRuneInString(w[at:])
		at += size
	}
	return lex.Key(w[:at])
}

// first reports whether a word starts a line or a sentence, where a capital says
// little.
func (e *Extractor) first(i int) bool {
	if i == 0 || e.tok[i].Line {
		return true
	}
	switch e.s[e.tok[i-1].From] {
	case '.', '!', '?', ':', ';', '(', '"':
		return e.tok[i].Space || e.s[e.tok[i-1].From] == '('
	}
	return false
}

// people are the classes that tell of a person, announcers those that tell which
// number follows, sick those of medicine.
const (
	people     = lex.Kin | lex.Pronoun | lex.Title | lex.Say
	announcers = lex.Cues
	sick       = lex.Medicine
)

// near adds the nearest words within reach that tell of persons, of numbers or of
// medicine.
func (e *Extractor) near(i int, c0 uint64, f *Features) {
	for n, classes := range [...]lex.Flags{people, announcers, sick} {
		left, right := e.nearest(i, -1, classes), e.nearest(i, 1, classes)
		f.add(40+uint64(n), lex.Join(left, c0))
		f.add(43+uint64(n), lex.Join(left, right)<<8^e.form(i))
	}
	if c := e.nearestAt(i, -1, announcers); c >= 0 {
		f.add(46, lex.Join(e.tok[c].Key, e.codes[i].shape))
	}
}

// nearest is the classes of the nearest word on one side that is of some, and how
// far it is.
func (e *Extractor) nearest(i, step int, classes lex.Flags) uint64 {
	j := e.nearestAt(i, step, classes)
	if j < 0 {
		return none
	}
	far := uint64(1)
	if d := (j - i) * step; d > 2 {
		far = 2
	}
	return uint64(e.tok[j].Flags&classes)<<2 | far
}

const reach = 7 // tokens

func (e *Extractor) nearestAt(i, step int, classes lex.Flags) int {
	for k := 1; k <= reach; k++ {
		j := i + step*k
		if !e.inside(j) {
			break
		}
		if e.tok[j].Flags&classes != 0 {
			return j
		}
	}
	return -1
}

// coded adds what the code that a token stands in looks like.
func (e *Extractor) coded(i int, kl uint64, f *Features) {
	c := e.codes[i]
	if c.digits == 0 {
		return
	}
	f.add(50, c.shape)
	f.add(51, lex.Join(e.key(c.from-1), c.shape))
	f.add(52, lex.Join(lex.Join(e.key(c.from-2), e.key(c.from-1)), uint64(c.digits)))
	f.add(53, lex.Join(e.key(c.to), uint64(min(c.digits, 9))))
	f.add(54, lex.Join(e.flags(c.from-1), c.shape))
	f.add(55, lex.Join(e.field, c.shape))
}
