package detect

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// Memory holds the names of a playbook, so that what was found once is found in all
// of its fields, in small letters, in labels, file names and user names too.
type Memory struct {
	words  doubts[uint64]  // parts of names, each of which stands for the person
	whole  doubts[uint64]  // two parts, which stand for the person whatever they mean alone
	glued  doubts[string]  // parts written together: janeroe, jroe, janer
	people map[uint64]bool // parts of names that are somebody's beyond doubt
	firms  map[uint64]bool // words of the institution that the playbook is against, and of its region
}

// doubts holds what was learned, and whether the author decided it: another name that
// comes again was wrong too often on the development sets to be sure, see sure.tsv.
type doubts[K comparable] map[K]bool

func (d doubts[K]) learn(key K, sure bool) { d[key] = d[key] || sure }

// NewMemory is an empty memory.
func NewMemory() *Memory {
	return &Memory{doubts[uint64]{}, doubts[uint64]{}, doubts[string]{}, map[uint64]bool{}, map[uint64]bool{}}
}

// Institution notes the words of the institution or region that is no person.
func (m *Memory) Institution(x *Sheet) {
	for i, t := range x.tok {
		if t.Kind == lex.Letters && t.Case != lex.Lower && !x.taken(t.From, t.To) {
			m.firms[x.tok[i].Key] = true
		}
	}
}

// Meet notes who is somebody beyond doubt: who has a form of address or two names.
func (m *Memory) Meet(x *Sheet) {
	for _, s := range x.spans {
		parts := x.nameParts(s)
		if s.Type != Name || len(parts) == 0 || len(parts) == 1 && !x.has(x.at(s.From), lex.Title) {
			continue
		}
		for _, i := range parts {
			m.people[x.tok[i].Key] = true
		}
	}
}

// Learn adds the names that were found in a text. A single word of the institution
// or region that is nobody's name as well means that one, and stays.
func (m *Memory) Learn(x *Sheet) {
	x.spans = slices.DeleteFunc(x.spans, func(s Span) bool {
		if s.Type != Name {
			return false
		}
		parts := x.nameParts(s)
		if len(parts) == 1 && s.Rule != Author && !s.foreign && m.firms[x.tok[parts[0]].Key] && !m.people[x.tok[parts[0]].Key] {
			clear(x.covered[s.From:s.To])
			return true
		}
		m.learn(parts, x, s.Rule == Author && !s.here)
		return false
	})
}

// nameParts are the tokens of a name that tell who it is.
func (x *Sheet) nameParts(s Span) (parts []int) {
	for i := x.at(s.From); i < len(x.tok) && x.tok[i].From < s.To; i++ {
		t := &x.tok[i]
		if t.Kind == lex.Letters && t.Flags&lex.Title == 0 && utf8.RuneCountInString(x.word(i)) > 1 {
			parts = append(parts, i)
		}
	}
	return parts
}

func (m *Memory) learn(parts []int, x *Sheet, sure bool) {
	for n, i := range parts {
		t := &x.tok[i]
		small := t.Case == lex.Lower && t.Flags&(lex.Common|lex.Elsewhere) != 0 && t.Flags&(lex.Given|lex.Surname) == 0
		if t.To-t.From > 2 && !small {
			m.words.learn(t.Key, sure)
		}
		if n > 0 {
			m.whole.learn(lex.Join(x.tok[parts[n-1]].Key, t.Key), sure)
		}
	}
	if len(parts) < 2 {
		return
	}
	first, last := bare(x.word(parts[0])), bare(x.word(parts[len(parts)-1]))
	for _, glued := range []string{first + last, last + first, first[:1] + last, last + first[:1], first + last[:1]} {
		if len(glued) >= minGlued {
			m.glued.learn(glued, sure)
		}
	}
}

const minGlued = 5 // letters

// bare is a word as user names have it: small ASCII letters alone.
func bare(word string) string {
	b := lex.Bare(word)
	if b == "" {
		return "?"
	}
	return b
}

// Recall takes the names of the playbook wherever they stand. It returns whether it
// found any.
func (m *Memory) Recall(x *Sheet) bool {
	found := false
	for i := range x.tok {
		from, sure, known := m.recall(x, i)
		if !known || x.taken(x.tok[from].From, x.tok[i].To) {
			continue
		}
		x.put(Span{From: x.tok[from].From, To: x.tok[i].To, Type: Name, Rule: "memory", Score: 0.85, Sure: sure})
		found = true
	}
	return found
}

// recall returns the token from which a known name ends at token i.
func (m *Memory) recall(x *Sheet, i int) (from int, sure, known bool) {
	t := &x.tok[i]
	if t.Kind != lex.Letters && t.Kind != lex.Mixed {
		return i, false, false
	}
	if i > 0 {
		if sure, known = m.whole[lex.Join(x.tok[i-1].Key, t.Key)]; known {
			return i - 1, sure, true
		}
	}
	if i > 1 && x.is(i-1, "_.-") {
		if sure, known = m.whole[lex.Join(x.tok[i-2].Key, t.Key)]; known {
			return i - 2, sure, true
		}
	}
	if sure, known = m.words[t.Key]; known && m.same(x, i) {
		return i, sure, true
	}
	sure, known = m.inside(x.word(i))
	return i, sure, known
}

// same reports whether a word that names a person elsewhere does so here: one that
// is an ordinary word or the institution as well may not.
func (m *Memory) same(x *Sheet, i int) bool {
	t := &x.tok[i]
	ordinary := t.Flags&lex.Common != 0 && lex.Of(t.Key)&(lex.Languages|lex.Anywhere) != 0
	const other = lex.Month | lex.Place | lex.OrgWord | lex.Street | lex.Phrase
	switch {
	case m.firms[t.Key] && !m.people[t.Key] || x.is(i+1, "&") || x.is(i-1, "&") || x.held[i]:
		return false
	case t.Flags&other == 0 && !ordinary:
		return true
	case t.Case == lex.Lower || x.has(i+1, lex.OrgWord|lex.Street):
		return false
	case i > 0 && !t.Line && x.tok[i-1].Kind != lex.Sign:
		return t.Flags&lex.Phrase == 0
	}
	l, margin := x.kept(i)
	return l == 0 && margin < 2*sureToStay
}

// inside reports whether a word is a name in pieces: jane-roe, janeroe82, Roes.
func (m *Memory) inside(word string) (sure, known bool) {
	if sure, known = m.glued[strings.TrimRight(lex.Bare(word), "0123456789")]; known {
		return sure, true
	}
	for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return r == '-' || r == '\'' }) {
		k := lex.Key(part)
		if sure, known = m.words[k]; known && len(part) < len(word) && len(part) > 2 && lex.Of(k)&(lex.Languages|lex.Anywhere) == 0 {
			return sure, true
		}
	}
	sure, known = m.words[lex.Key(strings.TrimSuffix(word, "s"))]
	return sure, known && len(word) > 4 && lex.Of(lex.Key(word))&(lex.Languages|lex.Anywhere) == 0
}

// Values gives the parts of a found span that make it the same as another one:
// the keys of the words of a name, one key of anything else.
func (x *Sheet) Values(s Span) []uint64 {
	var keys []uint64
	if s.Type == Name {
		for _, i := range x.nameParts(s) {
			keys = append(keys, x.tok[i].Key)
		}
		return keys
	}
	return []uint64{lex.Key(strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -./()\n\t", r) {
			return -1
		}
		return r
	}, unlabelled(x.s[s.From:s.To])))}
}

// unlabelled leaves out words such as "number" that a span took in before digits.
func unlabelled(value string) string {
	rest := strings.TrimLeft(value, "abcdefghijklmnopqrstuvwxyz ")
	if strings.HasSuffix(value[:len(value)-len(rest)], " ") && strings.Trim(rest, "0123456789 -./()") == "" {
		return rest
	}
	return value
}
