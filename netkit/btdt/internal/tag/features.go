package tag

import (
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// Features are the hashes of what is known of one word.
type Features struct {
	Hash [40]uint32
	N    int
}

// Extractor gives the features of the words of one text.
type Extractor struct {
	s      string
	tok    []lex.Token
	shapes []uint64
	field  uint64
	caps   uint64 // 1 where most words of the text are in capitals
	speech uint64
	runs   []run // of each token the run of capitals that it stands in
}

// kinds are the flags that tell words apart; Start says nothing of a word, Seen
// and Sick come from the training lines themselves, and medicine has rules.
const kinds = lex.Start - 1 | lex.Noun | lex.Say

// NewExtractor prepares a text.
func NewExtractor(s string, tokens []lex.Token, field string) *Extractor {
	e := &Extractor{s: s, tok: tokens, shapes: make([]uint64, len(tokens)), field: lex.Key(field)}
	letters, capitals, lower := 0, 0, 0
	for i, t := range tokens {
		e.shapes[i] = e.shape(t)
		if t.Kind == lex.Letters && t.To-t.From > 1 {
			letters++
			if t.Case == lex.Caps {
				capitals++
			}
			if t.Case == lex.Lower {
				lower++
			}
		}
	}
	if capitals*2 > letters && letters > 2 {
		e.caps = 1
	} else if lower == letters {
		e.caps = 2
	}
	e.runs, e.speech = findRuns(s, tokens), uint64(lex.SpeechOf(tokens))
	return e
}

// shape is how a word is written, without which it is.
func (e *Extractor) shape(t lex.Token) uint64 {
	length := min(t.To-t.From, 6)
	if t.Kind == lex.Digits {
		return 100 + uint64(length)
	}
	if t.Kind == lex.Sign {
		return 200 + uint64(e.s[t.From])
	}
	if t.Kind == lex.Placeholder {
		return 500
	}
	if length == 2 || length > 3 {
		length = 3
	}
	return uint64(t.Kind)<<8 | uint64(t.Case)<<4 | uint64(length)
}

// feature numbers; each gets its own part of the hash.
func (f *Features) add(number, value uint64) {
	h := (value ^ number*0x9E3779B97F4A7C15) * 0xD6E8FEB86659FD93
	f.Hash[f.N] = uint32(h >> 32)
	f.N++
}

const none = 0x5bd1e995

func (e *Extractor) key(i int) uint64 {
	if i < 0 || i >= len(e.tok) {
		return none + uint64(i>>31&1)
	}
	t := e.tok[i]
	switch t.Kind {
	case lex.Digits:
		return 7000 + uint64(t.To-t.From)
	case lex.Mixed, lex.Placeholder:
		return 8000 + uint64(t.Kind)
	}
	return t.Key
}

func (e *Extractor) flags(i int) uint64 {
	if i < 0 || i >= len(e.tok) {
		return none
	}
	return uint64(e.tok[i].Flags & kinds)
}

func (e *Extractor) form(i int) uint64 {
	if i < 0 || i >= len(e.tok) {
		return none
	}
	return e.shapes[i]
}

// class is what a word is and how it is written.
func (e *Extractor) class(i int) uint64 { return e.flags(i)<<12 ^ e.form(i) }

// At computes the features of word i.
func (e *Extractor) At(i int, f *Features) {
	f.N = 0
	k0, c0 := e.key(i), e.class(i)
	kl, kr := e.key(i-1), e.key(i+1)
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
	f.add(38, lex.Join(e.flags(i), e.form(i)<<4|start<<2|e.speech))
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
	f.add(31, lex.Join(kr, c0<<1|start))
	e.around(i, c0, f)
	if e.tok[i].Kind == lex.Letters {
		e.affixes(i, f)
	}
}

// affixes are the first and last letters of a word.
func (e *Extractor) affixes(i int, f *Features) {
	w := e.s[e.tok[i].From:e.tok[i].To]
	up := uint64(0)
	if e.tok[i].Case != lex.Lower {
		up = 1
	}
	f.add(24, tail(w, 2)<<1|up)
	f.add(25, tail(w, 3)<<1|up)
	f.add(26, tail(w, 4)<<1|up)
	f.add(27, head(w, 3)<<1|up)
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

// first tells whether a word starts a line or a sentence, where a capital says
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
