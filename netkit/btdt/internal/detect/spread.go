package detect

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// Institution gives up single words that were taken for a person and are the name
// of the institution that the playbook is against, as its entity tells: Delta,
// Sysco. Who has a form of address or another name besides stays a person.
func Institution(all, fresh []*Sheet) {
	words, people := map[uint64]bool{}, map[uint64]bool{}
	for _, x := range all {
		for _, s := range x.spans {
			if s.Type == Name && (x.wordsIn(s) > 1 || x.titleBefore(x.at(s.From))) {
				for _, key := range x.Values(s) {
					people[key] = true
				}
			}
		}
		for _, t := range x.tok {
			if x.Field == "entity" && t.Kind == lex.Letters && t.Case != lex.Lower && t.To-t.From > 2 && !x.taken(t.From, t.To) {
				words[t.Key] = true
			}
		}
	}
	if len(words) == 0 {
		return
	}
	for _, x := range fresh {
		x.drop(func(s Span) bool {
			key := x.tok[x.at(s.From)].Key
			return s.Type == Name && x.wordsIn(s) == 1 && words[key] && !people[key] && !x.titleBefore(x.at(s.From))
		})
	}
}

// wordsIn counts the words of a span.
func (x *Sheet) wordsIn(s Span) (n int) {
	for i := x.at(s.From); i < len(x.tok) && x.tok[i].From < s.To; i++ {
		if x.tok[i].Kind == lex.Letters {
			n++
		}
	}
	return n
}

// Spread marks in all sheets the names that were found in some of them, so that
// a surname alone later in the playbook goes as well. It returns whether it
// found anything.
func Spread(all, found []*Sheet) bool {
	names := roll{map[uint64]lex.Case{}, map[uint64]bool{}, map[uint64]bool{}}
	for _, x := range found {
		for _, s := range x.spans {
			if s.Type == Name {
				x.collect(s, names)
			}
		}
	}
	more := spreadAilments(all)
	more = spreadReferences(all, found) || more
	if len(names.words) == 0 {
		return more
	}
	for _, x := range all {
		more = x.spreadInto(names) || more
	}
	return more
}

// roll holds the names of a playbook, by key.
type roll struct {
	words map[uint64]lex.Case // that can stand for the person alone, as they are written
	pairs map[uint64]bool     // two words, which stand for the person wherever they come again
	stems map[uint64]bool     // what is left of a word in all of its cases
}

// collect adds the words of a name.
func (x *Sheet) collect(s Span, names roll) {
	for i := x.at(s.From); i < len(x.tok) && x.tok[i].From < s.To; i++ {
		t := x.tok[i]
		if x.pair(i) && x.tok[i+1].To <= s.To && !x.address(i) && t.Flags&lex.Title == 0 {
			names.pairs[lex.Join(t.Key, x.tok[i+1].Key)] = true
		}
		if t.Kind != lex.Letters || t.To-t.From < 3 || t.Flags&(lex.Title|lex.Kin|lex.Role) != 0 || x.address(i) || t.Flags&lex.Keep != 0 && t.Flags&lex.Given == 0 || particle(x.word(i)) {
			continue
		}
		if t.Case == lex.Lower && t.Flags&(lex.Word|lex.Foreign) != 0 {
			continue
		}
		names.words[t.Key] = t.Case
		if w := strings.ToLower(x.word(i)); len(w) > 5 && t.Case == lex.Capital {
			names.stems[lex.Key(stemOf(w))] = true
		}
	}
}

// stemOf is what is left of a name in all of its cases.
func stemOf(w string) string {
	for range 2 {
		_, size := utf8.DecodeLastRuneInString(w)
		w = w[:len(w)-size]
	}
	return w
}

// inCase tells whether a word that is nothing else is a name of the playbook in
// another case: Quandts, Gawlikowej.
func (x *Sheet) inCase(i int, names roll) bool {
	const other = lex.Word | lex.Foreign | lex.Place | lex.Org | lex.Seen | lex.OrgWord | lex.LawWord | lex.Role | lex.Month | lex.Street | lex.Noun
	t := x.tok[i]
	if t.Case != lex.Capital || t.Flags&other != 0 || x.held[i] {
		return false
	}
	w := strings.ToLower(x.word(i))
	if bare, plural := strings.CutSuffix(w, "s"); plural && len(w) > 4 && names.words[lex.Key(bare)] == lex.Capital {
		return true // the Nguyens
	}
	if x.speech == lex.English {
		return false
	}
	for range 6 {
		_, size := utf8.DecodeLastRuneInString(w)
		if w = w[:len(w)-size]; len(w) < 4 {
			return false
		}
		if names.stems[lex.Key(w)] {
			return true
		}
	}
	return false
}

// spreadInto marks words that are known names by now.
func (x *Sheet) spreadInto(names roll) bool {
	more := false
	for i, t := range x.tok {
		if x.pair(i) && names.pairs[lex.Join(t.Key, x.tok[i+1].Key)] && !x.taken(t.From, x.tok[i+1].To) {
			x.add(t.From, x.tok[i+1].To, Name, "same_name", 0.9)
			more = true
			continue
		}
		if t.Kind != lex.Letters || x.held[i] && !x.loose(i) {
			continue
		}
		was, ok := names.words[t.Key]
		if !ok && x.inCase(i, names) {
			was, ok = lex.Capital, true
		}
		if !ok || t.Case == lex.Lower && was != lex.Lower {
			continue
		}
		if !x.samePerson(i) || x.taken(t.From, t.To) {
			continue
		}
		x.add(x.tok[x.honorificsBefore(x.initialsBefore(i))].From, t.To, Name, "same_name", 0.85)
		more = true
	}
	return more
}

// pair tells whether two words with capitals stand at token i, a space between.
func (x *Sheet) pair(i int) bool {
	return x.capital(i) && x.capital(i+1) && x.tok[i+1].Space && !x.tok[i+1].Line && x.tok[i].To-x.tok[i].From > 1
}

// loose tells whether what is held may be a person all the same: a word that is
// a firm and a name, with nothing beside it.
func (x *Sheet) loose(i int) bool {
	t := x.tok[i]
	return t.Flags&(lex.Org|lex.Seen) != 0 && t.Flags&(lex.Given|lex.Surname) != 0 && !x.besideCapital(i)
}

// samePerson tells whether a word that names a person elsewhere in the playbook
// does so here: one that is an ordinary word as well may not.
func (x *Sheet) samePerson(i int) bool {
	t := x.tok[i]
	if x.is(i+1, "&") || x.is(i-1, "&") || x.Field == "entity" && x.besideCapital(i) && x.has(i-1, lex.OrgWord) {
		return false // or the firm of that name
	}
	const plain = lex.Word | lex.Foreign | lex.Month | lex.Place | lex.OrgWord | lex.Street
	switch {
	case t.Flags&plain == 0:
		return true
	case t.Case == lex.Lower:
		return t.Flags&lex.Given != 0 && x.small() && x.lead[i] > -60
	case x.besideCapital(i) || x.is(i+1, ",") && t.Flags&lex.Place != 0:
		return false
	case x.sentenceStart(i) && t.Flags&plain == lex.Foreign && x.lead[i] > -350:
		return true
	case x.sentenceStart(i):
		return x.is(i+1, "'") || x.has(i+1, lex.Say) || x.lead[i] > -100 || t.Flags&(lex.Given|lex.Surname) != 0 && t.Flags&(lex.Word|lex.Foreign) == 0
	}
	return true
}

// besideCapital tells whether a word is part of a longer capitalised phrase,
// which then is more likely something else.
func (x *Sheet) besideCapital(i int) bool {
	up := func(j int) bool {
		return j >= 0 && j < len(x.tok) && x.tok[j].Kind == lex.Letters && x.tok[j].Case != lex.Lower && !x.sentenceStart(j) && !x.taken(x.tok[j].From, x.tok[j].To)
	}
	return up(i+1) || up(i-1)
}

// sentenceStart tells whether a token starts a line or a sentence.
func (x *Sheet) sentenceStart(i int) bool {
	if i == 0 || x.tok[i].Line {
		return true
	}
	for i > 0 && x.is(i-1, "\"'‹›(") {
		i--
	}
	return i == 0 || x.is(i-1, ".!?:;•…") && x.tok[i].Space && !x.titleStop(i-1) || x.tok[i].Line
}

// titleStop tells whether the full stop at i belongs to a form of address.
func (x *Sheet) titleStop(i int) bool {
	return i > 0 && x.is(i, ".") && (titleKeys()[x.tok[i-1].Key] || x.tok[i-1].Case != lex.Lower && x.tok[i-1].To-x.tok[i-1].From < 6 && x.honorific(i-1, i))
}

// Values gives the parts of a found span that make it the same as another one:
// the keys of the words of a name, one key of anything else.
func (x *Sheet) Values(s Span) []uint64 {
	var keys []uint64
	if s.Type == Name {
		for i := x.at(s.From); i < len(x.tok) && x.tok[i].From < s.To; i++ {
			if t := x.tok[i]; t.Kind == lex.Letters && t.To-t.From > 1 && t.Flags&lex.Title == 0 && !x.address(i) && !particle(x.word(i)) {
				keys = append(keys, t.Key)
			}
		}
		return keys
	}
	bare := make([]byte, 0, s.To-s.From)
	for _, c := range []byte(x.s[max(s.From, s.Value):s.To]) {
		if c > ' ' && !slices.Contains([]byte("-./()"), c) {
			bare = append(bare, c)
		}
	}
	return []uint64{lex.Key(string(bare))}
}
