package detect

import (
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// A frame is a part of a sentence with a room for a person: whoever lives in a
// town or is shouted at is one, also under a name that no list has.

// framed is the token behind the person that a frame puts at token i, or 0.
func (x *Sheet) framed(i int) int {
	t := x.tok[i]
	if t.Case != lex.Capital && t.Case != lex.Inner || t.To-t.From < 3 || functionKeys()[t.Key] || x.capital(i-1) && !t.Line && !x.former(i-1) && !functionKeys()[x.tok[i-1].Key] {
		return 0
	}
	if to := x.nameAsked(i); to > 0 {
		return to
	}
	to := x.run(i)
	if to == 0 {
		return 0
	}
	if x.creator(i, to) || x.formerly(i, to) || x.nameTold(i) || x.resident(i, to) || x.spokenTo(i, to) || x.aimedAt(i, to) || x.speaker(i, to) {
		return to
	}
	return 0
}

// run is the token behind up to four capitals in a row at i, with initials and
// small particles between them, that may all be parts of a name; or 0.
func (x *Sheet) run(i int) int {
	const other = lex.OrgWord | lex.LawWord | lex.Org | lex.Law | lex.Role | lex.Street | lex.Title | lex.Kin | lex.Seen
	to := i
	for words := 0; to < len(x.tok) && words < 5 && (to == i || !x.tok[to].Line && x.tok[to].Space); words++ {
		switch t := x.tok[to]; {
		case x.initial(to) && x.is(to+1, ".") && x.capital(to+2):
			to++
		case x.initial(to) && to > i && x.capital(to+1), x.letters(to), particle(x.word(to)) && t.Case == lex.Lower && x.capital(to+1) && to > i:
		case !x.capital(to):
			return to
		case x.held[to] || t.Flags&other != 0 && !(t.Flags&other == lex.Org && t.Flags&lex.Given != 0) || t.Flags&(lex.Word|lex.Keep) != 0 && t.Flags&(lex.Given|lex.Surname) == 0 || x.taken(t.From, t.To):
			return 0
		}
		to++
	}
	return to
}

// What people make stands behind their name, and so do their own: the Petrov
// novel, the Khumalo brothers. Behind a word that no list has the surer ones only,
// for things have makers of other kinds too: the Android version.
const (
	works    = "novel novels thriller poem poems sonnet painting paintings sculpture biography memoir memoirs symphony sonata family household brothers sisters siblings twins children kids"
	ownWorks = works + " song songs album film movie movies book books play essay story stories cover version record track portrait lecture trial murders"
)

var (
	workKeys    = sync.OnceValue(func() map[uint64]bool { return keySet(works) })
	ownWorkKeys = sync.OnceValue(func() map[uint64]bool { return keySet(ownWorks) })
)

// creator tells whether an article stands before a name and a work of people
// behind it.
func (x *Sheet) creator(i, to int) bool {
	if to >= len(x.tok) || x.speech == lex.Other || !ownWorkKeys()[x.tok[to].Key] || x.tok[to].Case != lex.Lower || oneOf(x.wordOr(to+1), "of") {
		return false
	}
	if !oneOf(x.wordOr(i-1), "the this that these those new old early late latest first another original famous whole entire") {
		return false
	}
	const name = lex.Given | lex.Surname
	f := x.tok[to-1].Flags
	return f&name != 0 && f&lex.Word == 0 || f&^(lex.Languages|lex.Start) == 0 && (workKeys()[x.tok[to].Key] || tag.Kind(x.labels[i]) == tag.NameFirst)
}

// formerly tells whether a word of what somebody no longer is stands before a
// name: by ex-minister Kranjec.
func (x *Sheet) formerly(i, to int) bool {
	return x.former(i-1) && !x.tok[i].Line && to <= i+2 && x.tok[i].Flags&(lex.Word|lex.Place) == 0 && !x.capital(to)
}

// former tells whether token i is such a word.
func (x *Sheet) former(i int) bool {
	w := x.wordOr(i)
	return len(w) > 5 && oneOf(w[:3], "ex-") && x.tok[i].Kind == lex.Letters
}

const (
	// nameNouns say by themselves that a person's name follows, bareNames with
	// their owner before them alone.
	nameNouns = "surname forename vorname nachname zuname mädchenname familienname geburtsname prénom patronyme apellido apellidos cognome sobrenome apelido achternaam voornaam meisjesnaam nazwisko imię"
	bareNames = "name nom nombre nome naam"
	nameOwner = "my his her your their full first last maiden middle given family birth legal real second mein meine ihr sein mon son votre mi su tu meu seu mio suo mijn zijn haar"
)

// naming tells whether token i says that a name of a person follows.
func (x *Sheet) naming(i int) bool {
	return oneOf(x.wordOr(i), nameNouns) || oneOf(x.wordOr(i), bareNames) && (i > 0 && oneOf(x.word(i-1), nameOwner))
}

// nameAsked is the token behind a name that answers, with nothing more, a question
// for it; or 0.
func (x *Sheet) nameAsked(i int) int {
	if !x.is(i-1, "?") || !x.naming(i-2) {
		return 0
	}
	to := i
	for to < len(x.tok) && to < i+6 && (x.capital(to) || x.is(to, ".") && x.initial(to-1) || particle(x.word(to))) && !(x.tok[to].Line && to > i) {
		to++
	}
	if to == len(x.tok) || x.tok[to].Line || x.is(to, ".!") {
		return to
	}
	return 0
}

// nameTold tells whether the words before token i say that it is a name: her
// maiden name was Tjeerdsma.
func (x *Sheet) nameTold(i int) bool {
	if i < 2 || x.tok[i].Flags&lex.Word != 0 && x.tok[i].Flags&lex.Given == 0 {
		return false
	}
	w := x.word(i - 1)
	return (oneOf(w, "is was ist war lautet est es era jest to be") || w == "é" || w == "è" || w == "e") && x.naming(i-2)
}

// resident tells whether the sentence says where a person lives or was born.
func (x *Sheet) resident(i, to int) bool {
	if !x.sentenceStart(i) || to+1 >= len(x.tok) || x.tok[i].Flags&(lex.Word|lex.Foreign|lex.Place) != 0 && x.tok[i].Flags&lex.Given == 0 {
		return false
	}
	verb, next := x.word(to), x.word(to+1)
	switch {
	case oneOf(verb, "lives lived"):
		return oneOf(next, "in on at with near next alone there here across above below opposite")
	case oneOf(verb, "wohnt wohnte habite habitait vit vive vivía mora morava abita woont woonde mieszka mieszkał mieszkała"):
		return oneOf(next, "in bei mit au aux en con em com na no ve we with") || next == "à" || next == "a" || next == "w" || next == "z"
	case oneOf(verb, "is was comes came") && oneOf(next, "from"):
		return x.tok[i].Flags&lex.Given != 0 && x.tok[i].Flags&lex.Word == 0 && x.capital(to+2)
	case oneOf(verb, "is was"):
		return oneOf(next, "born christened baptised pregnant") || to+3 < len(x.tok) && x.tok[to+1].Kind == lex.Digits && oneOf(x.word(to+2), "years year") && oneOf(x.word(to+3), "old")
	}
	return false
}

// spokenTo tells whether somebody is spoken to by name at the start of a sentence
// or at its end: Vide, can you help? Don't go, Grace!
func (x *Sheet) spokenTo(i, to int) bool {
	if x.speech != lex.English || to > i+2 {
		return false
	}
	if x.is(to, "!") && x.is(i-1, ",") && i > 2 && x.tok[i-2].Case == lex.Lower {
		return x.tok[i].Flags&lex.Given != 0
	}
	return x.sentenceStart(i) && x.is(to, ",") && x.tok[i].Flags&lex.Word == 0 && oneOf(x.wordOr(to+1), "can could will would please do did are have") &&
		(oneOf(x.wordOr(to+2), "you we they") || x.wordOr(to+2) == "I" || oneOf(x.wordOr(to+1), "please"))
}

// aimedAt tells whether the verb before token i is one that only people suffer:
// shouted at Gary, married Tiffany.
func (x *Sheet) aimedAt(i, to int) bool {
	const other = lex.Word | lex.Foreign | lex.Month
	if x.speech == lex.Other || to > i+2 || x.tok[i].Flags&lex.Given == 0 || x.tok[i].Flags&other != 0 {
		return false
	}
	switch w := x.wordOr(i - 1); {
	case oneOf(w, "at"):
		return oneOf(x.wordOr(i-2), "shouted shouting yelled screamed smiled laughed winked waved stared glared shout yell")
	case oneOf(w, "to"):
		return x.has(i-2, lex.Given) && oneOf(x.wordOr(i-3), "said whispered muttered replied shouted") || oneOf(x.wordOr(i-2), "whispered muttered married engaged")
	}
	return oneOf(x.wordOr(i-1), "married kissed hugged divorced befriended")
}

// speaker tells whether a name opens a line of a talk between people: what is
// said stands behind a colon, and another line has it so too.
func (x *Sheet) speaker(i, to int) bool {
	if !x.tok[i].Line || !x.opensTalk(to) || x.tok[i].Flags&(lex.Given|lex.Surname) == 0 && x.tok[i].Flags&ordinary&^lex.Foreign != 0 {
		return false
	}
	if x.dialogue == nil {
		x.dialogue = x.dialogueOf()
	}
	if tag.Kind(x.labels[i]) != tag.NameFirst {
		return x.dialogue.named > 0
	}
	return x.dialogue.lines > 1 || x.dialogue.lines == 1 && !x.opensLine(i)
}

// dialogue counts the lines of a text that a given name opens, and those of them
// where the tagger takes it for a person.
type dialogue struct{ lines, named int }

func (x *Sheet) dialogueOf() *dialogue {
	t := &dialogue{}
	for i := range x.tok {
		if x.opensLine(i) {
			t.lines++
			t.named += boolInt(tag.Kind(x.labels[i]) == tag.NameFirst)
		}
	}
	return t
}

// opensLine tells whether a given name at token i is all that opens a line of talk.
func (x *Sheet) opensLine(i int) bool {
	return x.tok[i].Line && x.capital(i) && x.has(i, lex.Given) && x.opensTalk(i+1)
}

// opensTalk tells whether a colon at token i has what somebody says behind it: a
// quotation, or words with an I or you.
func (x *Sheet) opensTalk(i int) bool {
	if !x.is(i, ":") || i+2 >= len(x.tok) || x.tok[i+1].Line {
		return false
	}
	if x.is(i+1, `"`) {
		return true
	}
	for j := i + 1; j < len(x.tok) && j < i+8 && !x.tok[j].Line; j++ {
		if x.word(j) == "I" || oneOf(x.word(j), "you me what why who how yes no") {
			return true
		}
	}
	return false
}

// firms are what a word is that "is a ..." follows, and no person.
const firms = "agency bank company firm startup retailer supplier insurer charity nonprofit app brand film movie comedy drama series magazine manufacturer platform broker lender utility airline website tool product"

// firmFrame tells whether the words around a name that no list has are those
// around a firm or town: works for it, originally from it, it is a design agency.
func (x *Sheet) firmFrame(from, to int) bool {
	if x.speech == lex.Other {
		return false
	}
	last, before := x.wordOr(from-1), x.wordOr(from-2)
	switch {
	case oneOf(last, "for at") && oneOf(before, "work worked working works"), oneOf(last, "for") && oneOf(before, "recorded"):
		return true
	case oneOf(last, "from") && oneOf(before, "originally"), oneOf(last, "to") && oneOf(before, "flew fly returned travelled moved relocated drove"), oneOf(last, "in into") && oneOf(before, "year years lived based"), oneOf(last, "support") && oneOf(before, "to"):
		return true
	case oneOf(last, "become became becomes") && oneOf(before, "later"):
		return true
	}
	if to+1 < len(x.tok) && oneOf(x.word(to), "is was") && oneOf(x.word(to+1), "an a the") || to+1 < len(x.tok) && oneOf(x.word(to), "is was") && x.word(to+1) == "a" {
		for j := to + 2; j < len(x.tok) && j < to+7 && x.tok[j].Kind != lex.Sign; j++ {
			if oneOf(x.word(j), firms) {
				return true
			}
		}
	}
	return false
}

// adjective tells whether a word is one of a people before a thing: great Danish
// food, a nice Persian place.
func (x *Sheet) adjective(from, to int) bool {
	return x.speech == lex.English && to < len(x.tok) && x.tok[to].Case == lex.Lower && x.tok[to].Kind == lex.Letters && x.tok[to].Space &&
		peopleKeys()[x.tok[from].Key] && !x.has(to, lex.Say)
}

// peoples are adjectives of peoples that the lists have as names too.
const peoples = "american argentinian armenian australian austrian belgian brazilian british bulgarian burmese cambodian canadian chechen chilean chinese colombian croatian cuban cypriot czech danish dutch egyptian english estonian ethiopian filipino finnish french georgian german ghanaian greek hungarian icelandic indian indonesian iranian iraqi irish israeli italian jamaican japanese jewish kenyan korean kurdish latvian lebanese lithuanian malaysian maltese mexican moroccan nepalese nigerian norwegian pakistani persian peruvian polish portuguese romanian russian scottish serbian slovak slovenian somali spanish swedish swiss syrian taiwanese thai tibetan tunisian turkish ukrainian vietnamese welsh"

var peopleKeys = sync.OnceValue(func() map[uint64]bool { return keySet(peoples) })

// countries that are a name too, but hardly ever that of a person alone in an
// English text.
const countries = "argentina australia austria belgium bolivia brazil bulgaria canada chile colombia croatia cuba cyprus denmark egypt england estonia finland france germany greece hungary iceland ireland italy japan latvia lithuania malta mexico morocco norway pakistan peru poland portugal romania russia scotland senegal singapore slovakia slovenia spain sweden switzerland taiwan thailand tunisia turkey uganda ukraine uruguay venezuela vietnam wales"

var countryKeys = sync.OnceValue(func() map[uint64]bool { return keySet(countries) })

// tellsHome tells whether the word that starts a sentence is the verb or participle
// of somebody who says where he lives, though a surname too: Moro na Rua do Sol.
func (x *Sheet) tellsHome(i int) bool {
	return x.sentenceStart(i) && oneOf(x.word(i), "moro resido risiedo abito vivo residente domiciliato domiciliata domiciliado domiciliada residenti habito zamieszkały zamieszkała wohnhaft") &&
		(oneOf(x.wordOr(i+1), "na no em en in ad al alla nella nel nello przy in") || x.wordOr(i+1) == "a" || x.wordOr(i+1) == "w")
}

// holdCorner holds the streets of a corner that has no house: the corner of Grand
// and Bowery.
func (x *Sheet) holdCorner(i int) {
	to := i + 2
	for to < len(x.tok) && to < i+9 && (x.capital(to) || oneOf(x.word(to), "and")) && !x.tok[to].Line {
		to++
	}
	if to < len(x.tok) && x.tok[to].Kind == lex.Digits || to == i+2 {
		return
	}
	for j := i + 2; j < to; j++ {
		x.held[j] = x.capital(j)
	}
}
