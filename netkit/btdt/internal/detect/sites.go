package detect

import (
	"slices"
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

const (
	// sites end the names of buildings and ways, whoever they are named after.
	sites = "tower towers building bhavan bhawan bhavana sadan soudha plaza arcade mansions barracks pavilion quay wharf annexe " +
		"way road street avenue drive crescent boulevard parkway highway expressway interchange mall"

	// homes end them too, but are surnames as well: Gregory House.
	homes = "house hall court chambers lodge square lane place close terrace gardens"
)

var (
	siteKeys = sync.OnceValue(func() map[uint64]bool { return keySet(sites) })
	homeKeys = sync.OnceValue(func() map[uint64]bool { return keySet(homes) })
)

// holdSite holds a building or a way without a number: Fidentia House, John Maddison
// Tower, Walter Burke Way. Two words of which the last is a surname too are none
// where the first is a given name.
func (x *Sheet) holdSite(i int) bool {
	home := homeKeys()[x.tok[i].Key]
	if x.tok[i].Case != lex.Capital || !home && !siteKeys()[x.tok[i].Key] {
		return false
	}
	from := i
	for from > 0 && i-from < 4 && x.capital(from-1) && !x.tok[from].Line && x.tok[from-1].Flags&lex.Title == 0 {
		from--
	}
	if from == i || x.titleBefore(from) || x.is(i+1, "'") {
		return false
	}
	if i-from == 1 && x.tok[from].Flags&lex.Given != 0 && (home || x.tok[i].Flags&lex.Surname != 0) {
		return false
	}
	x.hold(from, i+1)
	return true
}

// holdThing holds a capitalised word that what stands beside it makes a thing.
func (x *Sheet) holdThing(i int) {
	switch {
	case x.tok[i].Case == lex.Lower || x.titleBefore(i):
	case x.halved(i):
		x.hold(i, i+1)
		if x.tok[i+2].Case == lex.Lower && x.capital(i+3) && !x.has(i+3, lex.Given) {
			x.hold(i+3, i+4)
		}
	case x.generalOffice(i), x.streetAlone(i):
		x.hold(i-1, i+1)
	case x.counterOf(i), x.robot(i), x.quoted(i), x.certified(i), x.misread(i):
		x.hold(i, i+1)
	case x.word(i) == "Cass" && x.is(i+1, ".,"): // Cass., Sez. Un., 13979/2007
		for j := i; j < len(x.tok) && j < i+9; j++ {
			if oneOf(x.word(j), "cass sez un ss uu civ pen lav ord") {
				x.hold(j, j+1)
			}
		}
	case oneOf(x.wordOr(i+1), "ds") && x.is(i+2, "."): // Prorektor ds. Studenckich
		x.hold(i, i+1)
		if x.capital(i + 3) {
			x.hold(i+3, i+4)
		}
	}
}

// counters follow the place where a firm or an office has them.
const counters = "counter branch store depot campus showroom dealership terminal station outlet warehouse site clinic"

// counterOf tells whether token i is the place of a counter: the Sunshine counter.
func (x *Sheet) counterOf(i int) bool {
	return oneOf(x.wordOr(i-1), "the") && i+1 < len(x.tok) && x.tok[i+1].Case == lex.Lower && oneOf(x.word(i+1), counters)
}

// robot tells whether token i is what a firm calls the program that answers.
func (x *Sheet) robot(i int) bool {
	for j := i + 2; x.is(i+1, ",") && j < i+5 && j < len(x.tok); j++ {
		if oneOf(x.word(j), "chatbot voicebot") || oneOf(x.word(j), "bot") && oneOf(x.word(j-1), "the der el il le de") || oneOf(x.word(j), "assistant assistent assistentin assistente asistente bot") && (oneOf(x.word(j-1), "virtual digital virtuelle virtueller digitale") || oneOf(x.wordOr(j+1), "virtual virtuale virtuel virtuelle digital")) {
			return true // Erna, der Chatbot
		}
	}
	if x.is(i-1, `"`) {
		i-- // el asistente virtual «Eddie»
	}
	w := x.wordOr(i - 1)
	return oneOf(w, "chatbot bot voicebot virtueller virtuelle virtuel virtual virtuale") && !x.tok[i].Line ||
		oneOf(w, "assistant assistent assistentin assistente asistente") && oneOf(x.wordOr(i-2), "virtual digital virtuelle virtueller digitale virtuele")
}

// halved tells whether a hyphen stands for what the next word says too: Qualitäts-
// und Beschwerdemanagement.
func (x *Sheet) halved(i int) bool {
	return x.is(i+1, "-") && !x.tok[i+1].Space && i+2 < len(x.tok) && x.tok[i+2].Space && oneOf(x.word(i+2), "und oder bzw sowie en of and or oraz")
}

// quoted tells whether token i is the only word between quotation marks and none
// that names people, in a language that quotes its headings: Punkt 4 "Entgelte".
func (x *Sheet) quoted(i int) bool {
	return x.speech != lex.English && x.is(i-1, `"`) && x.is(i+1, `"`) && x.tok[i].Flags&(lex.Given|lex.Surname) == 0 && !(x.capital(i-2) && !x.has(i-2, lex.Noun)) && !namingKeys()[x.key(i-2)]
}

// papers are what a word with a capital behind an "of" tells the kind of.
const papers = "certificate proof notice statement declaration letter deed duty power right standard standards schedule summary terms form order writ affidavit"

// certified tells whether token i says what a paper is of: Certificate of
// Roadworthiness.
func (x *Sheet) certified(i int) bool {
	const name = lex.Given | lex.Surname
	return i > 1 && x.tok[i].Flags&name == 0 && !x.initial(i) && x.word(i-1) == "of" && x.capital(i-2) && oneOf(x.word(i-2), papers) && !x.capital(i+1)
}

func (x *Sheet) key(i int) uint64 {
	if i < 0 || i >= len(x.tok) {
		return 0
	}
	return x.tok[i].Key
}

// officeAddress tells whether the address from token from on is that of the office
// or firm named right before it, with a comma: Huurcommissie, Postbus 16495. A
// building or a floor may stand between, a person may not.
func (x *Sheet) officeAddress(from int) bool {
	for hops := 0; hops < 4 && x.capital(from-1); hops++ {
		from-- // the tagger began inside of Lincoln Place
	}
	if !x.is(from-1, ",(") {
		return false
	}
	for j, hops := from-2, 0; j >= 0 && hops < 12 && !x.tok[j+1].Line; j, hops = j-1, hops+1 {
		switch t := x.tok[j]; {
		case x.is(j, ",-&'") || x.is(j, ".") && x.initial(j-1) || t.Kind == lex.Digits || x.site(j):
		case x.officeWord(j):
			return !oneOf(x.wordOr(j+1), ownWords) && !x.personBefore(j)
		case t.Kind != lex.Letters || x.taken(t.From, t.To) || t.Case != lex.Lower && t.Flags&(lex.Title|lex.Kin) != 0 || tag.Kind(x.labels[j]) == tag.NameFirst && !x.held[j]:
			return false
		case t.Case == lex.Lower && !particle(x.word(j)) && !particle(x.wordOr(j-1)) && tag.Kind(x.labels[j]) != tag.OrgFirst && !oneOf(x.word(j), "of the for and"):
			return false
		}
	}
	return false
}

// site tells whether token j is a word of buildings and ways.
func (x *Sheet) site(j int) bool {
	return x.tok[j].Flags&(lex.Street|lex.Place) != 0 || siteKeys()[x.tok[j].Key] || homeKeys()[x.tok[j].Key]
}

// personBefore tells whether somebody is named before token j in the same part of
// the sentence: Mrs Castellaw, c/o Golden Living.
func (x *Sheet) personBefore(j int) bool {
	for ; j >= 0 && !x.is(j, ";") && !x.tok[j].Line; j-- {
		if x.sentenceStart(j) {
			break
		}
	}
	from := x.tok[max(0, j)].From
	return slices.ContainsFunc(x.spans, func(s Span) bool { return s.Type == Name && s.From >= from })
}

// bureauEnds end the compounds of German that name an office with a door.
var bureauEnds = []string{"beschwerdestelle", "ombudsstelle", "schlichtungsstelle", "meldestelle", "geschäftsstelle", "ratungsstelle", "behörde", "kammer", "gericht", "zentrale", "verband", "verein", "anstalt", "kasse", "anwaltschaft", "ombudsman", "ombudsmann"}

// bureau tells whether token j is one.
func (x *Sheet) bureau(j int) bool {
	low := strings.ToLower(x.word(j))
	return slices.ContainsFunc(bureauEnds, func(end string) bool { return strings.HasSuffix(low, end) })
}

// officeWord tells whether token j belongs to the name of an office or a firm.
func (x *Sheet) officeWord(j int) bool {
	t := x.tok[j]
	const name = lex.Given | lex.Surname
	switch kind := tag.Kind(x.labels[j]); {
	case t.Case == lex.Lower || functionKeys()[t.Key]:
		return false
	case t.Flags&(lex.Org|lex.OrgWord) != 0 || x.bureau(j) || t.Flags&lex.Seen != 0 && (x.held[j] || t.Flags&name == 0):
		return true
	default:
		return kind == tag.OrgFirst && t.Flags&(lex.Word|lex.Foreign|lex.Kin) == 0 || kind == tag.RoleFirst && x.Field == "key_contacts" && t.Flags&lex.Kin == 0 || kind != tag.AddressFirst && upper(x.word(j)) && (x.held[j] || x.Field == "key_contacts" && t.To-t.From > 2 && t.Flags&name == 0)
	}
}
