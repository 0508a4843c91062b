package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// plausible weeds out what the tagger takes for a name and cannot be one.
func (x *Sheet) plausible(from, to int) bool {
	held, letters, capitals, known, all := 0, 0, 0, false, true
	for i := from; i < to; i++ {
		if x.tok[i].Kind != lex.Letters {
			continue
		}
		letters++
		if x.tok[i].Case != lex.Lower && (x.tok[i].To-x.tok[i].From > 1 || x.tok[from].Case != lex.Lower) {
			capitals++
		}
		all = all && x.tok[i].Flags&(lex.Given|lex.Surname) != 0 && x.tok[i].To-x.tok[i].From > 2
		known = known || x.tok[i].Flags&(lex.Given|lex.Surname) != 0 && x.tok[i].Flags&(lex.Word|lex.Foreign) == 0
		if x.held[i] {
			held++
		}
	}
	switch {
	case capitals == 0 && !x.small() && !x.careless(from, to) && !(letters > 1 && x.tok[from].Flags&lex.Given != 0 && known && all && x.lead[from] > 60):
		return false // small letters in a text that uses capitals
	case letters == 0 || held*2 > letters || held > 0 && to < len(x.held) && x.held[to] && x.held[to-1]:
		return false
	case capitals == 0 && !known && !x.smallTitle(from-1) && (x.tok[from].Flags&ordinary != 0 && !(x.has(from, lex.Given) && x.lead[from] > 350) || x.lead[from] < 100):
		return false
	case letters > 1 && !x.anyKnown(from, to) && !x.titleBefore(from) && (x.speech == lex.Other && x.lead[from] < 80 || x.tok[from].Flags&(lex.Word|lex.Foreign) != 0 && x.lead[from] < 400 || x.codes(from, to)):
		return false // Usługa Niewykonana, BIC COBADEFFXXX
	}
	if functionKeys()[x.tok[from].Key] && x.tok[from].Case == lex.Caps && !particle(x.word(from)) && !x.titleBefore(from) && x.shouted() {
		return false // SPEAK TO A REAL PERSON
	}
	if x.tok[from].Case == lex.Lower && to-from > 1 && namedThingKeys()[x.tok[from].Key] {
		return false // borrasca Filomena
	}
	if x.manual(from, to) || x.dotted(from, to) || x.chained(from, to) || x.office(from, to) || x.strokes(from, to) || x.wordsGoOn(from) {
		return false
	}
	if x.Field == "legal_levers" && !x.titleBefore(from) && !(letters == 1 && x.reasoned(from)) && (letters == 1 || !known || x.lead[from] < 100) {
		return false // laws and cases stand there, hardly ever a person
	}
	if x.place(from, to) || x.thingAmong(from, to) || x.calledThe(from, to) || x.partOfLaw(from, to) {
		return false
	}
	if x.Field == "entity" && letters > 1 && !x.titleBefore(from) && x.lead[from] < 450 && !x.has(to-1, lex.Surname) {
		return false // an institution stands there
	}
	if letters > 1 && x.firmFirst(from, to) {
		return false
	}
	if letters > 1 {
		return !x.wordsAlone(from, to) && !x.endsInAcronym(from, to)
	}
	return x.plausibleWord(from, to)
}

// careless tells whether a given name in small letters stands where a person does,
// in a text that has capitals elsewhere: hab mit jana von der hotline gesprochen.
func (x *Sheet) careless(from, to int) bool {
	const other = lex.Word | lex.Foreign | lex.Place | lex.Org | lex.Seen | lex.Month | lex.Kin
	return to == from+1 && x.has(from, lex.Given) && x.lead[from] > 150 && (x.conversed(from) || x.fromDesk(from) || x.acts(from)) && x.tok[from].Flags&other == 0
}

// compasses end the names of places.
const compasses = "north south east west central"

// place tells whether two words name a place: Dagoretti North.
func (x *Sheet) place(from, to int) bool {
	const name = lex.Given | lex.Surname | lex.Title
	return to-from == 2 && oneOf(x.word(to-1), compasses) && x.tok[from].Flags&name == 0 && !x.titleBefore(from)
}

// partOfLaw tells whether a Roman number counts what stands before it: Part IV.
func (x *Sheet) partOfLaw(from, to int) bool {
	if x.is(from, ",") && from+1 < to {
		from++ // the tagger went on behind it
	}
	if to == from+1 && x.letters(to) {
		to++
	}
	return to-from == 2 && strings.Trim(x.word(to-1), "IVXLC") == "" && oneOf(x.word(from), "part title chapter schedule annex book volume series phase stage level tier class grade band teil kapitel titel band stufe klasse titre livre chapitre titolo capo libro título capítulo tytuł rozdział deel hoofdstuk")
}

// thingAmong tells whether a word of a name of several is the compound of a thing and
// stands behind an article, or one is that of an office and none a name: der
// Krankentransport-Richtlinie des G-BA, Geschilleninstantie Pensioenfondsen.
func (x *Sheet) thingAmong(from, to int) bool {
	offices, office := to-from > 1, false
	for i := from; i < to; i++ {
		if oneOf(x.wordOr(i-1), articles) && compoundThing(x.word(i)) {
			return true
		}
		if x.is(i, ";,") {
			continue
		}
		offices = offices && x.tok[i].Kind == lex.Letters && x.tok[i].Flags&(lex.Given|lex.Surname) == 0
		office = office || institution(x.word(i)) || strings.HasSuffix(x.word(i), "platform")
	}
	return offices && office
}

// calledThe tells whether an article stands before what can then be no person: the
// Rider, the Economy Saver seat, das Haus Der Marienhof. The Bakers are a family.
func (x *Sheet) calledThe(from, to int) bool {
	if oneOf(x.word(from), "der die das the") && x.tok[from].Case == lex.Capital && to-from > 1 && !x.sentenceStart(from) && !oneOf(x.wordOr(from-1), "van von op ter") {
		return true
	}
	if !oneOf(x.wordOr(from-1), "the") || x.speech != lex.English || strings.HasSuffix(x.word(to-1), "s") || x.tok[to-1].Flags&lex.Word == 0 {
		return false
	}
	for i := from; i < to; i++ {
		if x.tok[i].Kind != lex.Letters || x.tok[i].Flags&lex.Word == 0 || to-from > 1 && x.tok[i].Flags&lex.Given != 0 {
			return false
		}
	}
	return true
}

// brandEnds end the names of firms and services that are an English word and what
// they deal in.
var brandEnds = []string{"care", "line", "card", "bank", "link", "desk", "plan", "check", "pass", "works", "serve", "guard", "shield", "watch", "tech", "soft", "ware", "media", "phone", "mail", "loan", "fund", "ledger", "cover"}

// branded tells whether an unknown word is such a name.
func branded(w string) bool {
	for _, end := range brandEnds {
		if head, ok := strings.CutSuffix(w, end); ok && len(head) > 3 && lex.Of(lex.Key(head))&lex.Word != 0 {
			return true
		}
	}
	return false
}

// joinedWords tells whether an unknown word is made of two English ones: Tradeline.
func joinedWords(w string) bool {
	for i := 4; i+4 <= len(w); i++ {
		if lex.Of(lex.Key(w[:i]))&lex.Word != 0 && lex.Of(lex.Key(w[i:]))&lex.Word != 0 {
			return true
		}
	}
	return false
}

// firmFirst tells whether a name begins with an organisation and goes on with no
// word that is a name, or ends as a hospital does: Marriott Bonvoy, Epsom General.
func (x *Sheet) firmFirst(from, to int) bool {
	if x.titleBefore(from) || x.has(from, lex.Given) {
		return false
	}
	return x.has(from, lex.Org|lex.Seen) && !x.anyKnown(from+1, to) || to == from+2 && oneOf(x.word(to-1), "general infirmary")
}

// wordsAlone tells whether a name of several words has none that is known as a
// name and only words that are ordinary: Network Adequacy, Usługa Niewykonana.
func (x *Sheet) wordsAlone(from, to int) bool {
	if x.titleBefore(from) || x.lead[from] > 250 || x.lead[from] > 60 && nameParticleKeys()[x.tok[from].Key] && x.tok[from].Case == lex.Capital && !x.sentenceStart(from) {
		return false // or a surname like Degli Esposti
	}
	known, words := false, x.speech != lex.Other // the last word, where a surname stands; whether all are English words
	for i := from; i < to; i++ {
		t := x.tok[i]
		if t.Kind != lex.Letters || t.Flags&(lex.Given|lex.Title|lex.Kin) != 0 || t.To-t.From == 1 {
			return false
		}
		if t.Case == lex.Lower {
			continue
		}
		if t.Flags&(lex.Word|lex.Foreign|lex.OrgWord|lex.LawWord) == 0 && !institution(x.word(i)) {
			return false
		}
		known, words = t.Flags&lex.Surname != 0, words && t.Flags&lex.Word != 0
	}
	return !known || words
}

// endsInAcronym tells whether an abbreviation ends a name whose other words are
// not in capitals, and is no degree or rank: Athena ANPR, Ramogi FM.
func (x *Sheet) endsInAcronym(from, to int) bool {
	t := x.tok[to-1]
	const name = lex.Given | lex.Surname
	return to-from > 1 && to-from < 4 && t.Case == lex.Caps && t.To-t.From > 1 && t.To-t.From < 6 && t.Flags&name == 0 && x.tok[from].Case != lex.Caps && !x.titleBefore(from) &&
		!oneOf(x.word(to-1), "md phd jd cpa kc qc rn np pa ii iii iv jr sr obe mbe cbe mp td msp ms llb llm ba bsc msc mba dds do esq sc ips ias ifs")
}

// heading tells whether an ordinary word that is a given name too starts the name
// of a form: Bill Deposit Refund Form, Grant Application.
func (x *Sheet) heading(i, to int) bool {
	const other = lex.Given | lex.Surname | lex.Month | lex.Keep | lex.Title | lex.Say | lex.Kin | lex.Place
	if x.speech == lex.English && x.tok[i].Flags&lex.Word != 0 && to < len(x.tok) && oneOf(x.word(to), "of") && x.capital(to+1) && x.has(to+1, lex.Word) && !x.has(to+1, other|lex.Org) {
		return true // Peace of Mind
	}
	return x.speech == lex.English && x.tok[i].Flags&lex.Word != 0 && to+1 < len(x.tok) && x.tok[to].Space && x.capital(to) && x.capital(to+1) &&
		x.tok[to].Flags&other == 0 && x.tok[to].Flags&lex.Word != 0 && x.has(to+1, lex.Word|lex.LawWord|lex.OrgWord)
}

// institutionEnds end the compounds that name an office, a law or a thing and
// hardly ever a person.
var institutionEnds = []string{"gesetz", "verordnung", "ordnung", "satzung", "richtlinie", "stelle", "beratung", "anstalt", "zentrale", "verband", "verein", "kasse", "versicherung", "sparkasse", "werke", "formular", "bescheid", "antrag", "vertrag", "nummer", "hilfe", "dienst", "kammer", "gericht", "ministerium", "behörde", "schule", "check", "-app", "wet", "besluit", "regeling", "verzekering", "stichting", "vereniging", "lijn", "loket", "winkel", "bond", "stofa", "stofnun", "verket", "styrelsen", "virasto", "lagen", "loven",
	"beleg", "schein", "nachweis", "auftrag", "schreiben", "bescheinigung", "bestätigung", "rechnung", "mahnung", "kosten", "gebühr", "tarif", "betrag", "karte", "portal", "button", "plaat", "nota", "rekening", "bewijs", "formulier", "termijn", "datum", "service", "zentrum", "büro", "team", "verzeichnis", "schalter", "richtlinie", "instantie", "ombudsman", "ombudsmann", "ombudsfrau", "vakbond", "fonds", "fondsen", "commissie"}

// placeJoints stand inside of the names of places, hardly ever of people.
var placeJoints = []string{"-le-", "-les-", "-lès-", "-sur-", "-sous-", "-en-", "-des-", "-du-", "-aux-", "-upon-", "-on-", "-under-", "-by-", "-am-", "-an-der-"}

// compoundThing tells whether a word is made of several with hyphens and its last
// one is a thing: Hermes-Paket, Toon-app; or whether it is a place: Saint-Pierre-des-Corps.
func compoundThing(w string) bool {
	_, last, ok := cutLast(w, '-')
	if !ok {
		return false
	}
	for _, joint := range placeJoints {
		if strings.Contains(w, joint) {
			return true
		}
	}
	const name = lex.Given | lex.Surname
	if compound(w) != "" {
		return true // Mitglieds-ID
	}
	if _, ok := cues()[lex.Key(last)]; ok && len(last) > 4 && w[0] <= 'Z' && last[0] >= 'a' {
		return true // UWV-kenmerk
	}
	f := lex.Of(lex.Key(last))
	first := lex.Of(lex.Key(w[:strings.IndexByte(w, '-')]))
	if first&(lex.Org|lex.Seen) != 0 && first&name == 0 && f&(lex.Noun|lex.Word|lex.OrgWord) != 0 {
		return true // Facebook-Post
	}
	return len(last) > 2 && f&name == 0 && f&(lex.Word|lex.German|lex.Dutch|lex.OrgWord|lex.Role) != 0
}

// institution tells whether a word is such a compound.
func institution(w string) bool {
	low := strings.ToLower(w)
	for _, end := range institutionEnds {
		if len(low) > len(end)+4 && strings.HasSuffix(low, end) {
			return true
		}
	}
	return false
}

// codes tells whether words are in capitals in a text that is not.
func (x *Sheet) codes(from, to int) bool {
	for _, t := range x.tok[from:to] {
		if t.Kind == lex.Letters && t.Case != lex.Caps {
			return false
		}
	}
	return !x.shouted()
}

// determiners of other languages follow a verb and hardly ever a name. Those that
// are pronouns as well stand behind a name too, but not behind an infinitive.
const (
	determiners = "el un una unos unas um uma uns umas il une des den dem ein eine einen einem het een este esta esse essa questo questa ce cette ces dit deze ten tę tego su sus seu sua"
	pronouns    = "la los las lo le les os as gli das"
)

// adjectival tells whether a word starts a German or Dutch sentence as adjectives
// do before a noun: Hinterlegter Mietzins.
func (x *Sheet) adjectival(from, to int) bool {
	t := x.tok[from]
	if t.Flags&lex.Given != 0 || x.speech == lex.English || !x.sentenceStart(from) || !x.capital(to) || x.tok[to].Line || !x.has(to, lex.Noun) || x.has(to, lex.Given|lex.Surname) {
		return false
	}
	for end := range strings.FieldsSeq("e er en em tes ges ches enes bares sames loses") { // Brehmes is no adjective
		if strings.HasSuffix(x.word(from), end) {
			return true
		}
	}
	return false
}

// governs tells whether an unknown word that starts a sentence is a verb by what
// follows it: Invocar a lei, Exija el recibo.
func (x *Sheet) governs(from, to int) bool {
	if to >= len(x.tok) || x.tok[to].Case != lex.Lower || !x.tok[to].Space {
		return false
	}
	w := strings.ToLower(x.word(from))
	infinitive := strings.HasSuffix(w, "ar") || strings.HasSuffix(w, "er") || strings.HasSuffix(w, "ir")
	next := x.word(to)
	return x.speech != lex.English && oneOf(next, determiners) || infinitive && (oneOf(next, pronouns) || next == "a" || next == "o") && (x.speech != lex.English || next != "a" || x.has(to+1, lex.Portuguese))
}

// objects follow a verb and hardly ever the name of a person.
const objects = "the this that these those them they we you it him his their your an my our everything everyone anyone nothing"

// anyKnown tells whether a list of names has one of some words.
func (x *Sheet) anyKnown(from, to int) bool {
	for _, t := range x.tok[from:to] {
		if t.Flags&(lex.Given|lex.Surname) != 0 {
			return true
		}
	}
	return false
}

// ordinary is what a word is that may well be no name.
const ordinary = lex.Word | lex.Foreign | lex.Keep | lex.Month | lex.Role | lex.OrgWord | lex.LawWord | lex.Ill | lex.Care

// plausibleWord judges a single word, which has nothing beside it to lean on.
func (x *Sheet) plausibleWord(from, to int) bool {
	t := x.tok[from]
	known, plain := t.Flags&(lex.Given|lex.Surname) != 0, t.Flags&ordinary != 0
	switch {
	case t.To-t.From < 2:
		return false
	case x.titleBefore(from):
		return true
	case x.heading(from, to):
		return false
	case t.Flags&lex.Word != 0 && to < len(x.tok) && x.tok[to].Kind == lex.Digits && x.tok[to].To-x.tok[to].From < 4 && x.dateAt(to) == 0 && !x.is(to+1, ".,/-"):
		return false // Ward 54
	case !known && x.speech == lex.English && branded(x.word(from)):
		return false // Studentcare
	case !known && (institution(x.word(from)) || x.announces(from)) || compoundThing(x.word(from)):
		return false
	case functionKeys()[t.Key] || t.Flags&lex.Month != 0 && x.is(from-1, ".") && from > 1 && x.tok[from-2].Kind == lex.Digits:
		return false
	case t.Flags&lex.Word != 0 && x.sentenceStart(from) && to < len(x.tok) && x.tok[to].Case == lex.Lower && (oneOf(x.word(to), objects) || x.word(to) == "a" && x.speech == lex.English):
		return false // an order or a question: Mark the envelope, Will they pay
	case t.Flags&lex.Place != 0 && !known || t.Flags&lex.Month != 0 && t.Flags&lex.Given == 0:
		return false
	case t.Flags&lex.Month != 0 && oneOf(x.wordOr(from-1), "since until till through by mid late early every last next vom im seit ab bis ende anfang mitte ende en du depuis début fin mi em desde até del di da dal od do van sinds eind begin half") || oneOf(x.word(from), "january february july september october november december"):
		return false // back to January
	case t.Flags&lex.Place != 0 && x.is(from-1, ",") && (x.lead[from]+x.evidence(from) < 150 || x.Field == "key_contacts" && x.lead[from] < 400):
		return false // the place behind a name
	case !known && t.Flags&lex.Seen != 0 && x.is(from-1, ",") && tag.Kind(x.labels[from-1]) == tag.NameFirst && x.evidence(from) <= 0:
		return false // a firm behind a comma that the tagger began at
	case x.shouted() && !known && plain && x.lead[from] < 300:
		return false // A REAL PERSON
	case x.gathering(from):
		return false // Hola Equipo
	case x.adjectival(from, to):
		return false // Volle Kostenübernahme
	case x.ruledFrom(from):
		return false // Victoria's ombudsman
	case x.namedThing(from) || x.firmsOwn(from):
		return false // tempête Ciarán, Lidls Antwort
	case x.speech != lex.Other && countryKeys()[t.Key], x.tellsHome(from), !known && x.firmFrame(from, to) || x.adjective(from, to):
		return false
	case t.Flags&lex.Kin != 0 && t.Flags&lex.Noun != 0 && oneOf(x.wordOr(from-1), "mein meine meinem meiner meinen dein deine sein seine seinem seiner ihr ihre ihrem ihrer unser unsere unserem"):
		return false // mein Vater
	case t.Flags&lex.Place != 0 && x.placeOf(from):
		return false // Consumer Affairs Victoria, Tenants' Union of Victoria
	case x.is(to, ".") && to+1 < len(x.held) && x.held[to+1] && !x.sentenceStart(to+1):
		return false // the start of a law
	case t.Case == lex.Lower && plain && t.Flags&lex.Given == 0:
		return false
	case t.Flags&lex.Foreign != 0 && x.sentenceStart(from) && x.governs(from, to):
		return false // Dien een klacht in
	case !known && x.sentenceStart(from) && (plain || x.governs(from, to) || x.speech == lex.English && to < len(x.tok) && x.tok[to].Case == lex.Lower && x.tok[to].Space && !(x.is(from-1, ".") && x.capital(from-2)) && joinedWords(x.word(from))):
		return false // Exija el recibo
	case t.Flags&lex.Foreign != 0 && !known && t.Flags&lex.Word == 0 && !x.shouted() && (x.lead[from] < 60 || x.speech != lex.English && x.lead[from] < 160):
		return false // a noun, as German writes them
	case x.abbreviation(t) && !x.shouted() || from > 0 && oneOf(x.word(from-1), "bic swift"):
		return false
	}
	return x.lead[from]+x.evidence(from) >= x.needed(from)
}

// announces tells whether the word at i is one that a number follows: Renavam.
func (x *Sheet) announces(i int) bool {
	c, n := x.cueAt(i)
	return n == 1 && (c.strong || x.sentenceStart(i))
}

// manual tells whether a word of short capitals with dashes is part of some words,
// the place of a manual, BOI-IR-RICI, or starts them with a word before a number.
func (x *Sheet) manual(from, to int) bool {
	if x.shouted() {
		return false
	}
	if _, ok := x.tail(from); ok && !x.titleBefore(from) && upper(x.word(from)[:2]) {
		return true // UWV-kenmerk B-44188/LK
	}
	for i := from; i < to; i++ {
		if x.tok[i].Case != lex.Caps || strings.Count(x.word(i), "-") < 2 {
			continue
		}
		for part := range strings.SplitSeq(x.word(i), "-") {
			if len(part) < 3 {
				return true
			}
		}
	}
	return false
}

// placeOf tells whether a place ends the name of an organisation or office.
func (x *Sheet) placeOf(i int) bool {
	j := i - 1
	if j > 0 && oneOf(x.word(j), "of de di do da") {
		j--
	}
	if j >= 0 && (functionKeys()[x.tok[j].Key] || x.saluted(i)) {
		return false // I'm Paris; Dear Barry
	}
	const name = lex.Given | lex.Surname | lex.Title | lex.Kin
	return x.capital(j) && !x.tok[i].Line && x.tok[j].Flags&(lex.Word|lex.Foreign|lex.OrgWord) != 0 && (j < i-1 || x.tok[j].Flags&name == 0)
}

// needed is how clearly the tagger must see a name in a single word: less in one
// that is known as a name and as nothing else.
func (x *Sheet) needed(i int) int32 {
	f := x.tok[i].Flags
	need := int32(0)
	switch {
	case f&(lex.Given|lex.Surname) == 0 && x.speech == lex.Other && x.tok[i].Case != lex.Lower:
		need = 120 // the lists hold less of other languages
	case f&(lex.Given|lex.Surname) == 0:
		need = 40
	case f&lex.Given == 0:
		need = 20
	}
	if f&ordinary != 0 {
		need += 80
		if x.sentenceStart(i) && !x.entry(i) && !x.is(i+1, "'") && !x.has(i+1, lex.Say) && i+1 < len(x.tok) && x.tok[i+1].Case == lex.Lower {
			need += 80 // Bill cut to 604, Grant back from June
		}
	}
	if f&lex.Given == 0 && x.speech == lex.Other && x.sentenceStart(i) {
		need += 80
	}
	if f&(lex.Given|lex.Org|lex.Seen) == 0 && f&(lex.Surname|ordinary) != lex.Surname && x.speech == lex.Other && x.sentenceStart(i) && i+1 < len(x.tok) && !x.acts(i) {
		if need += 120; f&lex.Surname == 0 {
			need += 30
		}
	}
	if f&(lex.Given|lex.Surname) == 0 && x.Field == "key_contacts" {
		need += 150 // a firm or a charity as often as a person
	}
	if f&lex.Place != 0 {
		need += 60
	}
	if f&(lex.Org|lex.Seen) != 0 {
		need += 180
	}
	if f&lex.OrgWord != 0 && f&lex.Given == 0 {
		need += 200 // Bank said no
	}
	if i > 0 && x.speech == lex.Other && oneOf(x.word(i-1), articles) && (f&lex.Given == 0 || f&lex.Foreign != 0) {
		need += 80
		if f&lex.Noun != 0 {
			need += 160 // die Stelle
		}
	}
	return need
}

// articles stand before nouns in German, rarely before a surname.
const articles = "der die das den dem des ein eine einen einem einer im am zum zur vom beim ins"

// abbreviation tells whether capitals stand for something else than a name.
func (x *Sheet) abbreviation(t lex.Token) bool {
	size := t.To - t.From
	if strings.Contains(x.s[t.From:t.To], "-") && t.Case == lex.Caps {
		return size <= 12 // RIO-UNIGE
	}
	return t.Case == lex.Caps && (size <= 4 || size <= 7 && t.Flags&(lex.Given|lex.Surname) == 0)
}

// auxiliaries start sentences whose subject follows the verb: Hanno firmato tutti.
const auxiliaries = "sono hanno ha abbiamo ont sont haben hat "

// functionKeys are small words that start sentences and hardly ever name anyone
// alone, though some of them are given names.
var functionKeys = sync.OnceValue(func() map[uint64]bool {
	return keySet(auxiliaries + "man men darin daran darauf darüber dabei damit danach davor dafür dagegen dazu deshalb deswegen daher dadurch dort dann denn doch erst jetzt trotzdem zuerst zuletzt sonst daar hier toen dan dus omdat daarna daarom nu straks alors puis ensuite donc car dès enfin ainsi luego entonces después así aquí depois então assim aqui poi allora così qui quindi dopo potem wtedy więc tam tutaj dlatego teraz bt-drs assunto asunto betreff betreft dotyczy oggetto objet subject just god thank thanks please danke merci hola ciao cześć niemand jemand keiner personne nadie ninguém nessuno nikt nobody somebody someone my mine me as to if in on at the sir of off by for from with and or but so no not nor yes all any both each few more most much many this that these those they them their there then than thus it its he she his her hers him we us our ours you your yours i i'm i'll i've i'd don't we'll you'll can could shall should would must might do did does done was were been being have has had having are is am be get got let lets send sent ask asked call called tell told pay paid take took make made keep kept put say said note ein eine der die das den dem des und oder aber wenn weil als wie wo wer was im am zum zur mein meine dein sein seine ihr ihre unser kein keine nicht nur auch noch schon le les un une des du et ou mais si que qui quoi mon ma mes ton ta son sa ses notre votre leur ce cet cette il elle on nous vous ils elles el los las una unos unas y o pero si mi mis tu tus su sus nuestro este esta ese esa al del os as um uma uns umas e ou mas se meu minha seu sua nosso esse essa este dela dele il lo gli uno ed ma mio mia miei mie tuo tua suo sua loro nostro questo quella het een en of maar als mijn jouw zijn haar ons hun dit dat deze die nie ela ele elas eles você vocês eu nós fosse foi era ser ter tuesday thursday saturday pourquoi parce comment quand bless dear gentile caro cara querido querida kochana drogi droga estimado estimada prezado prezada liebe lieber liebes beste geachte egregio tak to tu ten ta te ci jak gdy po za od do na we ze oraz ale lub nic")
})
