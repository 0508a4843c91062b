package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// newSurname tells whether a given name that is nothing else and a word that no
// list knows stand together: Maximiliano Echeverry.
func (x *Sheet) newSurname(i int) bool {
	if !x.pair(i) || x.capital(i+2) || x.capital(i-1) || x.held[i+1] || x.Field == "entity" {
		return false
	}
	if x.lead[i] < -150 && !(x.is(i+2, "'") && x.lead[i] > -450) {
		return false // what Terence Vassiliev's Cautionary Tales tell is a person's
	}
	k := tag.Kind(x.labels[i])
	return x.tok[i].Flags&^(lex.Surname|lex.Start|lex.Languages) == lex.Given && x.tok[i+1].Flags&^lex.Languages == 0 && x.tok[i+1].Case == lex.Capital && k != tag.LawFirst && k != tag.AddressFirst
}

// owns tells whether a word with an s stands before an organisation or law that
// is known by itself: Declan's Revenue Commissioners penalty.
func (x *Sheet) owns(i int) bool {
	return x.is(i+1, "'") && i+3 < len(x.tok) && x.word(i+2) == "s" && !x.tok[i+2].Space && x.held[i+3] && !x.held[i] && !x.capital(i-1)
}

// plainSurname tells whether a surname is an ordinary word too, and stands in an
// English sentence between words in small letters or owns something: Zoe Young.
func (x *Sheet) plainSurname(i int) bool {
	const other = lex.OrgWord | lex.LawWord | lex.Role | lex.Street | lex.Month | lex.Keep | lex.Place | lex.Org | lex.Seen | lex.Title
	t := x.tok[i]
	if x.speech != lex.English || t.Case != lex.Capital || t.Flags&lex.Surname == 0 || t.Flags&other != 0 || x.held[i] || x.lead[i] < -250 || x.Field == "title" || x.Field == "entity" {
		return false
	}
	return x.is(i+1, "'") || i+1 < len(x.tok) && x.tok[i+1].Case == lex.Lower && x.tok[i+1].Kind == lex.Letters && !x.capital(i-2)
}

// nearPair tells whether a given name and a word that may be a surname stand
// together, though both are ordinary words, and the tagger is nearly sure of them:
// Socorro Amador. At the start of a sentence the first one may be a verb.
func (x *Sheet) nearPair(i int) bool {
	const other = lex.OrgWord | lex.LawWord | lex.Role | lex.Street | lex.Month | lex.Org | lex.Seen | lex.Kin | lex.Title | lex.Keep | lex.Place
	if i+1 >= len(x.tok) || x.Field == "entity" || x.tok[i].Flags&lex.Given == 0 || x.sentenceStart(i) && x.tok[i].Flags&(lex.Word|lex.Foreign) != 0 || x.capital(i-1) && !x.sentenceStart(i-1) || x.capital(i+2) {
		return false
	}
	for j := i; j < i+2; j++ {
		town := j > i && x.has(j, lex.Surname) && x.tok[i].Flags&(lex.Foreign|lex.Word) == 0
		if t := x.tok[j]; t.Case != lex.Capital || t.Flags&other != 0 && !(town && t.Flags&other == lex.Place) || x.held[j] || x.lead[j] < -100 || x.taken(t.From, t.To) {
			return false
		}
	}
	return x.tok[i+1].Space && !x.tok[i+1].Line && (x.tok[i+1].Flags&lex.Surname != 0 || x.tok[i].Flags&lex.Word == 0 && x.tok[i+1].Flags&(lex.Word|lex.Noun) == 0)
}

// polishPair tells whether a given name and a surname of a Polish form stand
// together, though the one is a town and the other an adjective as well.
func (x *Sheet) polishPair(i int) bool {
	k := i + 1
	return k < len(x.tok) && x.tok[i].Case == lex.Capital && x.tok[k].Case == lex.Capital && x.tok[k].Space && !x.tok[k].Line && !x.held[i] && !x.held[k] &&
		lastly(x.word(k), "ski cki zki ska cka zka skiego ckiego zkiego skiej ckiej zkiej skiemu ckiemu zkiemu") && !x.has(k, lex.OrgWord|lex.Org|lex.Seen|lex.Place) &&
		(x.is(k+1, ",;.") || k+1 == len(x.tok)) && (i == 0 || x.tok[i].Line || x.is(i-1, ",;:"))
}

// pairAt tells whether a given name and a surname stand together, both with
// capitals and neither an ordinary word.
func (x *Sheet) pairAt(i int) bool {
	const other = lex.Word | lex.Foreign | lex.Place | lex.Role | lex.OrgWord | lex.LawWord | lex.Street | lex.Month | lex.Keep
	if x.polishPair(i) {
		return true
	}
	if i+1 >= len(x.tok) || x.tok[i].Flags&other != 0 || x.greets(i) || !x.nameWord(i+1) && !x.plainSurname(i+1) || !x.tok[i+1].Space || x.tok[i+1].Line {
		return false
	}
	if oneOf(x.word(i), "san santa santo sant são saint ste rio villa puerto monte") && x.lead[i] < 0 {
		return false // places
	}
	k := tag.Kind(x.labels[i])
	return k != tag.LawFirst && k != tag.AddressFirst && x.tok[i+1].Flags&lex.Surname != 0 && !x.has(i+2, lex.OrgWord) && !strings.Contains(x.word(i), "'")
}
