package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// misread tells whether the capitalised word i, though a given name, is another word
// by what stands beside it.
func (x *Sheet) misread(i int) bool {
	switch {
	case x.months(i), x.paired(i), x.toldThing(i), x.makers(i):
		return true
	case x.speech == lex.English:
		return x.headedTo(i) || x.billed(i) || x.thingAfter(i) || x.sentenceStart(i) && x.tok[i].Flags&(lex.Given|lex.Surname) == 0 && clippingKeys()[x.tok[i].Key]
	case !x.sentenceStart(i):
		return x.headedTo(i) || oneOf(x.word(i), "frank") && x.described(i)
	}
	return x.described(i) || x.saying(i) || x.wrote(i) || x.nounOf(i) || x.degree(i) || x.asks(i)
}

// asks tells whether a verb, a given name elsewhere, starts a question before its
// subject: Wil je; or "hin oder her" stands behind, whoever it is.
func (x *Sheet) asks(i int) bool {
	if oneOf(x.wordOr(i+1), "hin") && oneOf(x.wordOr(i+2), "oder") {
		return true
	}
	return x.has(i, lex.Word|lex.Foreign) && i+1 < len(x.tok) && x.tok[i+1].Case == lex.Lower && (oneOf(x.word(i+1), "je jij ik we wij ich wir du") || x.word(i+1) == "u")
}

// bearers are things that bear the name of a person and are told so behind it.
const bearers = "robot robô chatbot voicebot bot automat automate automa avenida avenue rua rue calle via viale straße strasse straat ulica street road oficina taller garage werkstatt schiff barco bateau nave schip statek ferry boat ship parrocchia parroquia paróquia paroisse pfarrei parish parafia iglesia igreja église kirche kerk chiesa church kościół"

var bearerKeys = sync.OnceValue(func() map[uint64]bool { return keySet(bearers) })

// toldThing tells whether what bears the name at i is told, with its article, to be
// a thing: Nathan, le robot; Carmen, la avenida.
func (x *Sheet) toldThing(i int) bool {
	if i > 1 && namingKeys()[x.tok[i-1].Key] && bearerKeys()[x.tok[i-2].Key] {
		return true // ein Automat namens Enno
	}
	if !x.is(i+1, ",") || i+3 >= len(x.tok) || x.tok[i+2].Case != lex.Lower || !explainerKeys()[x.tok[i+2].Key] || !bearerKeys()[x.tok[i+3].Key] {
		return false
	}
	// Rosa, the church secretary, is a person: English has the thing first.
	return x.speech != lex.English || i+4 >= len(x.tok) || x.tok[i+4].Kind == lex.Sign || oneOf(x.word(i+4), "that which is was has had in at on of from near")
}

// makers tells whether token i stands in a row before things in the plural, which no
// verb of several people is: Martin, Gibson and Taylor guitars.
func (x *Sheet) makers(i int) bool {
	if x.speech != lex.English || !x.capital(i) {
		return false
	}
	const row = 10 // tokens of a row that are read, as each of them asks
	last := i
	for last < i+row && last+2 < len(x.tok) && x.capital(last+2) && (x.is(last+1, ",") || oneOf(x.word(last+1), "and or")) {
		last += 2
	}
	joint := last - 1
	if x.capital(last+1) && x.tok[last+1].Space {
		last++ // Whitney and Roy Orbison shows
	}
	if last+1 >= len(x.tok) || !oneOf(x.wordOr(joint), "and or") || !x.capital(joint-1) || x.has(joint-1, lex.Kin) {
		return false
	}
	t, w := x.tok[last+1], x.word(last+1)
	return t.Case == lex.Lower && t.Space && t.Flags&(lex.Word|lex.Foreign) != 0 && t.Flags&(lex.Kin|lex.Role) == 0 && len(w) > 4 && strings.HasSuffix(w, "s") && !lastly(w, "ss us ways") && !oneOf(w, notMade) && !oneOf(w, "perhaps besides sometimes afterwards sisters brothers themselves towards upstairs downstairs doubles")
}

// notMade are times and verbs that end like things in the plural: Martin and Taylor
// weeks ago; they both claims it.
const notMade = "hours days weeks months years minutes times works lives claims denies agrees knows wants refuses thinks needs seems takes makes keeps calls lets gives gets comes goes does asks tells owes parents guests friends members tenants neighbours neighbors"

// thingAfter tells whether an English noun or adjective that is a given name too
// starts a sentence before a noun: Jasmine rice, Frank language. Behind a person
// stands a verb, or a small word.
func (x *Sheet) thingAfter(i int) bool {
	if !x.has(i, lex.Word) || !x.has(i, lex.Given|lex.Surname) || !x.sentenceStart(i) || i+1 >= len(x.tok) || x.tok[i+1].Case != lex.Lower || x.tok[i+1].Kind != lex.Letters || !x.tok[i+1].Space {
		return false
	}
	t, w := x.tok[i+1], x.word(i+1)
	if t.Flags&lex.Word == 0 || t.Flags&(lex.Say|lex.Kin|lex.Role) != 0 || len(w) < 3 || lastly(w, "s ed ly") || functionKeys()[t.Key] || betweenKeys()[t.Key] || humanDeedKeys()[t.Key] || afterNameKeys()[t.Key] {
		return false
	}
	return true
}

// afterName are English verbs of the past and small words that stand behind a person.
const afterName = "ran rang came went gave got took said told knew wrote spoke sent paid met kept left lost made found felt held brought bought caught thought taught sold stood sat saw began broke chose drew drove fell flew forgot froze grew hid hung laid lay led lent let lit meant put quit read rode rose set shook shot shut slept slid spent split spread stole stuck swore threw understood woke won wore cut cost hit hurt dealt dug fought heard bit blew built burnt dropped became bore swept withdrew withheld upheld oversaw foresaw overheard overcame undertook repaid rewrote rebuilt misled misread mistook sought struck swung fled fed beat bent lit slid sprang spun stank knelt crept bred bound awoke swam dreamt learnt spelt spilt rode resold undid sang tore shone rung drunk drank ate " +
	"who whose whom which that then also later just only never always still again once soon both too the a an his her my our their at in on of from with by to for as than till until after before when while since because if so near next over under about behind beside inside outside upstairs downstairs here there now today yesterday tomorrow tonight first last back out off up down away through across along around alone instead herself himself myself may might must can could will would shall should isn wasn hasn hadn didn doesn wouldn couldn can't won't nor not and but or plus via per en junior senior twice even either neither already almost maybe perhaps often sometimes rarely seldom nearly quite rather very well half one two was were"

var afterNameKeys = sync.OnceValue(func() map[uint64]bool { return keySet(afterName) })

// months tells whether token i is a month beside another one: May and June rent.
func (x *Sheet) months(i int) bool {
	if !x.has(i, lex.Month) || x.lead[i] > 300 && !x.billed(i) && !x.billed(i-2) {
		return false
	}
	for _, step := range []int{-1, 1} {
		j := i + step
		if other := j + step; x.capital(other) && x.has(other, lex.Month) && (x.joining(j) || oneOf(x.word(j), "to till until through bis au do") || x.is(j, ",-/")) {
			return true
		}
	}
	return false
}

// nounOf tells whether a noun that is a given name too starts a Romance sentence
// before what it is of: Sol de agosto, Dolores de cabeza. People are of desks.
func (x *Sheet) nounOf(i int) bool {
	if !x.romance() || !x.has(i, lex.Foreign) || !x.sentenceStart(i) || !oneOf(x.wordOr(i+1), "de di") || i+2 >= len(x.tok) {
		return false
	}
	t := x.tok[i+2]
	return x.tok[i+1].Case == lex.Lower && t.Kind == lex.Letters && t.Case == lex.Lower && t.Flags&(lex.Role|lex.Kin|lex.OrgWord) == 0 && !deskKeys()[t.Key] && !functionKeys()[t.Key] && !x.fromDesk(i)
}

// degree tells whether an adverb starts a German sentence before an adjective that
// it belongs to: Rein rechtlich. Behind a person stands a verb.
func (x *Sheet) degree(i int) bool {
	if i+2 >= len(x.tok) || x.tok[i+1].Case != lex.Lower || x.tok[i+2].Case != lex.Lower || x.tok[i+2].Kind != lex.Letters || x.tongue() != german {
		return false
	}
	for end := range strings.FieldsSeq("lich isch mäßig") {
		if strings.HasSuffix(x.word(i+1), end) {
			return true
		}
	}
	return false
}

// billed tells whether token i is the month that something is paid for: the bill
// for April.
func (x *Sheet) billed(i int) bool {
	return i > 1 && i < len(x.tok) && x.has(i, lex.Month) && oneOf(x.word(i-1), "for") && oneOf(x.word(i-2), "bill bills billed invoice invoices rent statement statements payment payments charge charges charged paid payslip premium premiums fee fees salary wages benefit due credit refund reading readings")
}

// paired tells whether a noun that is a given name too starts a sentence and a row
// of nouns: Miles and points; Basil, thyme and sage.
func (x *Sheet) paired(i int) bool {
	if !x.has(i, lex.Word|lex.Foreign) || !x.sentenceStart(i) || i+3 >= len(x.tok) || x.lead[i] > 420 && x.joining(i+1) || x.tok[i+1].Line {
		return false
	}
	t := x.tok[i+2]
	const person = lex.Kin | lex.Role | lex.Title | lex.Given | lex.Say
	if t.Case != lex.Lower || t.Flags&(lex.Word|lex.Foreign) == 0 || t.Flags&person != 0 || t.To-t.From < 4 || functionKeys()[t.Key] || kinPossessiveKeys()[t.Key] || others()[t.Key] {
		return false
	}
	if x.joining(i+1) || oneOf(x.word(i+1), "et ou oder czy lub") {
		return x.tok[i+3].Case == lex.Lower && x.tok[i+3].Kind == lex.Letters
	}
	return x.is(i+1, ",") && (x.is(i+3, ",") && x.thirdThing(i+4) || x.joining(i+3) || oneOf(x.word(i+3), "et ou oder czy lub"))
}

// thirdThing tells whether a row of things goes on at token i, where a verb may stand
// behind somebody and who they are: Pearl, pensioner, lost the lot.
func (x *Sheet) thirdThing(i int) bool {
	if i >= len(x.tok) {
		return false
	}
	t, w := x.tok[i], x.word(i)
	return t.Case == lex.Lower && t.To-t.From > 3 && t.Flags&lex.Say == 0 && !afterNameKeys()[t.Key] && !strings.HasSuffix(w, "ed") && !pastForm(w, t.Flags)
}

// others stand beside a person for more of them.
var others = sync.OnceValue(func() map[uint64]bool {
	return keySet("another other others three four five several some someone everyone everybody friends company both then myself neighbours neighbors colleagues andere anderen outro outros outra outras otro otra otros otras altri altre altro autres autre inne inni inny zwei drei twee drie deux trois duas dois tres tutti todos tous alle")
})

// clippings are English words cut short that no list has and that start a sentence
// like a name: Depo was on Zoom.
const clippings = "depo depos rep reps promo memo demo intro info ambo arvo rego servo garbo physio appt mtg admin reno condo telco"

var clippingKeys = sync.OnceValue(func() map[uint64]bool { return keySet(clippings) })

// described tells whether an adjective starts a Romance or German sentence with a
// second one and says what follows is like: Chiara e serena, la lettera; Frank und
// frei reden.
func (x *Sheet) described(i int) bool {
	if i+3 >= len(x.tok) || !x.joining(i+1) && !oneOf(x.word(i+1), "et") || x.tok[i+2].Case != lex.Lower || kinPossessiveKeys()[x.tok[i+2].Key] || x.has(i+2, lex.Kin|lex.Role) {
		return false
	}
	if oneOf(x.word(i), "frank") {
		return oneOf(x.word(i+2), "frei")
	}
	return x.is(i+3, ",:") && x.romance() && i+4 < len(x.tok) && x.tok[i+4].Case == lex.Lower && (oneOf(x.word(i+4), "la las los le les lo il gli el os as un una uma une") || x.word(i+4) == "o" || x.word(i+4) == "a" || x.word(i+4) == "l")
}

// sayings begin with a given name and are about nobody.
var sayings = []string{"joost mag", "róża wiatrów", "różę wiatrów", "vera e propria", "vero e proprio", "otto normalverbraucher", "hans dampf", "jan modaal"}

// saying tells whether one of them starts at token i: Joost mag weten.
func (x *Sheet) saying(i int) bool {
	if i+1 >= len(x.tok) {
		return false
	}
	pair := strings.ToLower(x.word(i) + " " + x.word(i+1))
	for _, s := range sayings {
		if strings.HasPrefix(s, pair) {
			return true
		}
	}
	return false
}

// wrote tells whether the Italian "I have", a surname elsewhere, stands before a
// participle: Ho scritto.
func (x *Sheet) wrote(i int) bool {
	return oneOf(x.word(i), "ho hai") && i+1 < len(x.tok) && x.tok[i+1].Case == lex.Lower && x.has(i+1, lex.Italian) && participle("ha", x.word(i+1))
}

// travels are verbs that have a place behind their "to".
const travels = "drive drives driving drove travel travels travelling traveling travelled traveled fly flies flying flew flown trip trips move moved moving commute commuted commuting flight flights train bus relocate relocated"

// headedTo tells whether token i is the town that somebody goes to: driving to
// Austin.
func (x *Sheet) headedTo(i int) bool {
	if i > 2 && x.has(i, lex.Place) && x.joining(i-1) && x.capital(i-2) && x.headedTo(i-2) {
		return true // to Victoria and Austin
	}
	return i > 1 && x.has(i, lex.Place) && !x.tok[i].Line && (oneOf(x.word(i-1), "to") && x.speech == lex.English && oneOf(x.word(i-2), travels) || oneOf(x.word(i-1), "nach") && x.has(i-2, lex.German) && x.tongue() == german && !oneOf(x.word(i-2), "fragte gefragt fragen suche gesucht benannt") && x.lead[i] < 200)
}

// generals are offices that end in "General".
const generals = "inspector attorney surgeon director solicitor postmaster auditor comptroller adjutant secretary governor registrar prosecutor advocate quartermaster accountant receiver consul commissioner"

// generalOffice tells whether token i ends one of them.
func (x *Sheet) generalOffice(i int) bool {
	return oneOf(x.word(i), "general") && i > 0 && !x.tok[i].Line && x.capital(i-1) && oneOf(x.word(i-1), generals)
}

// gathered are those whom a greeting to several speaks to: Hola Equipo.
const gathered = "team equipo equipa equipe équipe squadra zespole todos todas tutti tous everyone everybody all folks friends zusammen allerseits leute allemaal iedereen wszystkim support"

// gathering tells whether token i is such a word behind a greeting.
func (x *Sheet) gathering(i int) bool {
	return i > 0 && oneOf(x.word(i), gathered) && x.saluted(i)
}

// officeEnds end the German and Dutch compounds of what somebody is.
var officeEnds = []string{"älteste", "ältester", "berater", "beraterin", "vorsitzende", "vorsitzender", "leiter", "leiterin", "vertreter", "vertreterin", "beauftragte", "beauftragter", "prüfer", "prüferin", "ermittler", "ermittlerin", "betreuer", "betreuerin", "verwalter", "verwalterin", "pfleger", "pflegerin", "arzt", "ärztin", "anwalt", "anwältin", "meister", "meisterin", "referent", "referentin", "arbeiter", "arbeiterin", "schwester", "beamter", "beamtin", "helfer", "helferin", "lehrer", "lehrerin", "händler", "händlerin", "makler", "maklerin", "gutachter", "gutachterin", "richter", "richterin", "techniker", "technikerin", "sprecher", "sprecherin", "direktor", "direktorin", "vollzieher", "vollzieherin",
	"adviseur", "medewerker", "medewerkster", "begeleider", "begeleidster", "consulent", "consulente", "behandelaar", "verpleegkundige", "inspecteur", "deskundige", "bemiddelaar", "voorzitter", "voorzitster", "coördinator"}

// officeCompound tells whether the unknown word i is such a compound before a given
// name, and so no part of it: Versichertenältester Alois Obermoser.
func (x *Sheet) officeCompound(i int) bool {
	if x.tok[i].Case != lex.Capital || x.tok[i].Flags&(lex.Given|lex.Surname) != 0 || !x.capital(i+1) || !x.has(i+1, lex.Given) {
		return false
	}
	low := strings.ToLower(x.word(i))
	for _, end := range officeEnds {
		if len(low) > len(end)+3 && strings.HasSuffix(low, end) {
			return true
		}
	}
	return false
}

// streetAlone tells whether token i is the compound of a street that bears the name
// before it, behind an article and without a house: aan de Willem Alexanderlaan.
func (x *Sheet) streetAlone(i int) bool {
	return i > 1 && x.speech == lex.Other && x.capital(i-1) && oneOf(x.word(i-2), "de der den dem het") && x.tok[i].Flags&(lex.Surname|lex.Given) == 0 && streetEnd(x.word(i)) && !(i+1 < len(x.tok) && x.tok[i+1].Kind != lex.Letters && x.tok[i+1].Kind != lex.Sign)
}

// reasoned tells whether token i, among laws, is somebody whom a request is made for
// or whose case gives the reason: a request, since Odalys is ill.
func (x *Sheet) reasoned(i int) bool {
	const other = lex.Word | lex.Foreign | lex.Place | lex.Org | lex.Seen | lex.Law | lex.OrgWord | lex.LawWord | lex.Month
	if oneOf(x.wordOr(i-1), "of") && oneOf(x.wordOr(i-2), "because") {
		return x.has(i, lex.Given) && x.tok[i].Flags&other == 0
	}
	return oneOf(x.wordOr(i-1), "since because for as while after weil da für nachdem parce puisque pour porque para por perché per omdat voor want ponieważ bo dla") && x.tok[i-1].Case == lex.Lower && x.has(i, lex.Given) && x.tok[i].Flags&other == 0 && x.lead[i] > 250
}
