package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
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
	if x.manual(from, to) || x.dotted(from, to) || x.chained(from, to) || x.office(from, to) || x.strokes(from, to) || x.wordsGoOn(from) {
		return false
	}
	if x.Field == "legal_levers" && !x.titleBefore(from) && !(letters == 1 && x.reasoned(from)) && (letters == 1 || !known || x.lead[from] < 100 || !x.has(from, lex.Given) && !x.initial(from) && x.lead[from] < 400) {
		return false // laws and cases stand there, hardly ever a person
	}
	if x.place(from, to) || x.thingAmong(from, to) || x.calledThe(from, to) || x.partOfLaw(from, to) {
		return false
	}
	if x.Field == "entity" && letters > 1 && !x.titleBefore(from) && x.lead[from] < 450 && !x.has(to-1, lex.Surname) {
		return false // an institution stands there
	}
	if letters > 1 && (x.firmFirst(from, to) || x.thingOf(from, to)) {
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
		office = office || x.thingWord(i) || strings.HasSuffix(x.word(i), "platform")
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

// thingOf tells whether an ordinary word, or one that no list knows, stands before what
// it is of: Liga dos Combatentes, Soprintendenza di Brescia.
func (x *Sheet) thingOf(from, to int) bool {
	if from+2 >= to || x.tok[from+1].Case != lex.Lower || !oneOf(x.word(from+1), "di dei degli de da do dos das del della du des van von y e") || x.titleBefore(from) || x.honorific(from, from+1) {
		return false
	}
	f := x.tok[from].Flags
	if f&lex.Given != 0 || f&lex.Surname != 0 && x.has(to-1, lex.Surname) && !x.has(to-1, lex.Place|lex.Org|lex.Seen) && x.lead[from] > 0 {
		return false // Ángel del Río, Campos de Moura
	}
	return f&(lex.Word|lex.Foreign) != 0 && x.lead[from] < 500 || f&(lex.Given|lex.Surname) == 0 && x.lead[from] < 250
}

// wordsAlone tells whether a name of several words has none that is known as a
// name and only words that are ordinary: Network Adequacy, Usługa Niewykonana.
func (x *Sheet) wordsAlone(from, to int) bool {
	if x.titleBefore(from) || x.lead[from] > 250 || x.lead[from] > 0 && nameParticleKeys()[x.tok[from].Key] && x.tok[from].Case == lex.Capital && !x.sentenceStart(from) {
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
		if t.Flags&(lex.Word|lex.Foreign|lex.OrgWord|lex.LawWord) == 0 && !x.thingWord(i) {
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
	if last[0] >= 'a' && len(last) > 3 && f&lex.Given == 0 && f&(lex.Languages|lex.Word|lex.Foreign) != 0 {
		return true // Belle-famille; but Jean-pierre, as it is typed in haste
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

// anyKnown tells whether a list of names has one of some words.
func (x *Sheet) anyKnown(from, to int) bool {
	for _, t := range x.tok[from:to] {
		if t.Flags&(lex.Given|lex.Surname) != 0 {
			return true
		}
	}
	return false
}
