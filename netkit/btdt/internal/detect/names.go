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
		if tag.Kind(x.labels[i]) != tag.NameFirst || x.tok[i].Kind == lex.Digits || x.greets(i) || x.orders(i) {
			continue
		}
		to := x.labelled(i)
		for i+1 < to && x.before(i) {
			i++
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
	x.lines(used)
	x.handles(used)
	for x.rows(used) {
	}
}

// before tells whether the name that the tagger began at i begins behind it: at a
// quotation mark, at a firm (L'Oréal Jenkins), in über den Kündigungsbutton.
func (x *Sheet) before(i int) bool {
	t := x.tok[i]
	return t.Kind == lex.Sign || x.held[i] && !x.held[i+1] || !x.small() && t.Kind == lex.Letters && t.Case == lex.Lower && !particle(x.word(i)) && !x.honorific(i, i+1) && !x.known(i) ||
		x.smallWord(i) && !particle(x.word(i)) && !x.is(i+1, ".") // Em Braga
}

// labelled is the token behind the name that the tagger sees at i. Words in small
// letters are part of it between capitals alone, and only small ones are.
func (x *Sheet) labelled(i int) int {
	to := i + 1
	for to < len(x.tok) && x.labels[to] == tag.NameNext && !x.tok[to].Line {
		if x.is(to, `"`) && x.is(i-1, `"`) {
			break // the quotation ends
		}
		plain := x.tok[to].Kind == lex.Letters && x.tok[to].Case == lex.Lower && !particle(x.word(to)) && !x.joining(to)
		if x.is(to, ".") && x.stops(to) && to > 0 && x.tok[to-1].To-x.tok[to-1].From > 4 && (x.has(to+1, lex.Word|lex.Foreign) && !x.has(to+1, lex.Given|lex.Surname) || x.has(to+1, lex.Org) && x.held[to+1]) {
			break // the next sentence
		}
		if x.wordsGoOn(to) || x.tok[to].Kind == lex.Digits && streetEnd(x.word(to-1)) || x.is(to, `"`) && to+1 < len(x.tok) && x.held[to+1] {
			break
		}
		if x.is(to, ",;:") || plain && !x.small() && x.tok[i].Case != lex.Lower && !x.right(i, to) {
			break
		}
		to++
	}
	if to+1 < len(x.tok) && x.tok[to].To-x.tok[to].From == 1 && x.tok[to].Kind == lex.Letters && x.labels[to+1] == tag.NameFirst && x.tok[to].Case == lex.Lower && x.tok[i].Case == lex.Lower && x.small() {
		to += 2 // benjamin a seiler
	}
	for to > i+1 && x.tok[to-1].Kind == lex.Letters && x.tok[to-1].Case == lex.Lower && x.tok[i].Case != lex.Lower && !x.small() && !x.right(i, to-1) {
		to--
	}
	return to
}

// known tells whether a list has token i as a name.
func (x *Sheet) known(i int) bool { return x.tok[i].Flags&(lex.Given|lex.Surname) != 0 }

// right tells whether token to is what an honorific at i stands right before.
func (x *Sheet) right(i, to int) bool {
	return x.honorific(i, to) && (to == i+1 || to == i+2 && x.is(i+1, "."))
}

// joining tells whether a word joins two names: Sander en Willemijn.
func (x *Sheet) joining(i int) bool {
	return oneOf(x.word(i), "and und et en och oraz or") || x.word(i) == "y" || x.word(i) == "e" || x.word(i) == "i"
}

// lines looks for lines that are a name and nothing more.
func (x *Sheet) lines(used []bool) {
	if x.Field == "entity" || x.Field == "region" || x.Field == "legal_levers" || x.Field == "title" {
		return
	}
	for from := 0; from < len(x.tok); {
		to := from + 1
		for to < len(x.tok) && !x.tok[to].Line {
			to++
		}
		if to-from > 1 && to-from < 7 && !used[from] && x.nothingElse(from, to) {
			x.person(from, to, "nothing_else", 0.7, used)
		}
		from = to
	}
}

// nothingElse tells whether some tokens are a known name and nothing more.
func (x *Sheet) nothingElse(from, to int) bool {
	words := 0
	for i := from; i < to; i++ {
		t := x.tok[i]
		if x.is(i, ".") || particle(x.word(i)) && i > from {
			continue
		}
		const other = lex.OrgWord | lex.LawWord | lex.Role | lex.Street | lex.Month | lex.Keep | lex.Seen | lex.Kin
		if t.Kind != lex.Letters || t.Flags&other != 0 || x.held[i] || t.Case == lex.Caps && t.To-t.From > 1 {
			return false
		}
		if t.Flags&(lex.Word|lex.Foreign) != 0 && t.Flags&(lex.Given|lex.Surname) == 0 {
			return false
		}
		if t.To-t.From > 1 {
			words++
		}
	}
	first, last := x.tok[from].Flags, x.tok[to-1].Flags
	const ordinary = lex.Word | lex.Foreign
	return words > 1 && (first&lex.Given != 0 && (first&ordinary == 0 || last&ordinary == 0) || first == 0 && last&lex.Surname != 0)
}

// small tells whether a text does without capitals.
func (x *Sheet) small() bool { return x.style.small }

// shouted tells whether the text is written in capitals.
func (x *Sheet) shouted() bool { return x.style.caps*2 > x.style.words && x.style.words > 2 }

// style is how a text uses capitals, counted once for all who ask.
type style struct {
	words, caps int // of two letters or more
	small       bool
}

func styleOf(tokens []lex.Token) style {
	s := style{small: true}
	for i, t := range tokens {
		if t.Kind == lex.Placeholder {
			s.small = false // a capital may have stood there
		}
		if t.Kind != lex.Letters || t.To-t.From < 2 {
			s.small = s.small && !(i == 0 && t.Case == lex.Capital && t.Flags&lex.Foreign != 0 && t.Key != lex.Key("i")) // A norma diz
			continue
		}
		s.words++
		s.small = s.small && t.Case == lex.Lower
		if t.Case == lex.Caps {
			s.caps++
		}
	}
	return s
}

// person marks tokens from to to as a name, with the honorific before it and
// the initials and surnames that touch it.
func (x *Sheet) person(from, to int, rule string, score float64, used []bool) {
	for to > from && x.tok[to-1].Kind == lex.Sign && !x.is(to-1, ".") {
		to--
	}
	for from < to && (x.tok[from].Kind == lex.Sign || x.tok[from].Case == lex.Lower && functionKeys()[x.tok[from].Key]) {
		from++
	}
	if from+1 < to && x.officeCompound(from) {
		from++
	}
	if from == to || to-from == 1 && (x.tok[from].Case == lex.Lower && x.tok[from].Flags&lex.Kin != 0 || x.grammatical(from)) {
		return
	}
	if to == from+1 && x.tok[from].Flags&lex.Given != 0 && (rule == "relation" || x.titleBefore(from)) && x.capital(to) && x.tok[to].Space && (x.surnameLike(to) || rule == "relation" && x.has(to, lex.Surname) && !x.held[to] && !x.capital(to+1)) {
		to++
	}
	if to == from+1 && x.nearPair(from) {
		to++
	}
	if to == from+1 && x.tok[from].Flags&lex.Given != 0 && to < len(x.tok) {
		to = max(to, x.townName(to))
		if end := x.spelled(from); end > to && (x.capital(to) || !x.has(end-1, lex.Word|lex.Foreign)) && (!x.capital(end) || x.tok[end].Line) {
			to = end
		}
	}
	if x.monthName(from - 1) {
		from--
	}
	from = x.bynameBefore(x.honorificsBefore(x.givenBefore(x.initialsBefore(x.childBefore(from)))))
	to = x.nameAfter(to)
	if x.quotes(from, to)%2 == 1 && x.is(to, `"`) {
		to++ // a nickname goes with both its quotation marks
	}
	for i := from; i < to; i++ {
		used[i] = true
	}
	x.addName(from, to, rule, score)
}

// townName is the token behind the surname at i, though it is a town too, that
// goes on a given name: Nayla Montero. It is 0 where there is none.
func (x *Sheet) townName(i int) int {
	t := x.tok[i]
	const other = lex.Word | lex.Foreign | lex.OrgWord | lex.LawWord | lex.Role | lex.Street | lex.Org | lex.Seen
	if t.Case != lex.Capital || !t.Space || t.Line || x.held[i] || t.Flags&lex.Surname == 0 || t.Flags&other != 0 || x.capital(i+1) && !x.tok[i+1].Line || x.taken(t.From, t.To) || x.lead[i] < -150 {
		return 0
	}
	return i + 1
}

// monthName tells whether token i is a given name that is a month too, before a
// surname: Jan Jílek.
func (x *Sheet) monthName(i int) bool {
	if !x.capital(i) || x.tok[i+1].Line || !x.tok[i+1].Space || !oneOf(x.word(i), "jan april may june august") || x.has(i+1, lex.Given) || x.taken(x.tok[i].From, x.tok[i].To) {
		return false
	}
	return i == 0 || x.tok[i-1].Kind != lex.Digits && !oneOf(x.word(i-1), "in on of by since until till from before after last next every this mid late early to through and im am ab bis seit vor nach en de du em di w od do") && !x.is(i-1, ".-/")
}

// bynames stand before a given name and belong to it: Big Dave, Papa Koffi.
const bynames = "big little old young baby fat tall wee lil mama papa mami papi maman mamma mamá papá mamie tata tia ama lady sweet crazy dirty"

var bynameKeys = sync.OnceValue(func() map[uint64]bool { return keySet(bynames) })

// bynameBefore walks left over a byname, and over the article or the word for the
// kin of a family: the Hendersons, los hermanos Etxeberria.
func (x *Sheet) bynameBefore(i int) int {
	if i == 0 || x.tok[i].Line || x.taken(x.tok[i-1].From, x.tok[i-1].To) {
		return i
	}
	before := x.tok[i-1]
	switch {
	case before.Case == lex.Capital && bynameKeys()[before.Key] && (x.has(i, lex.Given) || x.lead[i] > 0):
		return i - 1
	case before.Case == lex.Lower && oneOf(x.word(i-1), "the baby") && (oneOf(x.word(i-1), "baby") || strings.HasSuffix(x.word(i), "s") && !x.capital(i+1) && !x.has(i+1, lex.OrgWord)):
		return i - 1
	case i > 1 && before.Case == lex.Lower && oneOf(x.word(i-1), "hermanos hermanas familia irmãos irmãs família fratelli sorelle famiglia frères sœurs famille geschwister brüder familie broers zussen rodzina rodziny rodzeństwo bracia siostry esposos cônjuges coniugi époux małżonkowie"):
		if x.tok[i-1].Line || !oneOf(x.word(i-2), "los las la os as le les gli die der") {
			return i - 1
		}
		return i - 2
	}
	return i
}

// givenBefore walks left over the given name before an initial, or over one that is an
// ordinary word before a surname that is none: Tom I. Holzman, Bill Oduya.
func (x *Sheet) givenBefore(i int) int {
	if !x.initial(i) && !(x.has(i, lex.Surname) && x.tok[i].Flags&(ordinary|lex.Given) == 0 && x.tok[i].Space && x.has(i-1, lex.Word) && !oneOf(x.wordOr(i-1), "chase") && !x.held[i-1]) || !x.capital(i-1) || x.tok[i].Line || x.tok[i-1].Flags&lex.Given == 0 || x.taken(x.tok[i-1].From, x.tok[i-1].To) {
		return i
	}
	return i - 1
}

// quotes counts the quotation marks among some tokens.
func (x *Sheet) quotes(from, to int) (n int) {
	for i := from; i < to; i++ {
		if x.is(i, `"`) {
			n++
		}
	}
	return n
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

// initialsBefore walks left over J. R. and, before a surname, over J R.
func (x *Sheet) initialsBefore(i int) int {
	for i > 0 && i < len(x.tok) && !x.tok[i].Line && x.tok[i].Kind == lex.Letters && x.tok[i].Case != lex.Lower {
		j := i - 1
		if x.is(j, ".") && j > 0 && !x.tok[j].Line {
			j--
		} else if x.tok[i].Flags&lex.Given != 0 {
			return i
		}
		t := x.tok[j]
		if !x.initial(j) || x.held[j] || x.word(j) == "I" || (x.word(j) == "V" || x.word(j) == "A" && x.shouted()) && !x.is(j+1, ".") || x.taken(t.From, t.To) {
			return i
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
		case x.letters(i) && !x.taken(t.From, t.To):
			i++ // MD, held for a state elsewhere
		case x.held[i] || x.taken(t.From, t.To):
			return i
		case t.Kind == lex.Letters && t.To-t.From == 1 && t.Case != lex.Lower && x.is(i+1, ".") && x.capital(i+2) && x.nameWord(i+2):
			i += 2
		case x.is(i, "'") && x.wordOr(i+1) == "t" && x.capital(i+2) && oneOf(x.word(i-1), "van in aan"):
			i += 3 // Van 't Hoff
		case x.childOf(i) > 0 && x.capital(i+x.childOf(i)):
			i += x.childOf(i) + 1
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

// letters tells whether token i is what stands behind a name for a generation or
// a degree: Jr, III, MD.
func (x *Sheet) letters(i int) bool {
	if i >= len(x.tok) {
		return false
	}
	t := x.tok[i]
	return t.Space && t.Case != lex.Lower && oneOf(x.word(i), "jr sr ii iii iv md phd dds esq cpa rn dvm")
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

// surnameAt tells whether token i is a capitalised word that is a name and
// nothing else that could follow a role.
func (x *Sheet) surnameAt(i int) bool {
	const other = lex.OrgWord | lex.LawWord | lex.Role | lex.Place | lex.Keep | lex.Month | lex.Word | lex.Org | lex.Street
	if i >= len(x.tok) || x.tok[i].Case != lex.Capital || !x.tok[i].Space || x.tok[i].Line || x.held[i] || x.taken(x.tok[i].From, x.tok[i].To) {
		return false
	}
	if x.tok[i].Flags&lex.Noun != 0 && x.lead[i] < -300 {
		return false // Leiter Schaden
	}
	return x.tok[i].Flags&(lex.Given|lex.Surname) != 0 && x.tok[i].Flags&other == 0
}

// soleGiven tells whether a capitalised word is a given name and nothing else
// that is known, or a surname that stands alone.
func (x *Sheet) soleGiven(i int) bool {
	t := x.tok[i]
	if t.Case != lex.Capital && !x.inner(i) && !(t.Case == lex.Caps && t.To-t.From > 4 && t.Flags&lex.Given != 0 && x.shouted()) || t.To-t.From < 3 || t.Flags&(lex.Given|lex.Surname) == 0 || compoundThing(x.word(i)) {
		return false
	}
	switch k := tag.Kind(x.labels[i]); {
	case k == tag.Other:
	case t.Flags&lex.Given != 0 && x.owns(i):
	case k != tag.OrgFirst && k != tag.PlaceFirst || t.Flags&lex.Given == 0 || t.Flags&lex.Place != 0 || x.lead[i] < -150 || !x.alone(i):
		return false
	}
	if t.Flags&lex.Given == 0 && (x.lead[i] < -80 || !x.alone(i) || t.Flags&lex.Place != 0) {
		return false
	}
	if t.Flags&^(lex.Given|lex.Surname|lex.Start|lex.Clinical|lex.Place|lex.Languages) != 0 || functionKeys()[t.Key] {
		return false
	}
	if t.Flags&lex.Place != 0 && (i == 0 || x.is(i+1, ",") || oneOf(x.word(i-1), "in at from to near of nach aus bei à de en a em di do w z te uit naar im am zu für via")) {
		return false
	}
	return !x.capital(i+1) || x.tok[i+1].Flags&(lex.OrgWord|lex.LawWord|lex.Street|lex.Role) == 0
}

// inner tells whether token i has a capital inside as names have them: McDonald,
// DeShawn, and not AStA.
func (x *Sheet) inner(i int) bool {
	w := x.word(i)
	return x.tok[i].Case == lex.Inner && len(w) > 1 && w[1] >= 'a'
}
