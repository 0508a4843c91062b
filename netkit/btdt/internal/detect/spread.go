package detect

import (
	"slices"

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
		x.spans = slices.DeleteFunc(x.spans, func(s Span) bool {
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
	names := map[uint64]lex.Case{}
	for _, x := range found {
		for _, s := range x.spans {
			if s.Type == Name {
				x.collect(s, names)
			}
		}
	}
	more := spreadAilments(all)
	if len(names) == 0 {
		return more
	}
	for _, x := range all {
		more = x.spreadInto(names) || more
	}
	return more
}

// collect adds the words of a name that can stand for the person alone.
func (x *Sheet) collect(s Span, names map[uint64]lex.Case) {
	for i := x.at(s.From); i < len(x.tok) && x.tok[i].From < s.To; i++ {
		t := x.tok[i]
		if t.Kind != lex.Letters || t.To-t.From < 3 || t.Flags&(lex.Title|lex.Kin|lex.Role) != 0 || x.address(i) || t.Flags&lex.Keep != 0 && t.Flags&lex.Given == 0 || particle(x.word(i)) {
			continue
		}
		if t.Case == lex.Lower && t.Flags&(lex.Word|lex.Foreign) != 0 {
			continue
		}
		names[t.Key] = t.Case
	}
}

// spreadInto marks words that are known names by now.
func (x *Sheet) spreadInto(names map[uint64]lex.Case) bool {
	more := false
	for i, t := range x.tok {
		if t.Kind != lex.Letters || x.held[i] && !x.loose(i) {
			continue
		}
		was, ok := names[t.Key]
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
	if x.is(i+1, "&") || x.is(i-1, "&") {
		return false
	}
	const plain = lex.Word | lex.Foreign | lex.Month | lex.Place | lex.OrgWord | lex.Street
	switch {
	case t.Flags&plain == 0:
		return true
	case t.Case == lex.Lower:
		return t.Flags&lex.Given != 0 && x.small() && x.lead[i] > -60
	case x.besideCapital(i) || x.is(i+1, ",") && t.Flags&lex.Place != 0:
		return false
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
	for i > 0 && x.is(i-1, "\"'“”„«»‹›(") {
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
	for _, c := range []byte(x.s[s.From:s.To]) {
		if c > ' ' && !slices.Contains([]byte("-./()"), c) {
			bare = append(bare, c)
		}
	}
	return []uint64{lex.Key(string(bare))}
}
