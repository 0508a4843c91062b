package rule

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// Matches finds where rows hold in a text of a field, in the order of the tokens.
func (s *Set) Matches(field string, tokens []lex.Token) []Match {
	var found []Match
	for i := range tokens {
		t := &tokens[i]
		for _, k := range s.byWord[t.Key] {
			found = s.Rules[k].try(field, tokens, i, found)
		}
		for rest := t.Flags & s.classes; rest != 0; rest &= rest - 1 {
			for _, k := range s.byClass[rest&-rest] {
				found = s.Rules[k].try(field, tokens, i, found)
			}
		}
	}
	return found
}

// try matches a row whose anchor is token i.
func (r *Rule) try(field string, tokens []lex.Token, i int, found []Match) []Match {
	start := i - r.anchor
	if start < 0 || r.fields != "*" && !strings.Contains(" "+r.fields+" ", " "+field+" ") {
		return found
	}
	m := Match{Rule: r, From: -1}
	if n := len(found); m.rest(tokens, start, 0) && m.From >= 0 && (n == 0 || found[n-1] != m) {
		found = append(found, m)
	}
	return found
}

// rest matches the elements from the k-th on at token i.
func (m *Match) rest(tokens []lex.Token, i, k int) bool {
	if k == len(m.Rule.elems) {
		return true
	}
	e := &m.Rule.elems[k]
	holds := i < len(tokens) && e.holds(&tokens[i])
	if e.never {
		return !holds && m.rest(tokens, i, k+1)
	}
	if holds && m.rest(tokens, i+1, k+1) {
		if e.target {
			if m.From < 0 {
				m.To = i + 1
			}
			m.From = i
		}
		return true
	}
	return e.optional && m.rest(tokens, i, k+1)
}

// holds reports whether a token is what the element asks for.
func (e *element) holds(t *lex.Token) bool {
	if e.capital && (t.Kind != lex.Letters || t.Case == lex.Lower) || t.Flags&e.lacks != 0 {
		return false
	}
	if len(e.words) > 0 {
		for _, w := range e.words {
			if t.Key == w {
				return true
			}
		}
		return false
	}
	switch e.kind {
	case "":
		return t.Flags&e.class != 0
	case "word":
		return t.Kind == lex.Letters
	case "num":
		return t.Kind == lex.Digits
	case "code":
		return (t.Kind == lex.Digits || t.Kind == lex.Mixed) && t.Date == lex.NoDate
	case "date":
		return t.Date != lex.NoDate
	case "sign":
		return t.Kind == lex.Sign
	}
	return true
}
