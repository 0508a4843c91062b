package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// employer tells whether the small word at i ties a person on its left to an
// organisation, or a thing to a person on its right: Priya Shah of Acme Heating,
// il buono scuola di Leila Haddadi.
func (x *Sheet) employer(i int) bool {
	if i < 0 || i >= len(x.tok) || x.tok[i].Case != lex.Lower || !oneOf(x.word(i), "of for from at di da do de du") {
		return false
	}
	return x.givenAndSurname(i-2) && !x.capital(i-3) || x.givenAndSurname(i+1) && x.lead[i+1] > 100
}

// givenAndSurname tells whether token i is a given name, known as such, and the
// next one its surname.
func (x *Sheet) givenAndSurname(i int) bool {
	const other = lex.OrgWord | lex.LawWord | lex.Street | lex.Role
	if i < 0 || x.has(i+1, lex.Place) || i+1 >= len(x.tok) || x.tok[i].Case != lex.Capital || !x.capital(i+1) || !x.tok[i+1].Space || (x.tok[i].Flags|x.tok[i+1].Flags)&other != 0 {
		return false
	}
	named := tag.Kind(x.labels[i]) == tag.NameFirst && tag.Kind(x.labels[i+1]) == tag.NameFirst
	if x.tok[i].Flags&lex.Given == 0 {
		return named && x.tok[i].Flags == 0 && x.tok[i+1].Flags&lex.Word == 0 && x.lead[i] > 300
	}
	const ordinary = lex.Word | lex.Foreign
	return named || x.tok[i+1].Flags&lex.Surname != 0 && x.tok[i].Flags&ordinary == 0
}

// childOf is how many tokens at i join the name of a person to that of the
// father or husband: a/l, s/o, w/o, anak; or none.
func (x *Sheet) childOf(i int) int {
	switch {
	case i < 0 || i+1 >= len(x.tok):
		return 0
	case x.word(i) == "anak":
		return 1
	case i+2 < len(x.tok) && x.is(i+1, "/") && !x.tok[i+1].Space && !x.tok[i+2].Space:
		pair := strings.ToLower(x.word(i) + x.word(i+2))
		if pair == "al" || pair == "ap" || pair == "so" || pair == "do" || pair == "wo" {
			return 3
		}
	}
	return 0
}

// childBefore walks left over such a joiner and the name before it.
func (x *Sheet) childBefore(i int) int {
	for _, n := range []int{0, 1, 3} { // 0 when the joiner itself starts the name
		j := i - n
		if j < 1 || x.childOf(j) == 0 || n > 0 && x.childOf(j) != n || !x.capital(j-1) || x.held[j-1] {
			continue
		}
		for j > 0 && x.capital(j-1) && !x.held[j-1] && !x.tok[j].Line && j > i-7 {
			j--
		}
		return j
	}
	return i
}

// saintly tells whether a phrase that is held is a surname like San Sebastián,
// for it follows a given name.
func (x *Sheet) saintly(i, n int) bool {
	if n != 2 || i < 1 || i+n > len(x.tok) || x.tok[i].Line || !x.capital(i+1) || x.capital(i+n) || !oneOf(x.word(i), "san santa santo são") || x.tok[i-1].Case != lex.Capital {
		return false
	}
	const other = lex.Place | lex.OrgWord | lex.LawWord | lex.Role | lex.Street | lex.Title
	return x.tok[i-1].Flags&lex.Given != 0 && x.tok[i-1].Flags&other == 0 && !facilityKeys()[x.tok[i-1].Key] && !x.capital(i-2) && !x.has(i+n, lex.OrgWord)
}

// public bodies and laws belong to a place, not to a person.
const publicBodies = "ombudsman tribunal department commission regulator legislature parliament governor mayor council board statute constitution supreme attorney registry consulate embassy ministry police courts lemon residential consumer insurance utility water transit state town city county airport university"

var rulerKeys = sync.OnceValue(func() map[uint64]bool { return keySet(publicBodies) })

// places of the name of a person, which a public body may belong to. Lists of
// places leave some of them out.
const peopled = "trinidad victoria georgia virginia carolina austin florence sydney adelaide charlotte dakota tasmania jordan israel chad kenya india chelsea brent camden kent devon paris vienna madison jackson houston dallas lincoln orlando savannah raleigh"

var peopledKeys = sync.OnceValue(func() map[uint64]bool { return keySet(peopled) })

// ruledFrom tells whether the place at i has a public body: Trinidad's RIC.
func (x *Sheet) ruledFrom(i int) bool {
	if !x.is(i+1, "'") || i+3 >= len(x.tok) || x.word(i+2) != "s" || !x.has(i, lex.Place) && !peopledKeys()[x.tok[i].Key] {
		return false
	}
	next := x.tok[i+3]
	if x.has(i, lex.Given) && x.lead[i] > 300 {
		return rulerKeys()[next.Key] // Lorraine's PIP report
	}
	return rulerKeys()[next.Key] || next.Case == lex.Caps || x.held[i+3] && next.Case != lex.Lower
}

// couple tells whether two given names and nothing else are joined by an "and"
// sign: Tom & Sarah. Beside another capital it is the name of a firm.
func (x *Sheet) couple(i int) bool {
	if x.Field == "entity" || !x.is(i+1, "&") || i+2 >= len(x.tok) || !x.tok[i+1].Space || x.capital(i-1) && !x.tok[i].Line && !x.wroteTo(i-1) || x.capital(i+3) || x.is(i+3, "&'-") {
		return false
	}
	for _, j := range []int{i, i + 2} {
		const other = lex.OrgWord | lex.LawWord | lex.Role | lex.Street | lex.Org | lex.Seen
		if t := x.tok[j]; t.Case != lex.Capital || t.Line && j > i || t.Flags&lex.Given == 0 || t.Flags&other != 0 || t.To-t.From < 3 || x.held[j] {
			return false
		}
	}
	return (x.tok[i].Flags|x.tok[i+2].Flags)&(lex.Word|lex.Foreign) == 0 || x.tok[i+2].Flags&(lex.Word|lex.Foreign) == 0
}

// wroteTo tells whether token i is a verb that starts a sentence and has people as
// its object: Emailed Fiona & Declan.
func (x *Sheet) wroteTo(i int) bool {
	return x.sentenceStart(i) && oneOf(x.word(i), "emailed called phoned rang texted told asked thanked messaged met saw contacted email call phone text ask tell thank copy copied cc bcc")
}

// belongings are what a person has and a place has not.
const belongings = "mother mum mom father dad son daughter wife husband brother sister teacher solicitor lawyer gp carer surname birthday passport landlord employer payslip pension prescription"

// familyOf tells whether a given name, though a place too, has what only a person
// has: Austin's teacher.
func (x *Sheet) familyOf(i int) bool {
	t := x.tok[i]
	return t.Case == lex.Capital && t.Flags&lex.Given != 0 && t.Flags&(lex.Word|lex.Month|lex.Org|lex.Seen) == 0 && x.is(i+1, "'") && i+3 < len(x.tok) && x.word(i+2) == "s" && oneOf(x.word(i+3), belongings)
}

// orders tells whether the capital at i is a verb that starts the sentence and has
// a name as its object: Thank Noor.
func (x *Sheet) orders(i int) bool {
	const ordinary = lex.Word | lex.Foreign
	return oneOf(x.word(i), "thank thanks ask tell call email phone ring contact text message visit see meet remind") && x.sentenceStart(i) && x.capital(i+1) && x.has(i+1, lex.Given) && !x.has(i+1, ordinary)
}

// greets tells whether the capital at i speaks to the name behind it: Olá Thaís.
func (x *Sheet) greets(i int) bool {
	return oneOf(x.word(i), "hi hello hey hola ciao olá cześć hallo bonjour salut danke dzięki merci gracias fao attn") && x.capital(i+1) && !x.tok[i+1].Line
}

// wordsGoOn tells whether, in capitals, an article and an ordinary word stand
// behind a name: MME DELACROIX LE MATIN.
func (x *Sheet) wordsGoOn(i int) bool {
	return x.tok[i].Case == lex.Caps && functionKeys()[x.tok[i].Key] && x.has(i+1, lex.Foreign) && !x.has(i+1, lex.Given) && x.shouted()
}

// inRe tells whether token i ends what opens the name of a case with one party:
// In re Gault, Ex parte Young.
func (x *Sheet) inRe(i int) bool {
	if i < 1 || !x.tok[i].Space {
		return false
	}
	return x.word(i) == "re" && x.word(i-1) == "In" || x.word(i) == "parte" && x.word(i-1) == "Ex"
}

// holdRe holds the party behind it: In re Marriage of Brown.
func (x *Sheet) holdRe(i int) {
	to := i + 1
	for to < len(x.tok) && to-i < 7 && (x.capital(to) || x.capital(to+1) && (x.word(to) == "of" || particle(x.word(to)))) {
		to++
	}
	x.hold(i+1, to)
}
