package tag

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// run is a row of capitalised words with the small words that join them: what a
// full name, a firm or a law is written as. Tokens outside of any have from
// equal to to.
type run struct {
	from, to int
	class    uint64 // what is in it
}

// What the class of a run tells.
const (
	runOrg uint64 = 1 << (iota + 2) // the lowest two bits are its length
	runLaw
	runAmp
	runRole
	runGiven   // the first word is a given name
	runSurname // the last word is a surname
	runOrdinary
	runStart
	runStreet
	runPhrase
)

// findRuns gives every token its run.
func findRuns(s string, tokens []lex.Token) []run {
	runs := make([]run, len(tokens))
	for i := 0; i < len(tokens); {
		if !capital(tokens[i]) {
			i++
			continue
		}
		to := runEnd(s, tokens, i)
		r := run{i, to, runClass(s, tokens, i, to)}
		for ; i < to; i++ {
			runs[i] = r
		}
	}
	return runs
}

func capital(t lex.Token) bool { return t.Kind == lex.Letters && t.Case != lex.Lower }

// runEnd is the token behind the run that starts at i.
func runEnd(s string, tokens []lex.Token, i int) int {
	to := i + 1
	for to < len(tokens) && !tokens[to].Line {
		next := to
		for next < len(tokens) && next-to < 3 && !tokens[next].Line && !capital(tokens[next]) && joins(s, tokens, next) {
			next++
		}
		if next == len(tokens) || tokens[next].Line || !capital(tokens[next]) {
			break
		}
		to = next + 1
	}
	return to
}

// joins reports whether a token between two capitals does not end a run.
func joins(s string, tokens []lex.Token, i int) bool {
	w := s[tokens[i].From:tokens[i].To]
	switch w {
	case "&", "-", "'":
		return true
	case ".":
		return tokens[i-1].To-tokens[i-1].From <= 2 // an initial
	}
	return tokens[i].Kind == lex.Letters && len(w) <= longestJoiner
}

// longestJoiner is how many bytes a small word has that joins capitals: of, der, et.
const longestJoiner = 3

// runClass sums up what the words of a run are.
func runClass(s string, tokens []lex.Token, from, to int) uint64 {
	class, words := uint64(0), 0
	set := func(on bool, bit uint64) {
		if on {
			class |= bit
		}
	}
	last := from
	for i := from; i < to; i++ {
		t := tokens[i]
		set(s[t.From] == '&', runAmp)
		if !capital(t) {
			continue
		}
		words++
		last = i
		set(t.Flags&lex.OrgWord != 0, runOrg)
		set(t.Flags&(lex.Law|lex.LawWord) != 0, runLaw)
		set(t.Flags&lex.Role != 0, runRole)
		set(t.Flags&lex.Street != 0, runStreet)
		set(t.Flags&lex.Common != 0 && t.Flags&(lex.Given|lex.Surname) == 0, runOrdinary)
		set(t.Flags&lex.Phrase != 0, runPhrase)
	}
	set(tokens[from].Flags&lex.Given != 0, runGiven)
	set(words > 1 && tokens[last].Flags&lex.Surname != 0, runSurname)
	set(from == 0 || tokens[from].Line || endsSentence(s, tokens[from-1]) && tokens[from].Space, runStart)
	return class | uint64(min(words, 3))
}

func endsSentence(s string, t lex.Token) bool { return strings.IndexByte(".!?:;", s[t.From]) >= 0 }

// around adds what the run of a word is and what stands beside it.
func (e *Extractor) around(i int, class uint64, f *Features) {
	r := e.runs[i]
	if r.to == 0 {
		f.add(70, lex.Join(e.next(i, -1), class))
		f.add(71, lex.Join(e.next(i, 1), class))
		return
	}
	place := uint64(0)
	if i > r.from {
		place = 1
	}
	if i == r.to-1 {
		place |= 2
	}
	f.add(72, r.class<<2|place)
	f.add(73, lex.Join(r.class<<2|place, class))
	f.add(74, lex.Join(e.key(r.from-1), r.class))
	f.add(75, lex.Join(e.key(r.to), r.class))
	f.add(76, lex.Join(e.class(r.from-1), r.class))
	f.add(77, lex.Join(e.class(r.to), r.class))
	f.add(78, lex.Join(e.key(r.from-1), e.key(r.to))^r.class&3)
}

// next is the nearest capitalised word on one side within four tokens, as what it
// is rather than which.
func (e *Extractor) next(i, step int) uint64 {
	for k := 1; k <= 4; k++ {
		j := i + step*k
		if j < 0 || j >= len(e.tok) {
			return none
		}
		if e.runs[j].to > 0 {
			return e.runs[j].class<<3 | uint64(k)
		}
	}
	return none + 1
}
