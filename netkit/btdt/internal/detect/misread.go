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
	case x.months(i):
		return true
	case x.speech == lex.English:
		return x.headedTo(i) || x.billed(i) || x.paired(i) || x.sentenceStart(i) && x.tok[i].Flags&(lex.Given|lex.Surname) == 0 && clippingKeys()[x.tok[i].Key]
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

// paired tells whether an English noun that is a given name too starts a sentence
// and is joined with another noun: Miles and points.
func (x *Sheet) paired(i int) bool {
	if !x.has(i, lex.Word) || !x.sentenceStart(i) || !oneOf(x.wordOr(i+1), "and or") || i+3 >= len(x.tok) || x.lead[i] > 420 {
		return false
	}
	t := x.tok[i+2]
	const person = lex.Kin | lex.Role | lex.Title | lex.Given
	return t.Case == lex.Lower && t.Flags&lex.Word != 0 && t.Flags&person == 0 && t.To-t.From > 3 && !functionKeys()[t.Key] && !kinPossessiveKeys()[t.Key] && !oneOf(x.word(i+2), "another other others three four five several some someone everyone everybody friends company both then myself neighbours neighbors colleagues") && x.tok[i+3].Case == lex.Lower && x.tok[i+3].Kind == lex.Letters
}

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
	return oneOf(x.wordOr(i-1), "since because for as while after weil da für nachdem parce puisque pour porque para por perché per omdat voor want ponieważ bo dla") && x.tok[i-1].Case == lex.Lower && x.has(i, lex.Given) && x.tok[i].Flags&other == 0 && x.lead[i] > 250
}
