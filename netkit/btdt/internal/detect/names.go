package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// names finds people: what the tagger says, unless it must stay, and what an
// honorific, a relation, an initial or a known given name gives away.
func (x *Sheet) names() {
	if x.Field == "sub_category" {
		return
	}
	used := make([]bool, len(x.tok))
	for i := 0; i < len(x.tok); i++ {
		if tag.Kind(x.labels[i]) != tag.NameFirst {
			continue
		}
		to := i + 1
		for to < len(x.tok) && x.labels[to] == tag.NameNext {
			to++
		}
		if x.plausible(i, to) {
			x.person(i, to, "tagger", 0.9, used)
		}
		i = to - 1
	}
	for i := range x.tok {
		if !used[i] {
			x.nameByRule(i, used)
		}
	}
	if len(x.tok) > 1 && len(x.tok) < 7 && !used[0] {
		x.nothingElse(used)
	}
}

// nothingElse takes a text that is a known name and nothing more.
func (x *Sheet) nothingElse(used []bool) {
	if x.Field == "entity" || x.Field == "region" || x.Field == "legal_levers" || x.Field == "title" {
		return
	}
	words := 0
	for i, t := range x.tok {
		if x.is(i, ".") || particle(x.word(i)) && i > 0 {
			continue
		}
		const other = lex.Word | lex.Foreign | lex.OrgWord | lex.LawWord | lex.Role | lex.Street | lex.Month | lex.Keep | lex.Seen | lex.Kin
		if t.Kind != lex.Letters || t.Flags&other != 0 || x.held[i] || t.Case == lex.Caps && t.To-t.From > 1 {
			return
		}
		if t.To-t.From > 1 {
			words++
		}
	}
	first, last := x.tok[0].Flags, x.tok[len(x.tok)-1].Flags
	if words > 1 && (first&lex.Given != 0 || first == 0 && last&lex.Surname != 0) {
		x.person(0, len(x.tok), "nothing_else", 0.7, used)
	}
}

// plausible weeds out what the tagger takes for a name and cannot be one.
func (x *Sheet) plausible(from, to int) bool {
	held, letters, capitals, known := 0, 0, 0, false
	for i := from; i < to; i++ {
		if x.tok[i].Kind != lex.Letters {
			continue
		}
		letters++
		if x.tok[i].Case != lex.Lower {
			capitals++
		}
		known = known || x.tok[i].Flags&(lex.Given|lex.Surname) != 0 && x.tok[i].Flags&(lex.Word|lex.Foreign) == 0
		if x.held[i] {
			held++
		}
	}
	if capitals == 0 && !x.small() && !(letters > 1 && x.tok[from].Flags&lex.Given != 0 && known) {
		return false // small letters in a text that uses capitals
	}
	if letters == 0 || held*2 > letters || held > 0 && to < len(x.held) && x.held[to] && x.held[to-1] || capitals == 0 && !known {
		return false
	}
	if letters == 1 && !x.titleBefore(from) {
		t := x.tok[from]
		if t.Flags&lex.Place != 0 && x.is(from-1, ",") && x.lead[from] < 150 || x.is(to, ".") && to+1 < len(x.held) && x.held[to+1] && !x.sentenceStart(to+1) {
			return false // the place behind a name, or the start of a law
		}
		ordinary := t.Flags&(lex.Word|lex.Foreign|lex.Keep|lex.Month|lex.Role|lex.OrgWord|lex.LawWord|lex.Ill|lex.Care) != 0
		if ordinary && t.Flags&(lex.Given|lex.Surname) == 0 && (t.Case == lex.Lower || x.sentenceStart(from)) {
			return false
		}
		if t.Flags&lex.Foreign != 0 && t.Flags&(lex.Given|lex.Surname|lex.Word) == 0 && !x.shouted() {
			return false // a noun, as German writes them
		}
		if t.Case == lex.Lower && ordinary {
			return false
		}
		if ordinary && t.Case == lex.Capital && !x.clearly(from) {
			return false
		}
		if t.Case == lex.Caps && t.To-t.From <= 4 && !x.shouted() || t.Case == lex.Caps && t.To-t.From <= 5 && t.Flags&(lex.Given|lex.Surname) == 0 && !x.shouted() {
			return false // an abbreviation
		}
		if t.To-t.From < 2 {
			return false
		}
	}
	return true
}

// clearly tells whether the tagger is sure enough of a name that is an ordinary
// word as well: more so for what is known as a surname alone.
func (x *Sheet) clearly(i int) bool {
	switch {
	case x.tok[i].Flags&lex.Given == 0:
		return x.lead[i] >= 100
	case x.sentenceStart(i):
		return x.lead[i] >= 40
	}
	return true
}

// small tells whether a text does without capitals.
func (x *Sheet) small() bool {
	for _, t := range x.tok {
		if t.Kind == lex.Letters && t.Case != lex.Lower && t.To-t.From > 1 {
			return false
		}
	}
	return true
}

// titleBefore tells whether an honorific stands right before a token.
func (x *Sheet) titleBefore(i int) bool {
	if x.is(i-1, ".") {
		i--
	}
	return i > 0 && oneOf(x.word(i-1), strongTitles) && !x.tok[i].Line
}

// shouted tells whether the text is written in capitals.
func (x *Sheet) shouted() bool {
	caps, words := 0, 0
	for _, t := range x.tok {
		if t.Kind == lex.Letters && t.To-t.From > 1 {
			words++
			if t.Case == lex.Caps {
				caps++
			}
		}
	}
	return caps*2 > words && words > 2
}

// person marks tokens from to to as a name, with the honorific before it and
// the initials and surnames that touch it.
func (x *Sheet) person(from, to int, rule string, score float64, used []bool) {
	for to > from && x.tok[to-1].Kind == lex.Sign && !x.is(to-1, ".") {
		to--
	}
	from = x.honorificsBefore(from)
	to = x.nameAfter(to)
	for i := from; i < to; i++ {
		used[i] = true
	}
	if to > from {
		x.addName(from, to, rule, score)
	}
}

func (x *Sheet) addName(from, to int, rule string, score float64) {
	a, b := x.tok[from].From, x.tok[to-1].To
	if x.s[b-1] == '.' && !x.initialBefore(to-1) {
		b = x.tok[to-2].To
	}
	x.add(a, b, Name, rule, score)
}

// initialBefore tells whether the full stop at token i belongs to an initial and
// the text goes on behind it.
func (x *Sheet) initialBefore(i int) bool {
	return i > 0 && x.tok[i-1].To-x.tok[i-1].From == 1 && i+1 < len(x.tok) && !x.tok[i+1].Line
}

// honorificsBefore walks left over Mr., Frau Dr. and the like.
func (x *Sheet) honorificsBefore(i int) int {
	for i > 0 && !x.tok[i].Line {
		j := i - 1
		if x.is(j, ".") && j > 0 {
			j--
		}
		w := x.word(j)
		if x.tok[j].Flags&lex.Title == 0 || x.tok[j].Case == lex.Lower && !oneOf(w, "pan pani pana panu dhr mevr mw meneer mevrouw sig sra sr dr señor señora señorita senhor senhora doña dona don monsieur madame signor signora") {
			return i
		}
		if oneOf(w, "officer judge justice senator sergeant captain constable father mother sister brother me") {
			return i // these are roles or relations, which stay
		}
		i = j
	}
	return i
}

// nameAfter walks right over surnames and initials that the finding stopped at.
func (x *Sheet) nameAfter(i int) int {
	for i < len(x.tok) && !x.tok[i].Line && i > 0 {
		t := x.tok[i]
		switch {
		case x.held[i] || x.taken(t.From, t.To):
			return i
		case t.Kind == lex.Letters && t.To-t.From == 1 && t.Case != lex.Lower && x.is(i+1, ".") && x.capital(i+2) && x.nameWord(i+2):
			i += 2
		case x.nameWord(i) && t.Space && x.tok[i-1].Kind == lex.Letters:
			i++
		case particle(x.word(i)) && x.capital(i+1) && x.nameWord(i+1) && x.tok[i+1].Flags&lex.Surname != 0 && !oneOf(x.word(i), "e y i und"):
			i += 2
		default:
			return i
		}
	}
	return i
}

// nameWord tells whether a capitalised word can only be part of a name.
func (x *Sheet) nameWord(i int) bool {
	t := x.tok[i]
	if t.Kind != lex.Letters || t.Case == lex.Lower || t.To-t.From < 2 || x.held[i] {
		return false
	}
	k := tag.Kind(x.labels[i])
	if k == tag.LawFirst || k == tag.AddressFirst || k == tag.RoleFirst {
		return false
	}
	return t.Flags&(lex.Surname|lex.Given) != 0 && t.Flags&(lex.Word|lex.Foreign|lex.Role|lex.OrgWord|lex.LawWord|lex.Month|lex.Keep|lex.Place|lex.Org) == 0
}

const (
	strongTitles = "mr mrs ms miss mx dr prof herr herrn frau fräulein monsieur madame mademoiselle mme mlle señor señora señorita sra srta doña senhor senhora sig signor signora signorina dott dottssa dottoressa avv meneer mevrouw dhr mevr mw pani pana panu"
	naming       = "named called heiße heißt namens heisst"
)

var titleKeys = sync.OnceValue(func() map[uint64]bool { return keySet(strongTitles) })

// nameByRule looks for people that the tagger did not see.
func (x *Sheet) nameByRule(i int, used []bool) {
	t := x.tok[i]
	if t.Kind != lex.Letters || x.held[i] || x.taken(t.From, t.To) {
		return
	}
	switch {
	case t.Flags&lex.Title != 0 && titleKeys()[t.Key]:
		x.titled(i, used)
	case t.Flags&lex.Role != 0 && x.surnameAt(i+1) && !used[i+1]:
		x.person(i+1, i+2, "role", 0.75, used)
	case t.Case != lex.Lower && t.Flags&lex.Given != 0 && x.pairAt(i):
		x.person(i, i+2, "known_names", 0.8, used)
	case t.To-t.From == 1 && t.Case != lex.Lower && x.is(i+1, ".") && i+2 < len(x.tok) && x.nameWord(i+2) && !x.tok[i+2].Line:
		x.person(i, i+3, "initial", 0.8, used)
	case x.soleGiven(i):
		x.person(i, i+1, "given_name", 0.75, used)
	case t.Flags&lex.Kin != 0 && x.capital(i+1) && !x.held[i+1] && !used[i+1] && t.Case == lex.Lower && x.tok[i+1].Case == lex.Capital && x.tok[i+1].Space && (x.tok[i+1].Flags&lex.Given != 0 && x.tok[i+1].Flags&(lex.Role|lex.Org|lex.Month|lex.Keep) == 0 || x.tok[i+1].Flags&^lex.Surname == 0):
		x.person(i+1, i+2, "relation", 0.85, used)
	}
}

// titled takes what stands behind an honorific: a surname, an initial with one,
// or in careless typing a word in small letters that is no other.
func (x *Sheet) titled(i int, used []bool) {
	j := i + 1
	if x.is(j, ".") {
		j++
	}
	if j >= len(x.tok) || x.tok[j].Line || used[j] || x.held[j] || x.tok[j].Kind != lex.Letters || x.taken(x.tok[j].From, x.tok[j].To) {
		return
	}
	const other = lex.Word | lex.Foreign
	t := x.tok[j]
	switch {
	case t.Flags&(lex.Role|lex.OrgWord|lex.Title|lex.Kin) != 0:
	case t.Case != lex.Lower && t.To-t.From == 1 && x.is(j+1, ".") && x.capital(j+2):
		x.person(j, j+3, "honorific", 0.95, used)
	case t.Case != lex.Lower && x.tok[i].Case != lex.Lower && (t.Flags&other == 0 || t.Flags&(lex.Given|lex.Surname) != 0):
		x.person(j, j+1, "honorific", 0.95, used)
	case t.Case != lex.Lower && t.Flags&other == 0:
		x.person(j, j+1, "honorific", 0.9, used)
	case t.Case == lex.Lower && t.To-t.From > 3 && t.Flags&other == 0 && !particle(x.word(j)):
		x.person(j, j+1, "honorific", 0.8, used)
	}
}

// surnameAt tells whether token i is a capitalised word that is a name and
// nothing else that could follow a role.
func (x *Sheet) surnameAt(i int) bool {
	const other = lex.OrgWord | lex.LawWord | lex.Role | lex.Place | lex.Keep | lex.Month | lex.Word | lex.Org | lex.Street
	if i >= len(x.tok) || x.tok[i].Case != lex.Capital || !x.tok[i].Space || x.tok[i].Line || x.held[i] || x.taken(x.tok[i].From, x.tok[i].To) {
		return false
	}
	return x.tok[i].Flags&(lex.Given|lex.Surname) != 0 && x.tok[i].Flags&other == 0
}

// soleGiven tells whether a capitalised word is a given name and nothing else
// that is known.
func (x *Sheet) soleGiven(i int) bool {
	t := x.tok[i]
	if t.Case != lex.Capital && t.Case != lex.Inner || t.To-t.From < 3 || t.Flags&lex.Given == 0 || tag.Kind(x.labels[i]) != tag.Other {
		return false
	}
	if t.Flags&^(lex.Given|lex.Surname|lex.Start|lex.Clinical|lex.Place) != 0 {
		return false
	}
	if t.Flags&lex.Place != 0 && (i == 0 || x.is(i+1, ",") || oneOf(x.word(i-1), "in at from to near of nach aus bei à de en a em di do w z te uit naar im am zu für via")) {
		return false
	}
	return !x.capital(i+1) || x.tok[i+1].Flags&(lex.OrgWord|lex.LawWord|lex.Street|lex.Role) == 0
}

// pairAt tells whether a given name and a surname stand together, both with
// capitals and neither an ordinary word.
func (x *Sheet) pairAt(i int) bool {
	const other = lex.Word | lex.Foreign | lex.Place | lex.Role | lex.OrgWord | lex.LawWord | lex.Street | lex.Month | lex.Keep
	if i+1 >= len(x.tok) || x.tok[i].Flags&other != 0 || !x.nameWord(i+1) || !x.tok[i+1].Space || x.tok[i+1].Line {
		return false
	}
	k := tag.Kind(x.labels[i])
	return k != tag.LawFirst && k != tag.AddressFirst && x.tok[i+1].Flags&lex.Surname != 0 && !x.has(i+2, lex.OrgWord) && !strings.Contains(x.word(i), "'")
}
