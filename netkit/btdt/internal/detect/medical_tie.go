package detect

import (
	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// weigh adds up what speaks for an ailment's being one person's, and what speaks
// for general talk, in points. First counts what stands right beside it, then
// the clause, then the sentence.
func (x *Sheet) weigh(a *ailment) {
	switch a.kind {
	case vague:
		a.weight--
	case plain:
		a.weight += 2
	case marked:
		a.weight += 4
	}
	from, to := x.sentence(a.from)
	s := x.survey(from, to, a)
	tied := x.owned(a) + x.clause(a)
	if x.Field == "key_contacts" || x.Field == "title" && (tied < 3 && !s.named && !s.kin || a.kind == vague) {
		a.weight -= 2 // these tell what a playbook is about, not a story
	}
	if a.kind == vague && tied > 0 {
		a.weight++
	}
	after := x.follows(a)
	if tied < 4 && (x.statistic(from, a.from) || s.person() == 0 && x.census(from, to)) {
		after -= 7 // one in four has it
	}
	a.weight += tied + after + x.shown(a)
	if a.rule == procedureCode && tied == 0 && !(s.named || s.kin || s.mine || s.past) {
		a.weight -= 4 // what anybody is billed for
	}
	if x.dated(a) {
		a.weight += 3
	}
	if x.found(a) {
		a.weight += 2 + boolInt(a.rule == "tagger")
	}
	a.weight += s.person() + x.ofCase(a)
	if a.kind != vague && !s.could && x.charted(a, from) {
		a.weight += 4
	}
	if s.past {
		a.weight++
	}
	if x.aid(a) {
		a.weight -= 4
	}
	x.weighTalk(a, s, from, to, tied, after)
}

// weighTalk goes on with what tells general talk from somebody's story: papers,
// animals, lists, rules.
func (x *Sheet) weighTalk(a *ailment, s scene, from, to, tied, after int) {
	papers, detached := x.papers(a), x.detached(a)
	if papers {
		a.weight -= 5
	}
	if x.headed(a) {
		a.weight += 4 + 3*boolInt(a.kind == vague)
		a.kind = max(a.kind, plain) // no mere test that another ailment explains
	}
	if (s.animal || x.hints(a.from)&animal != 0 || x.petBefore(from, to, a)) && !s.kin {
		a.weight -= 9
	}
	if s.record && a.kind != vague {
		a.weight += 2 + 2*boolInt(x.is(a.from-1, ":"))
	}
	if oneOf(x.word(a.head()), epidemics) && tied == 0 && a.kind != marked {
		a.weight -= 5
	}
	if s.person() == 0 && tied <= 0 && !s.record && a.kind == plain && !x.is(a.from-1, ":") && x.amongAilments(a) {
		a.weight -= 2 // lists are for everybody
	}
	if tied <= 0 && detached {
		a.weight -= 3 + s.person()
	}
	bystander := s.named && !s.kin && !s.someone && !s.mine && !s.past && tied == 0
	if s.person() == 0 || bystander || s.rules && !s.past && !s.kin && tied == 0 {
		a.weight += x.general(a, s, from)
	}
	if a.tagged && (s.person() > 0 || s.past || x.Field == "title") && a.kind != marked && !s.talk() && tied >= 0 && after == 0 && !papers && !detached && !oneOf(x.word(a.head()), epidemics) {
		a.weight += 2 // nothing but the lists speaks against what the tagger sees
	}
	if after >= 0 && !s.animal && !papers && a.weight < private && x.settled(a) {
		a.weight = private
	}
}

// dated tells whether a day stands right behind an ailment: it happened once, to
// somebody.
func (x *Sheet) dated(a *ailment) bool {
	for i := a.to; i < len(x.tok) && i < a.to+3; i++ {
		if x.dayOrSpan(i) > 0 {
			return x.adjoins(*a, i)
		}
	}
	return false
}

// owned looks right before and behind an ailment for whose it is: "my", "Ana's",
// "of my father", "von Herrn Kurz".
func (x *Sheet) owned(a *ailment) int {
	for i := a.from; i < a.to; i++ {
		if x.hints(i)&possessive != 0 && !x.theirs(i) && !oneOf(x.word(i), itsWords) {
			return 4 // MRI of my shoulder
		}
	}
	for i := a.from - 1; i >= 0 && i >= a.from-3; i-- {
		if i == a.from-1 && x.is(i, "(") && x.someoneAt(i-1) {
			return 4 // Mrs Hall (sciatica)
		}
		if x.is(i, ",.;:()") || x.tok[i+1].Line || x.hints(i)&rules != 0 && x.hints(i)&(joining|suffers|possessive) == 0 {
			break // our plan covers cataracts
		}
		if oneOf(x.word(i), opening) {
			break // our landlord said asthma comes from
		}
		if x.hints(i)&possessive != 0 && !x.theirs(i) && !oneOf(x.wordOr(i+1), pets) {
			return 4
		}
		if i > 1 && x.word(i) == "s" && x.is(i-1, "'") && x.personAt(i-2) || i > 0 && x.is(i, "'") && x.someoneAt(i-1) {
			return 4
		}
		if x.nameAt(i) && i == a.from-1 && !x.is(i+1, ",") {
			return 3
		}
	}
	if x.apposed(a) || x.claimOf(a) {
		return 3
	}
	if x.hints(a.to)&(joining|possessive|has) == 0 && !x.someoneAt(a.to) && !oneOf(x.wordOr(a.to), beneficiary) {
		return 0
	}
	for i := a.to; i < len(x.tok) && i < a.to+4; i++ {
		if x.is(i, ".,;:()") || x.tok[i].Line || x.hints(i)&has == 0 && x.past(i) {
			break
		}
		if x.someoneAt(i) || x.hints(i)&possessive != 0 && !x.theirs(i) || oneOf(x.word(i), relatives) {
			return 3
		}
	}
	return 0
}

// relatives are words for one's own people that need no possessive.
const relatives = "papa papá papà papi papy maman mama mamá mamma mamãe papai vati mutti babbo mum mummy daddy nonno nonna opa oma mamie mamy taty mamy tata"

// beneficiary are words between a treatment and the person it is for.
const beneficiary = "for für pour para per voor dla bei chez"

// apposed tells whether an ailment is set behind a person between commas: "Mrs
// Hall, deaf in one ear, could not hear it". A doctor's field stands there too.
func (x *Sheet) apposed(a *ailment) bool {
	if a.kind == vague || !x.is(a.from-1, ",") || a.from < 2 || a.to < len(x.tok) && !x.is(a.to, ",.;:)") {
		return false
	}
	i := a.from - 2
	if !x.personAt(i) || x.is(a.to, ",") && x.inAilment(a.to+1) {
		return false
	}
	for ; i >= 0 && x.nameAt(i); i-- {
	}
	return i < 0 || x.tok[i].Flags&lex.Title == 0 || !oneOf(x.word(i), "dr doctor prof professor dra dott dottssa doktor")
}

// personAt tells whether token i is a person, be it by a pronoun.
func (x *Sheet) personAt(i int) bool {
	return x.someoneAt(i) || x.hints(i)&pronoun != 0 && x.pronounAt(i)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// someoneAt tells whether token i is a person: named, a relation, or masked.
func (x *Sheet) someoneAt(i int) bool {
	return i >= 0 && i < len(x.tok) && (x.nameAt(i) || x.tok[i].Flags&lex.Kin != 0 && x.tok[i].Case != lex.Caps && x.hints(i)&(anyone|could|possessive) == 0 || x.tok[i].Kind == lex.Placeholder && x.word(i) != "[MEDICAL]")
}

// clause looks back through the clause for a word of suffering and who suffers.
func (x *Sheet) clause(a *ailment) int {
	verb, who, rule := 0, 0, false
	for i := a.from - 1; i >= 0 && i >= a.from-9; i-- {
		if x.is(i, ".;!?") && x.tok[i+1].Space || x.tok[i+1].Line {
			break
		}
		h := x.hints(i)
		switch {
		case x.anyoneAt(i):
			return -4
		case oneOf(x.word(i), "starts started begins began beginnt startet commence empieza empezó começa começou inizia begint zaczyna") && x.has(a.from, lex.Care) && i >= a.from-2 && verb < 3:
			verb = 3
		case h&suffers != 0 && oneOf(x.wordOr(a.to), "as"):
			// treated dyslexia as a disability
		case h&suffers != 0 && verb < 3:
			verb, rule = 3, h&rules != 0
		case h&has != 0 && verb == 0 && i >= a.from-4:
			verb = 1
		}
		if x.personAt(i) || h&has != 0 && x.capital(i-1) && x.sentenceStart(i-1) && !x.held[i-1] && x.hints(i-1) == 0 && x.tok[i-1].Flags&(lex.Given|lex.Surname) != 0 {
			who = 1
		}
		if i >= a.from-2 && oneOf(x.word(i), "sono") && x.tongue() == italian {
			return 3 // sono in dialisi
		}
	}
	if verb == 1 && who == 0 && x.sharesSubject(a) {
		who = 1
	}
	if x.sinceThe(a) && verb*who < 2 {
		return 3 // seit der Operation nimmt Frau Kurz
	}
	if verb == 3 && who == 0 && rule {
		return 0 // coverage needs a BMI above 40
	}
	if verb == 3 {
		return 2 + who
	}
	return verb * who * 2
}

// sharesSubject tells whether a verb of having right before an ailment goes on with
// what the sentence says of somebody: "Ich wog 148 kg, hatte Bluthochdruck".
func (x *Sheet) sharesSubject(a *ailment) bool {
	i := a.from - 1
	if x.hints(i)&has == 0 || !x.is(i-1, ",") && x.hints(i-1)&conjunction == 0 {
		return false
	}
	from, _ := x.sentence(i)
	return x.personAt(from) || oneOf(x.word(from), "I ich je yo eu io ik ja") || x.hints(from)&possessive != 0 && x.personAt(from+1)
}

// sinceThe tells whether an ailment with an article that means a certain one is what
// something has been so since, in a sentence with somebody in it.
func (x *Sheet) sinceThe(a *ailment) bool {
	i := a.from - 1
	if x.is(i, "'") {
		i--
	}
	if w := x.wordOr(i); !oneOf(w, "the der dem den la le el il lo de het dalla dall dal") && !oneLetter(w, "lao") || !oneOf(x.wordOr(i-1), "since after before seit nach vor depuis après avant desde tras después antes após depois dopo prima sinds na voor") && !oneOf(w, "dalla dall dal") {
		return false
	}
	from, to := x.sentence(a.from)
	s := x.survey(from, to, a)
	return s.person() > 0
}

// follows looks at what follows an ailment: "diabetes clinic", "cancer charity".
func (x *Sheet) follows(a *ailment) int {
	if a.to < len(x.tok) && !x.tok[a.to].Line && x.hints(a.to)&organ != 0 && a.kind != marked {
		if oneOf(x.word(a.to), "claim claims appeal denial record records") && (x.owned(a) > 3 || x.claimOf(a)) {
			return 0 // Ophira's PTSD claim
		}
		return -7
	}
	if x.is(a.to, "&") && x.capital(a.to+1) && a.kind != marked {
		return -6 // the Crohn's & Colitis Foundation
	}
	if c := a.core[1]; c > 0 && c < a.to && x.hints(c)&organ != 0 && x.tok[c].Kind == lex.Letters && a.kind != marked && x.owned(a) == 0 {
		return -7 // a cancer rider only
	}
	known := *a // without what the tagger sees around it: a thesis on malaria
	known.from = a.head()
	if x.idiom(a) || x.practice(a) || x.figureOfSpeech(&known) || x.beastly(&known) || x.brokenHeart(a) || x.calling(a) || x.machineIll(a) {
		return -7
	}
	if x.has(a.to, lex.OrgWord|lex.Role|lex.LawWord) && x.tok[a.to].Kind == lex.Letters && a.kind != marked && !oneOf(x.word(a.to), "ab") {
		return -6
	}
	return 0
}

// idiom tells whether what looks like an ailment is a figure of speech or damage
// to a thing: the stroke of a pen, una fractura del contrato.
func (x *Sheet) idiom(a *ailment) bool {
	if oneOf(x.word(a.from), "paralysis paralysie parálisis paralisia paralisi lähmung verlamming paraliż") && oneOf(x.wordOr(a.to), "at in of der des de da do della bei van en no na nel") && (x.has(a.to+1, lex.OrgWord) || x.has(a.to+2, lex.OrgWord)) {
		return true
	}
	for i := a.from; i < min(a.to+1, len(x.tok)); i++ {
		if oneOf(x.word(i), "battery batteries battery-powered akku akkus batterie batterien batería baterías bateria baterias batteria accu accu's") {
			return true
		}
	}
	if x.tongue() == french && oneOf(x.word(a.from), "radiation radiations fissure fissures") && x.wordOr(a.from-1) != "de" {
		return true // struck off a list, a crack in the wall
	}
	if oneOf(x.word(a.from), "blind deaf") && a.from+1 < len(x.tok) && oneOf(x.word(a.from+1), "spot spots trust alley date bid bids ears side taste test copy") {
		return true
	}
	if oneOf(x.word(a.from), deafTo) && oneOf(x.wordOr(a.from+1), "to à au aux oreille für gegenüber voor na ante agli alle ai aos às") {
		return true
	}
	for i := a.from + 1; i < min(len(x.tok), a.to+6) && !x.tok[i].Line && !x.is(i, ".;"); i++ {
		if i >= a.to && (oneOf(x.word(i), "and und et oraz") || oneLetter(x.word(i), "yei")) {
			return false // tiene fibrosis y el tribunal lo negó
		}
		if oneOf(x.word(i), things) {
			return true
		}
		if i >= a.to && x.hints(i)&joining == 0 && !x.is(i, "'") && !x.is(i+1, "'") && !oneOf(x.word(i), "a your my its bad good sheer pure") && len(x.word(i)) > 1 {
			return false
		}
	}
	return false
}

// things are what is broken or struck without anybody's being ill.
const things = "sistema proyecto projeto progetto projet expediente trámite procedimiento verfahrens dossier processo procedura pratica start-up analysis pen luck genius midnight contract lease pipe pavement kerb road wall roof boiler economy market system system's contrato tubería tubo cano parede muro contrat bail tuyau tribunal juge contratto vertrag rohr leitung umowy umowa rury ściany contract leiding"

// deafTo are words that tell of not listening as well.
const deafTo = "deaf blind sourd sourde sourds aveugle taub blind sordo sorda ciego ciega surdo surda cego cega cieco cieca doof głuchy głucha ślepy"

// shows are what a test does when its result, not itself, is private.
const shows = "indicated demonstrated belegte bestätigte ergaben objectivé objective confirmé confirme evidenció confirmó objetivó detectó evidenciou confirmou detectou acusou apontou evidenziato evidenzia confermato bevestigde potwierdził potwierdziła uwidocznił uwidoczniło found finds revealed reveals confirmed detected révélé révèle montré trouvé fand zeigten dato rivelato trovato encontró reveló encontrou revelou vond wykazała wykazały wykryła showed shows showing shown zeigt zeigte ergab ergibt montre montrait montrant muestra mostró mostraba mostra mostrou mostrava mostrato mostrava toont toonde pokazał pokazała pokazało wykazał wykazała ohne sin sans senza bez zonder slot slots"

// shown tells whether a vague ailment is a test that only shows another one: "the
// MRI of Mr Osei showed a torn tendon".
func (x *Sheet) shown(a *ailment) int {
	if a.kind != vague {
		return 0
	}
	for i := a.to; i < len(x.tok) && i < a.to+7 && !x.is(i, ".,;:"); i++ {
		if oneOf(x.word(i), shows) {
			return -7
		}
	}
	return 0
}

// tests are what shows an ailment, beside the vague ailments of the lists.
const tests = "scan scans mri ct pet x-ray xray ultrasound echo ecg ekg biopsy bloods mammogram endoscopy colonoscopy test tests labs mrt ct röntgen röntgenbild ultraschall ekg biopsie befund irm scanner radio échographie examen resonancia tac ecografía radiografía biopsia analítica ressonância tomografia ecografia raio-x exame biópsia risonanza radiografia lastra esami foto onderzoek rezonans usg prześwietlenie badanie badania"

// found tells whether a test stands before an ailment and a word of showing between:
// "the scan showed a tumour". What a test may show is nobody's.
func (x *Sheet) found(a *ailment) bool {
	shown := false
	for i := a.from - 1; i >= 0 && i >= a.from-9 && !x.stops(i); i-- {
		switch {
		case oneOf(x.word(i), shows):
			shown = !oneOf(x.word(i), "ohne sin sans senza bez zonder slot slots")
		case x.hints(i)&could != 0 || x.hints(i)&every != 0:
			return false
		case shown && oneOf(x.word(i), tests):
			return true
		}
	}
	return false
}

// stayed tells whether the organisation that ends at token i is where somebody
// was: "in St Mary's Hospital for leukaemia".
func (x *Sheet) stayed(i int) bool {
	for i >= 0 && (x.capital(i) || x.held[i]) {
		i--
	}
	return i >= 0 && oneOf(x.word(i), "in at im am à a en al no na nel w op naar zu into to") || i > 0 && x.hints(i)&joining != 0 && oneOf(x.word(i-1), "in at im to into à en w")
}

// inAilment tells whether token i is a word of an ailment.
func (x *Sheet) inAilment(i int) bool {
	if x.medicine != nil {
		return i >= 0 && i < len(x.medicine) && x.medicine[i]
	}
	for _, a := range x.ailments {
		if i >= a.from && i < a.to {
			return true
		}
	}
	return false
}
