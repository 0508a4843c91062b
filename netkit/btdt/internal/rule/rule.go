// Package rule matches rows of patterns against the words of a text. A row is data,
// a line of rules.tsv: its name, the fields it looks at (* for all), what it says,
// and a pattern of at most twelve elements.
//
// What a row says is the type of what stands in braces; with an exclamation mark it
// decides alone, otherwise the tagger weighs it as one feature among others.
//
// An element is a class of words (given, lawword), a literal in apostrophes with
// alternatives ('no|nr'), or word, num, code, date, sign, any. Behind it may stand
// ^ (has a capital), ~class (is not of that class) and ? (may be missing); an
// exclamation mark before it says that such a word must not stand here, and takes
// none up.
package rule

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

//go:embed rules.tsv
var rows string

// Rule is a row.
type Rule struct {
	Name   string
	Says   string // a type of finding
	Exact  bool   // decides alone
	fields string // blank-divided, or *
	elems  []element
	anchor int // the element that it is indexed by
}

type element struct {
	class, lacks lex.Flags
	words        []uint64
	kind         string // word, num, code, date, sign, any; "" for classes and literals
	capital      bool
	optional     bool
	never        bool
	target       bool
}

// Mute makes a row hold nowhere until it is restored, to measure what it is worth. No
// text may be read meanwhile by anybody else.
func (r *Rule) Mute() (restore func()) {
	fields := r.fields
	r.fields = "-"
	return func() { r.fields = fields }
}

// Match is where a row holds: the tokens in braces.
type Match struct {
	Rule     *Rule
	From, To int
}

// Set is a compiled set of rows.
type Set struct {
	Rules   []Rule
	byClass map[lex.Flags][]int
	byWord  map[uint64][]int
	classes lex.Flags // that a row is indexed by
}

// Default is the set of the package.
var Default = sync.OnceValue(func() *Set {
	s, err := Parse(rows)
	if err != nil {
		panic(err) // a test reads the same rows
	}
	return s
})

// Parse compiles rows. The error names the line.
func Parse(text string) (*Set, error) {
	s := &Set{byClass: map[lex.Flags][]int{}, byWord: map[uint64][]int{}}
	n := 0
	for line := range strings.Lines(text) {
		n++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		r, err := parseRule(line)
		if err != nil {
			return nil, fmt.Errorf("rules.tsv, line %d: %w", n, err)
		}
		s.Rules = append(s.Rules, r)
	}
	for k := range s.Rules {
		s.index(k)
	}
	return s, nil
}

func (s *Set) index(k int) {
	e := s.Rules[k].elems[s.Rules[k].anchor]
	for _, w := range e.words {
		s.byWord[w] = append(s.byWord[w], k)
	}
	for rest := e.class; rest != 0; rest &= rest - 1 {
		bit := rest & -rest
		s.byClass[bit] = append(s.byClass[bit], k)
		s.classes |= bit
	}
}

const longestPattern = 12

func parseRule(line string) (Rule, error) {
	cells := strings.Split(line, "\t")
	if len(cells) != 4 {
		return Rule{}, fmt.Errorf("got %d cells, want name, fields, what it says and a pattern", len(cells))
	}
	says, exact := strings.CutSuffix(cells[2], "!")
	r := Rule{Name: cells[0], fields: cells[1], Says: says, Exact: exact, anchor: -1}
	inside := false
	for part := range strings.FieldsSeq(cells[3]) {
		part, opens := strings.CutPrefix(part, "{")
		part, closes := strings.CutSuffix(part, "}")
		e, err := parseElement(part)
		if err != nil {
			return r, err
		}
		inside = inside || opens
		e.target = inside
		inside = inside && !closes
		r.elems = append(r.elems, e)
	}
	if len(r.elems) > longestPattern {
		return r, fmt.Errorf("got %d elements, want at most %d", len(r.elems), longestPattern)
	}
	return r, r.findAnchor()
}

// findAnchor picks the rarest element at a fixed place from the start.
func (r *Rule) findAnchor() error {
	for i, e := range r.elems {
		if e.optional || e.never && i > 0 {
			break
		}
		if !e.never && (len(e.words) > 0 || e.class != 0) && (r.anchor < 0 || e.rarity() > r.elems[r.anchor].rarity()) {
			r.anchor = i
		}
	}
	if r.anchor < 0 {
		return fmt.Errorf("no class or literal at a fixed place")
	}
	return nil
}

// rarity orders elements by how seldom they match: literals, then what announces,
// then names and places, then ordinary words.
func (e element) rarity() int {
	const frequent = lex.Given | lex.Surname | lex.Place | lex.Common | lex.Elsewhere | lex.Month | lex.Keep
	switch {
	case len(e.words) > 0:
		return 3
	case e.class&frequent == 0:
		return 2
	}
	return 1
}

func parseElement(s string) (e element, err error) {
	s, e.never = strings.CutPrefix(s, "!")
	s, e.optional = strings.CutSuffix(s, "?")
	s, lacks, _ := strings.Cut(s, "~")
	if lacks != "" {
		for name := range strings.SplitSeq(lacks, "~") {
			c := lex.Class(name)
			if c == 0 {
				return e, fmt.Errorf("unknown class %q", name)
			}
			e.lacks |= c
		}
	}
	s, e.capital = strings.CutSuffix(s, "^")
	switch {
	case strings.HasPrefix(s, "'"):
		for w := range strings.SplitSeq(strings.Trim(s, "'"), "|") {
			e.words = append(e.words, lex.Key(w))
		}
	case strings.Contains(" word num code date sign any ", " "+s+" "):
		e.kind = s
	default:
		for name := range strings.SplitSeq(s, "|") {
			c := lex.Class(name)
			if c == 0 {
				return e, fmt.Errorf("unknown class %q", name)
			}
			e.class |= c
		}
	}
	return e, nil
}
