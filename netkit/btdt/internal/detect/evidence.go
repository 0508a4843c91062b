package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// evidence is what the words beside a name of one word, token i, tell of whether
// it is a person, in the measure of the tagger: more than 0 for a person.
func (x *Sheet) evidence(i int) int32 {
	sum := int32(0)
	for _, cue := range []struct {
		there  bool
		weight int32
	}{
		{x.acts(i) && (x.tok[i].Flags&lex.Polish == 0 && x.has(i, lex.Surname) || x.has(i, lex.Given)), 250},
		{x.acts(i) && x.tok[i].Flags == 0, 100},
		{x.sentenceStart(i) && x.romance() && x.tok[i].Flags&(lex.Given|lex.Surname) != 0 && x.acts(i), 300},
		{x.withKin(i), 300},
		{x.explained(i), 250},
		{x.relationBefore(i), 350},
		{x.fromDesk(i), 300},
		{x.possesses(i), 150},
		{x.possesses(i) && x.tok[i].Flags&^(lex.Given|lex.Surname|lex.Start|lex.Languages) == 0 && x.has(i, lex.Given), 250},
		{x.saluted(i), 300},
		{x.conversed(i), 250},
		{x.reported(i), 200},
		{x.doesIt(i), 150},
		{x.plural(i), -400},
		{x.entry(i), 200},
		{x.counted(i), -400},
		{x.oneOfMany(i), -350},
	} {
		if cue.there {
			sum += cue.weight
		}
	}
	return sum
}

// evident tells whether a capitalised word that the tagger took for no name is one
// by what stands beside it.
func (x *Sheet) evident(i int) bool {
	const other = lex.OrgWord | lex.LawWord | lex.Role | lex.Org | lex.Seen | lex.Law | lex.Street | lex.Title | lex.Kin
	t := x.tok[i]
	if t.Case != lex.Capital && t.Case != lex.Inner || t.To-t.From < 3 || t.Flags&other != 0 || t.Flags&(lex.Given|lex.Surname) == 0 && t.Flags != 0 || !x.alone(i) || functionKeys()[t.Key] || compoundThing(x.word(i)) || t.Flags == 0 && x.speech == lex.English && branded(x.word(i)) {
		return false
	}
	k := tag.Kind(x.labels[i])
	if k == tag.LawFirst || k == tag.AddressFirst || k == tag.MedicalFirst || t.Flags&(lex.Month|lex.Keep) != 0 && t.Flags&lex.Given == 0 {
		return false
	}
	if t.Flags&lex.Place != 0 && (t.Flags&lex.Given == 0 && !x.fromDesk(i) && !x.conversed(i) || i > 0 && (x.tok[i-1].Case == lex.Lower && particle(x.word(i-1)) || x.is(i-1, "'"))) {
		return false
	}
	e := x.evidence(i)
	return e >= 150 && x.lead[i]+e >= x.needed(i)
}

// nameParticles are written with a capital where a surname stands alone.
const nameParticles = "van de le la lo li di da dal dalla del della degli dello d des du el ben bin abu al ter ten von zur mac"

var nameParticleKeys = sync.OnceValue(func() map[uint64]bool { return keySet(nameParticles) })

// particled is the token behind a surname of several words that starts at i: Le
// Gall, Van der Meulen, Degli Esposti; or 0.
func (x *Sheet) particled(i int) int {
	if x.tok[i].Case != lex.Capital || !nameParticleKeys()[x.tok[i].Key] || x.capital(i-1) && !x.sentenceStart(i) {
		return 0
	}
	j := i + 1
	for j < len(x.tok) && j < i+3 && (particle(x.word(j)) && x.tok[j].Case == lex.Lower || x.is(j, "'")) {
		j++
	}
	const other = lex.OrgWord | lex.LawWord | lex.Role | lex.Org | lex.Seen | lex.Law | lex.Street | lex.Title | lex.Kin | lex.Place | lex.Month
	if !x.capital(j) || x.tok[j].Line || x.tok[j].Case == lex.Caps || x.held[j] || x.tok[j].Flags&other != 0 || x.capital(j+1) && !x.tok[j+1].Line || x.is(j+1, "&") {
		return 0
	}
	t := x.tok[j]
	switch e := x.evidence(j); {
	case t.Flags&lex.Surname != 0 && t.Flags&(lex.Word|lex.Foreign) == 0 && x.lead[j]+e > -300:
	case (t.Flags&lex.Surname != 0 || t.Flags == 0) && x.lead[j]+e > 0:
	default:
		return 0
	}
	return j + 1
}

// genitive tells whether a word with the s of the German genitive stands before the
// noun that belongs to it: Feddersens Aufmaß. Firms, places and things have an s
// too; they are known without it.
func (x *Sheet) genitive(i int) bool {
	t := x.tok[i]
	w, s := strings.CutSuffix(x.word(i), "s")
	const other = lex.Word | lex.Foreign | lex.Place | lex.Org | lex.Seen | lex.OrgWord | lex.LawWord | lex.Role | lex.Month | lex.Street | lex.Noun | lex.Keep
	if !s || len(w) < 4 || t.Case != lex.Capital || t.Flags&other != 0 || x.speech == lex.English || x.speech == lex.Other && x.tongue() != german || x.capital(i-1) && !t.Line || !x.germanNoun(i+1) || compoundThing(x.word(i)) {
		return false
	}
	_, last, _ := cutLast("-"+w, '-')
	f := lex.Of(lex.Key(last))
	if f&(lex.Given|lex.Surname) != 0 {
		return f&(other&^lex.Foreign) == 0 && x.lead[i] > -450
	}
	return f == 0 && x.lead[i] > -200
}

// firmsOwn tells whether a word is a firm with the s of the German genitive.
func (x *Sheet) firmsOwn(i int) bool {
	w, s := strings.CutSuffix(x.word(i), "s")
	return s && x.speech != lex.English && x.tok[i].Flags&(lex.Given|lex.Surname) == 0 && lex.Of(lex.Key(w))&(lex.Org|lex.Seen) != 0
}

// germanNoun tells whether token i is an ordinary noun with its capital, perhaps
// behind an adjective.
func (x *Sheet) germanNoun(i int) bool {
	if i < len(x.tok) && x.tok[i].Case == lex.Lower && x.has(i, lex.Foreign) && x.capital(i+1) && (strings.HasSuffix(x.word(i), "e") || strings.HasSuffix(x.word(i), "er") || strings.HasSuffix(x.word(i), "es") || strings.HasSuffix(x.word(i), "en")) {
		i++
	}
	return x.capital(i) && !x.tok[i].Line && x.has(i, lex.Noun|lex.German|lex.Foreign) && x.tok[i].Flags&(lex.Given|lex.Org|lex.OrgWord) == 0
}

// personal tells whether a word stands as only a person does, whatever it names
// besides.
func (x *Sheet) personal(i int) bool {
	return x.withKin(i) || x.explained(i) || x.relationBefore(i) || x.saluted(i) || x.conversed(i)
}

// acts tells whether a verb that has a person as its subject follows token i:
// Paz durmió, Le Gall n'a rien signé.
func (x *Sheet) acts(i int) bool {
	j, aux := x.verbAfter(i)
	if j == 0 {
		return false
	}
	const other = lex.Org | lex.Seen | lex.OrgWord | lex.Role | lex.Law | lex.LawWord // firms say and sign as well
	t, w := x.tok[i], x.word(j)
	switch {
	case t.Flags&other != 0 && !(t.Flags&other == lex.Seen && x.lead[i] > 300), t.Flags&lex.Word != 0 && oneOf(w, manyOrDoing), x.speech == lex.Other && oneOf(w, "met"):
		return false
	case (x.has(i, lex.Given|lex.Surname) || t.Flags == 0) && !x.has(i, lex.Foreign) && humanDeedKeys()[x.tok[j].Key]:
		return true
	}
	return x.tok[j].Flags&lex.Say != 0 || x.speech == lex.Other && pastForm(w, x.tok[j].Flags) || participle(aux, w)
}

// verbAfter is the word in small letters behind token i and a few that may stand
// before its verb, with the auxiliary among these; or 0.
func (x *Sheet) verbAfter(i int) (j int, aux string) {
	j = i + 1
	if x.is(j, `"`) {
		j++
	}
	for j < len(x.tok) && j < i+5 && x.tok[j].Kind == lex.Letters && x.tok[j].Case == lex.Lower && betweenKeys()[x.tok[j].Key] {
		if w := x.word(j); w == "a" || oneOf(w, "avait ha aveva") {
			aux = w
		}
		j++
	}
	if j >= len(x.tok) || x.tok[j].Kind != lex.Letters || x.tok[j].Case != lex.Lower || x.tok[j].Line {
		return 0, ""
	}
	return j, aux
}

// participle tells whether a word is a past participle behind its auxiliary.
func participle(aux, w string) bool {
	ends := ""
	switch aux {
	case "a", "avait":
		ends = "é it is u"
	case "ha", "aveva":
		ends = "ato uto ito so to"
	}
	for end := range strings.FieldsSeq(ends) {
		if len(w) > len(end)+1 && strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}

// humanDeeds are further verbs in the past that a given name is the subject of.
const humanDeeds = "came went rang picked hung spoke read knew let put stood sat ran sorted fixed booked waived credited did didn't kam kamen ging gab nahm fand sprach blieb stand saß las ließ brachte kannte wusste wollte konnte nannte zog trug kwam ging gaf nam zag wist kende stond bleef las liet bracht wilde kon stuurde vond"

var humanDeedKeys = sync.OnceValue(func() map[uint64]bool { return keySet(humanDeeds) })

// manyOrDoing are verbs that are things in the plural too: pat answers, bill calls.
const manyOrDoing = "answers calls claims signs needs uses fights offers works promises replies chases waits"

// betweens stand between a subject and its verb.
const betweens = "no se me nos le lo les la não nie się ne n ' y en già ya também też non mi ci ni lhe também jamais jamás nunca also then later just never finally dann auch nur erst niet ook toen al a ha hat has had hatte heeft had avait aveva había zich sich tout tous rien bien déjà toujours encore tutto subito sempre ya siempre"

var betweenKeys = sync.OnceValue(func() map[uint64]bool { return keySet(betweens) })

// pastForm tells whether a word is a past tense by its form: firmó, assinou,
// podpisał, signé.
func pastForm(w string, f lex.Flags) bool {
	has := func(of lex.Flags, ends ...string) bool {
		for _, end := range ends {
			if f&of != 0 && len(w) > len(end)+2 && strings.HasSuffix(w, end) {
				return true
			}
		}
		return false
	}
	return has(lex.Spanish, "ó") || has(lex.Portuguese, "ou", "eu", "iu") && f&lex.French == 0 || has(lex.Polish, "ał", "ała", "ił", "iła", "ył", "yła", "ął", "ęła")
}

// kinPossessives stand before those who belong to a person, and close words for
// who writes.
const (
	kinPossessives = "his her their my our su sus mi son sa ses mon ma seine seinen seiner sein ihre ihr ihren mein meine meiner zijn haar mijn seu sua meu minha suo mio mia jego jej mój moja " + writers
	writers        = "me ich wir moi yo eu io ik ja"
)

var (
	kinPossessiveKeys = sync.OnceValue(func() map[uint64]bool { return keySet(kinPossessives) })
	writerKeys        = sync.OnceValue(func() map[uint64]bool { return keySet(writers) })
)

// withKin tells whether token i is joined with the kin of a person or with who
// writes: Royal and his mom, De Smedt et moi.
func (x *Sheet) withKin(i int) bool {
	if i+2 < len(x.tok) && x.joining(i+1) && kinPossessiveKeys()[x.tok[i+2].Key] && x.tok[i+2].Case == lex.Lower {
		return writerKeys()[x.tok[i+2].Key] || x.kinWithin(i+3)
	}
	return i > 1 && x.joining(i-1) && (x.tok[i-2].Case == lex.Lower && writerKeys()[x.tok[i-2].Key] || x.word(i-2) == "I" || x.tok[i-2].Flags&lex.Kin != 0 && x.tok[i-2].Case == lex.Lower)
}

// kinWithin tells whether a word of kin or of a role stands at token i or behind
// the next word.
func (x *Sheet) kinWithin(i int) bool {
	for j := i; j < min(i+2, len(x.tok)); j++ {
		if x.tok[j].Flags&(lex.Kin|lex.Role) != 0 {
			return true
		}
	}
	return false
}

// explainers open what tells who somebody is.
const explainers = "the a my our his her their der die mein meine unser unsere le la l ma mon notre son sa el mi su nuestro nuestra o a os meu minha il lo mio mia nostro nostra suo sua de het een mijn onze haar zijn un une una ein eine um uma mój moja nasz nasza jego jej"

var explainerKeys = sync.OnceValue(func() map[uint64]bool { return keySet(explainers) })

// explained tells whether a role or kin is told behind a comma or in parentheses:
// Salvador, o vendedor; Tolu (my flatmate).
func (x *Sheet) explained(i int) bool {
	if !x.is(i+1, ",(-") || i+3 >= len(x.tok) || x.tok[i+2].Case != lex.Lower || !explainerKeys()[x.tok[i+2].Key] {
		return false
	}
	j := i + 3
	if x.is(j, "'") {
		j++
	}
	return x.kinWithin(j) || x.has(i, lex.Given) && x.is(j+1, ",)")
}

// relationBefore tells whether a role or kin of somebody stands before the comma
// or parenthesis at the left of token i: son chef d'équipe, Bakri, prétendait.
func (x *Sheet) relationBefore(i int) bool {
	if i < 3 || !x.is(i-1, ",(") || x.tok[i].Line || !x.is(i+1, ",.);") && i+1 < len(x.tok) {
		return false
	}
	for j := i - 2; j >= 0 && j > i-6 && x.tok[j].Kind == lex.Letters; j-- {
		if x.tok[j].Case == lex.Lower && x.tok[j].Flags&(lex.Kin|lex.Role) != 0 && !oneOf(x.word(j), "employer insurer lender provider supplier broker carrier owner") {
			for k := j - 1; k >= 0 && k > j-3; k-- {
				if kinPossessiveKeys()[x.tok[k].Key] || explainerKeys()[x.tok[k].Key] {
					return true
				}
			}
		}
	}
	return false
}

// desks are where people answer: a person is "from billing", a thing is not.
const desks = "billing accounts claims complaints retention retentions collections reception dispatch support security hr legal finance sales fraud admissions scheduling parking housing payroll records logistics escalations enrollment enrolment registration desk department dept team office counter branch switchboard front night water " +
	"kundendienst kundenservice buchhaltung abteilung hotline zentrale leitung kanzlei verwaltung empfang kundencenter rechtsabteilung hausverwaltung inkasso kasse pforte widerspruchsstelle " +
	"accueil guichet service comptabilité secrétariat litiges réclamations standard agence contentieux mairie " +
	"atención ventanilla recepción cobranza cobranzas reclamaciones oficina mostrador caja sucursal mantenimiento banco taller farmacia administración " +
	"balcão atendimento cobrança manutenção loja agência farmácia recepção receção secretaria condomínio oficina banco " +
	"sportello ufficio reclami segreteria call reception banca filiale assistenza " +
	"klantenservice balie receptie administratie afdeling incasso gemeente helpdesk winkel " +
	"infolinii działu okienka windykacji reklamacji obsługi recepcji księgowości biura sekretariatu banku urzędu"

var deskKeys = sync.OnceValue(func() map[uint64]bool { return keySet(desks) })

// placings stand between a person and a desk.
const placings = "from in at on aus vom von beim bei am an du de chez au del do da no na dell della dello dal al z ze w van bij"

var placingKeys = sync.OnceValue(func() map[uint64]bool { return keySet(placings) })

// fromDesk tells whether token i is of a desk or works for a firm: Hope in
// Customer Relations, Augusta, da farmácia, Maja z infolinii.
func (x *Sheet) fromDesk(i int) bool {
	j := i + 1
	comma := x.is(j, ",(")
	if comma {
		j++
	}
	if j+1 >= len(x.tok) || x.tok[j].Case != lex.Lower || !placingKeys()[x.tok[j].Key] && x.word(j) != "à" || !x.has(i, lex.Given) && x.has(i, lex.Foreign) && x.capital(j+1) {
		return false
	}
	english := oneOf(x.word(j), "from in at")
	if x.speech == lex.English && !english {
		return false
	}
	for k := j + 1; k < min(j+5, len(x.tok)); k++ {
		t := x.tok[k]
		switch {
		case t.Kind != lex.Letters && !x.is(k, "'"):
			return false
		case deskKeys()[t.Key] && t.Flags&lex.Place == 0:
			return true
		case t.Case != lex.Lower && (x.held[k] && t.Flags&lex.Place == 0 || t.Flags&lex.OrgWord != 0):
			return !comma && oneOf(x.word(j), "from at chez") || !english && !x.capital(k-1)
		case t.Case != lex.Lower && !(x.capital(k+1) && english):
			return false
		}
	}
	return false
}

// possesses tells whether something that a person has stands behind an 's.
func (x *Sheet) possesses(i int) bool {
	return x.is(i+1, "'") && i+3 < len(x.tok) && x.word(i+2) == "s" && !x.tok[i+2].Space && x.tok[i+3].Kind == lex.Letters && x.tok[i+3].Case == lex.Lower && !x.ruledFrom(i)
}

// entry tells whether a given name is all that stands between two signs of
// key_contacts: Wessex Water: Sue or Martin. The town stands behind a comma there.
func (x *Sheet) entry(i int) bool {
	if x.Field != "key_contacts" || !x.has(i, lex.Given) || x.has(i, lex.Org|lex.Seen|lex.OrgWord|lex.Role) || x.is(i-1, ",") && x.has(i, lex.Place) {
		return false
	}
	left := i == 0 || x.tok[i].Line || x.is(i-1, ";,:/|-(") || x.joining(i-1)
	right := i+1 == len(x.tok) || x.tok[i+1].Line || x.is(i+1, ";,/|-()") || x.joining(i+1)
	return left && right
}

// saluted tells whether a greeting stands before token i: Dear Barry, Cheers, Bec.
func (x *Sheet) saluted(i int) bool {
	j := i - 1
	if x.is(j, ",-") {
		j--
	}
	if j > 0 && towardsKeys()[x.tok[j].Key] && oneOf(x.word(j-1), "attention attn atención attenzione atenção uwagi rąk") || oneOf(x.wordOr(j), "fao attn") {
		return true
	}
	return j >= 0 && x.tok[j].Kind == lex.Letters && oneOf(x.word(j), "dear cheers regards sincerely thanks hi hello hey hola bonjour hallo ciao olá cześć grüße gruß cordialement saludos atentamente abraços saluti groeten pozdrawiam liebe lieber chère cher cara caro querida querido estimada estimado")
}

// talk are verbs and nouns of speaking that join a person with a preposition.
const talk = "spoke speak speaking spoken talked talk talking chatted call thanks thank ask asked asking gesprochen gespräch telefonat telefonate telefoniert telefonieren rückruf dank danke anruf parlé parler demandez demander entretien appel merci grâce hablé habló hablar pregunten preguntar pregunte llamada gracias falei falou falar liguei ligação obrigado obrigada graças parlato parlare chiedere chiedete grazie telefonata gesproken sprak spreken gesprek dank rozmawiałem rozmawiałam rozmowa rozmowę rozmowie rozmowy telefon dzięki dziękuję"

var talkKeys = sync.OnceValue(func() map[uint64]bool { return keySet(talk) })

// towards are the prepositions of speaking.
const towards = "to with for of mit an à de d di avec con por com ao met aan z ze do"

var towardsKeys = sync.OnceValue(func() map[uint64]bool { return keySet(towards) })

// conversed tells whether somebody speaks to token i: Telefonat mit Sommer.
func (x *Sheet) conversed(i int) bool {
	if i < 2 || x.tok[i].Line || x.tok[i-1].Case != lex.Lower || !towardsKeys()[x.tok[i-1].Key] {
		return false
	}
	return talkKeys()[x.tok[i-2].Key] || i > 2 && talkKeys()[x.tok[i-3].Key]
}

// reported tells whether what token i says is told: según Quispe, laut Sommer.
func (x *Sheet) reported(i int) bool {
	if i < 1 || x.tok[i].Line || !x.has(i, lex.Given) && x.has(i, lex.Foreign) || x.has(i, lex.Org|lex.Seen) {
		return false
	}
	j := i - 1
	if x.tok[j].Case == lex.Lower && (x.word(j) == "a" || x.word(j) == "o" || x.is(j, "'") || oneOf(x.word(j), "to")) && j > 0 {
		j--
	}
	return oneOf(x.word(j), "laut selon según segundo secondo volgens według") || oneOf(x.word(j), "according") && j < i-1
}

// doesIt tells whether, in English, a past tense with its object follows a name:
// Grant granted the extension. Without it the verb may be a participle.
func (x *Sheet) doesIt(i int) bool {
	if x.speech != lex.English || i+2 >= len(x.tok) || x.tok[i+1].Case != lex.Lower || x.tok[i+2].Kind == lex.Sign && !x.is(i+2, "£$€") {
		return false
	}
	w := x.word(i + 1)
	return strings.HasSuffix(w, "ed") && !oneOf(w, "covered included showed listed allowed saved required stated described mentioned applied needed expired") && (oneOf(x.word(i+2), objects) || x.word(i+2) == "a" || x.is(i+2, "£$€"))
}

// plural tells whether an English word that is a name as well stands before things
// in the plural that could be a verb: pat answers such as these.
func (x *Sheet) plural(i int) bool {
	return x.speech == lex.English && x.has(i, lex.Word) && i+2 < len(x.tok) && oneOf(x.word(i+1), "answers calls claims promises replies") && oneOf(x.word(i+2), "such like on to from of are were in for get go")
}

// tallies stand before what is counted or before times of the year.
const tallies = "jedes jeder jede jedem jeden zwei drei vier fünf sechs sieben acht neun zehn elf zwölf beide beiden mehrere viele alle seit since until till im am zum vom beim je pro ab since depuis desde dal vanaf sinds od dos tres deux trois tre twee drie dwa trzy meine ganze volle dritten zweiten ersten"

var tallyKeys = sync.OnceValue(func() map[uint64]bool { return keySet(tallies) })

// counted tells whether a noun or month, though a name as well, is counted or
// dates something: jedes Mal, seit Mai.
func (x *Sheet) counted(i int) bool {
	return i > 0 && x.has(i, lex.Month|lex.Noun|lex.Foreign) && !x.tok[i].Line && tallyKeys()[x.tok[i-1].Key]
}

// oneOfMany tells whether an English article stands before a name that is no
// family: the Priory, the Duke.
func (x *Sheet) oneOfMany(i int) bool {
	if i > 0 && strings.EqualFold(x.word(i-1), "a") && x.speech == lex.English && i+1 < len(x.tok) && x.tok[i+1].Kind == lex.Letters && x.tok[i+1].Case == lex.Lower && x.has(i+1, lex.Word) && !x.has(i+1, lex.Say) && !oneOf(x.word(i+1), "from in at on of who with by for to or and") {
		return true // a Christian charity
	}
	return i > 0 && !x.tok[i].Line && x.speech == lex.English && oneOf(x.word(i-1), "the an") && !strings.HasSuffix(x.word(i), "s") && !(i+1 < len(x.tok) && oneOf(x.word(i+1), "family household clan girls boys brothers sisters twins kids children siblings estate"))
}

// namedThings carry the names of people: storms, programs, ships.
const namedThings = "dispositif réforme amendement barème plan plano doctrina sentencia súmula acórdão riforma lodo sentenza ustawa storm hurricane cyclone typhoon chatbot bot assistant robot ferry ship sturm sturmtief orkan hurrikan zyklon tief assistentin tempête cyclone ouragan ferry navire borrasca huracán tormenta asistente buque crucero tempestade depressão furacão assistente navio tempesta ciclone uragano traghetto nave storm orkaan schip huragan orkan bot czatbot prom statek wichura"

var namedThingKeys = sync.OnceValue(func() map[uint64]bool { return keySet(namedThings) })

// namedThing tells whether token i is the name of such a thing.
func (x *Sheet) namedThing(i int) bool {
	return i > 0 && !x.tok[i].Line && namedThingKeys()[x.tok[i-1].Key]
}
