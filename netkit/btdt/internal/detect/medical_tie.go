package detect

import (
	"slices"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
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
	if x.Field == "title" || x.Field == "key_contacts" {
		a.weight -= 2 // these tell what a playbook is about, not a story
	}
	from, to := x.sentence(a.from)
	s := x.survey(from, to, a)
	tied := x.owned(a) + x.clause(a)
	if a.kind == vague && tied > 0 {
		a.weight++
	}
	a.weight += tied + x.follows(a) + x.shown(a)
	if x.dated(a) {
		a.weight += 3
	}
	a.weight += s.person()
	if s.past {
		a.weight++
	}
	if x.papers(a) {
		a.weight -= 5
	}
	if s.animal && !s.kin {
		a.weight -= 9
	}
	if s.record && a.kind != vague {
		a.weight += 2 + 2*boolInt(x.is(a.from-1, ":"))
	}
	bystander := s.named && !s.kin && !s.someone && !s.mine && !s.past && tied == 0
	if s.person() == 0 || bystander || s.rules && !s.past && !s.kin && tied == 0 {
		a.weight += x.general(a, s, from)
	}
}

// scene is what a sentence tells besides an ailment.
type scene struct {
	named, kin, someone, mine bool // who is in it
	past, could, rules, law   bool
	anyone, record, market    bool
	animal                    bool // a dog, a horse: no person is ill
}

// person is how much the people of a sentence count.
func (s scene) person() int {
	n := 0
	if s.named || s.kin {
		n += 2
	}
	if s.someone || s.mine {
		n += 2
	}
	return min(n, 3)
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

// sentence is where the sentence around token i starts and ends. A full stop
// behind an abbreviation ends none.
func (x *Sheet) sentence(i int) (from, to int) {
	from, to = i, i
	for from > 0 && i-from < 60 && !x.tok[from].Line && !x.stops(from-1) {
		from--
	}
	for to < len(x.tok) && to-i < 60 && !(to > i && x.tok[to].Line) && !x.stops(to) {
		to++
	}
	return from, to
}

// stops tells whether token i ends a sentence.
func (x *Sheet) stops(i int) bool {
	if x.is(i, "!?") {
		return true
	}
	if !x.is(i, ".") || i+1 < len(x.tok) && !x.tok[i+1].Space {
		return false
	}
	if i > 0 && x.tok[i-1].Kind == lex.Digits && (x.has(i+1, lex.Month) || i+1 < len(x.tok) && x.tok[i+1].Case == lex.Lower) {
		return false // 14. Februar
	}
	if i == 0 || x.tok[i-1].Kind != lex.Letters {
		return true
	}
	if oneOf(x.word(i-1), "św ul al pl st dr prof mgr sig dott avv ing art nr no bzw ca mme mlle sra sr hr fr") {
		return false
	}
	before := x.tok[i-1]
	if before.Flags&lex.Title != 0 || before.To-before.From == 1 {
		return false // Dr. Kurz, z. B.
	}
	return before.To-before.From > 3 || i+1 >= len(x.tok) || x.tok[i+1].Case != lex.Lower
}

// itsWords are possessives that a thing has as well: "il diabete ha il suo codice".
const itsWords = "ihr ihre ihrer ihrem ihren sein seine seiner seinem sa ses son su sus suo sua suoi sue seu sua seus suas zijn swój swoje swoją swojej jego jej"

// survey looks at a sentence, without the words of the ailment itself.
func (x *Sheet) survey(from, to int, a *ailment) scene {
	var s scene
	for i := from; i < to; i++ {
		if i >= a.from && i < a.to || x.inAilment(i) {
			continue
		}
		t, h := x.tok[i], x.hints(i)
		s.named = s.named || x.nameAt(i) || t.Kind == lex.Placeholder && x.word(i) != "[MEDICAL]"
		s.kin = s.kin || t.Flags&lex.Kin != 0 && t.Case != lex.Caps && h&(possessive|anyone|could) == 0
		s.mine = s.mine || h&possessive != 0 && !x.theirs(i) && !oneOf(x.word(i), itsWords)
		s.someone = s.someone || i == from && x.unsaid(i) || x.firstPerson(i)
		s.someone = s.someone || h&pronoun != 0 && x.pronounAt(i)
		s.past = s.past || x.past(i)
		s.could = s.could || h&could != 0
		s.rules = s.rules || h&rules != 0
		s.anyone = s.anyone || h&anyone != 0 && !x.certain(i)
		s.animal = s.animal || h&animal != 0
		s.market = s.market || h&market != 0
		s.record = s.record || h&record != 0 && i < a.from
		s.law = s.law || t.Flags&lex.Law != 0 || t.Flags&lex.LawWord != 0 && (x.held[i] || h == 0 && t.Case == lex.Lower && !oneOf(x.word(i), "letter bill notice order plan case note")) || x.is(i, "§")
	}
	return s
}

// firstPerson tells whether token i is a verb that says "I" by its ending.
func (x *Sheet) firstPerson(i int) bool {
	t := x.tok[i]
	if t.Kind != lex.Letters || t.To-t.From < 4 {
		return false
	}
	w := x.word(i)
	switch x.tongue() {
	case polish:
		return lastly(w, "łem łam")
	case spanish:
		return lastly(w, "é í") && t.Flags&(lex.Medicine|lex.Part) == 0 && !oneOf(w, "café así aquí allí ahí comité qué porqué chalé bebé está también josé") || oneOf(w, "pude tuve estuve hice dije puse quise vine tengo estoy puedo")
	case portuguese:
		return t.To-t.From > 4 && lastly(w, "ei") || oneOf(w, "pude tive estive tenho estou posso disse-me")
	case italian:
		return oneOf(w, "sono") && (lastly(x.wordOr(i+1), "to ta so sa") || lastly(x.wordOr(i+2), "to ta so sa"))
	}
	return false
}

// unsaid tells whether a sentence starts with a verb that leaves "I" unsaid: "Fell
// down the stairs", "Lag drei Wochen".
func (x *Sheet) unsaid(i int) bool {
	switch x.tongue() {
	case english:
		return oneOf(x.word(i), "was had got fell took lost broke spent woke needed went came am have been suffered tore hurt slipped started stopped diagnosed admitted discharged collapsed")
	case german:
		return oneOf(x.word(i), "lag bin war habe hatte wurde kam brauche nehme leide bekam brach musste")
	}
	return false
}

// nameAt tells whether a found person stands at token i.
func (x *Sheet) nameAt(i int) bool {
	if i < 0 {
		return false
	}
	t := x.tok[i]
	if t.Kind != lex.Letters || t.Case == lex.Lower && tag.Kind(x.labels[i]) != tag.NameFirst || x.inAilment(i) {
		return false
	}
	return slices.ContainsFunc(x.spans, func(s Span) bool { return s.Type == Name && s.From < t.To && t.From < s.To })
}

// certain tells whether a word for people in general means certain ones: "both
// kids", "my children".
func (x *Sheet) certain(i int) bool {
	return x.taken(x.tok[i].From, x.tok[i].To) || x.hints(i-1)&possessive != 0 || oneOf(x.wordOr(i-1), "both two three beide beiden zwei deux dos due dois duas twee dwoje")
}

// theirs tells whether a possessive is an organisation's or anybody's: "their
// formulary", "its drugs", or another word in the language of the text.
func (x *Sheet) theirs(i int) bool {
	w := x.word(i)
	switch tongue := x.tongue(); {
	case oneOf(w, "ma"):
		return tongue == polish
	case oneOf(w, "son"):
		return tongue == spanish
	case oneOf(w, "su"):
		return tongue == italian
	case oneOf(w, "ich"):
		return tongue != polish
	case oneOf(w, "their theirs leur leurs loro hun"):
		return true
	}
	return oneOf(w, "ihr ihre ihrer ihrem ihren zijn sus seu sua") && (x.hints(i+1)&(organ|rules) != 0 || x.has(i+1, lex.OrgWord|lex.LawWord))
}

// pronounAt weeds out words that are pronouns in one language and something else
// in others.
func (x *Sheet) pronounAt(i int) bool {
	w, tongue := x.word(i), x.tongue()
	switch {
	case w == "I":
		return tongue == english
	case w == "i" || oneOf(w, "us we uns wir nous noi ons"):
		return false // a firm speaks so too
	case w == "m":
		return tongue == french && x.is(i+1, "'")
	case oneOf(w, "el"):
		return w == "él" || w == "Él"
	case oneOf(w, "on ona"):
		return tongue == polish
	case oneOf(w, "er ich"):
		return tongue == german
	case oneOf(w, "je il"):
		return tongue == french && !oneOf(x.wordOr(i+1), "faut est peut convient suffit") && !(x.is(i+2, "'") && oneLetter(x.wordOr(i+1), "sn") && oneOf(x.wordOr(i+3), "agit est") || oneLetter(x.wordOr(i+1), "y") || x.is(i+2, "'") && oneLetter(x.wordOr(i+3), "y"))
	case oneOf(w, "lei io ho"):
		return tongue == italian
	case oneOf(w, "pat hx pt"):
		return true
	}
	return x.tok[i].Case != lex.Caps
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
		if i == a.from-1 && x.is(i, "(") && (x.nameAt(i-1) || x.someoneAt(i-1)) {
			return 4 // Mrs Hall (sciatica)
		}
		if x.is(i, ",.;:()") || x.tok[i+1].Line {
			break
		}
		if x.hints(i)&possessive != 0 && !x.theirs(i) {
			return 4
		}
		if i > 0 && (x.word(i) == "s" && x.is(i-1, "'") || x.is(i, "'")) && x.someoneAt(i-1-boolInt(x.word(i) == "s")) {
			return 4
		}
		if x.nameAt(i) && i == a.from-1 && !x.is(i+1, ",") {
			return 3
		}
	}
	if x.hints(a.to)&(joining|possessive|has) == 0 && !x.someoneAt(a.to) {
		return 0
	}
	for i := a.to; i < len(x.tok) && i < a.to+4; i++ {
		if x.is(i, ".,;:()") || x.tok[i].Line {
			break
		}
		if x.someoneAt(i) || x.hints(i)&possessive != 0 && !x.theirs(i) {
			return 3
		}
	}
	return 0
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
	verb, who := 0, 0
	for i := a.from - 1; i >= 0 && i >= a.from-9; i-- {
		if x.is(i, ".;!?") && x.tok[i+1].Space || x.tok[i+1].Line {
			break
		}
		h := x.hints(i)
		switch {
		case h&anyone != 0 && !x.certain(i):
			return -4
		case h&suffers != 0 && verb < 3:
			verb = 3
		case h&has != 0 && verb == 0 && i >= a.from-4:
			verb = 1
		}
		if x.someoneAt(i) || h&pronoun != 0 && x.pronounAt(i) || h&has != 0 && x.capital(i-1) && x.sentenceStart(i-1) && !x.held[i-1] && x.hints(i-1) == 0 && x.tok[i-1].Flags&(lex.Given|lex.Surname) != 0 {
			who = 1
		}
		if i >= a.from-2 && oneOf(x.word(i), "sono") && x.tongue() == italian {
			return 3 // sono in dialisi
		}
	}
	if verb == 3 {
		return 2 + who
	}
	return verb * who * 2
}

// follows looks at what follows an ailment: "diabetes clinic", "cancer charity".
func (x *Sheet) follows(a *ailment) int {
	if a.to < len(x.tok) && !x.tok[a.to].Line && x.hints(a.to)&organ != 0 && a.kind != marked {
		if oneOf(x.word(a.to), "claim claims appeal denial") && x.owned(a) > 3 {
			return 0 // Ophira's PTSD claim
		}
		return -7
	}
	if x.is(a.to, "&") && x.capital(a.to+1) && a.kind != marked {
		return -6 // the Crohn's & Colitis Foundation
	}
	if x.idiom(a) {
		return -7
	}
	if x.has(a.to, lex.OrgWord|lex.Role|lex.LawWord) && x.tok[a.to].Kind == lex.Letters && a.kind != marked {
		return -6
	}
	return 0
}

// idiom tells whether what looks like an ailment is a figure of speech or damage
// to a thing: the stroke of a pen, una fractura del contrato.
func (x *Sheet) idiom(a *ailment) bool {
	for i := a.from; i < min(a.to+1, len(x.tok)); i++ {
		if oneOf(x.word(i), "battery batteries battery-powered akku akkus batterie batterien batería baterías bateria baterias batteria accu accu's") {
			return true
		}
	}
	if oneOf(x.word(a.from), "blind deaf") && a.from+1 < len(x.tok) && oneOf(x.word(a.from+1), "spot spots trust alley date bid bids ears side taste test copy") {
		return true
	}
	if oneOf(x.word(a.from), deafTo) && oneOf(x.wordOr(a.from+1), "to à au aux oreille für gegenüber voor na ante agli alle ai aos às") {
		return true
	}
	if a.to-a.from > 1 {
		return false
	}
	j := a.to
	for j < len(x.tok) && j < a.to+3 && !x.tok[j].Line && (x.hints(j)&joining != 0 || oneOf(x.word(j), "a your my its bad good sheer pure")) {
		j++
	}
	return j > a.to && oneOf(x.wordOr(j), "pen luck genius midnight contract lease pipe pavement kerb road wall roof boiler economy market system system's contrato tubería tubo cano parede muro contrat bail tuyau tribunal juge contratto vertrag rohr leitung umowy umowa rury ściany contract leiding")
}

// deafTo are words that tell of not listening as well.
const deafTo = "deaf blind sourd sourde sourds aveugle taub blind sordo sorda ciego ciega surdo surda cego cega cieco cieca doof głuchy głucha ślepy"

// shows are what a test does when its result, not itself, is private.
const shows = "showed shows showing shown zeigt zeigte ergab ergibt montre montrait montrant muestra mostró mostraba mostra mostrou mostrava mostrato mostrava toont toonde pokazał pokazała pokazało wykazał wykazała ohne sin sans senza bez zonder slot slots"

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

// general counts what speaks for general talk in a sentence without a person.
func (x *Sheet) general(a *ailment, s scene, start int) int {
	w := 0
	before := x.hints(a.from - 1)
	switch story := s.past && !s.rules && !s.could; {
	case x.definite(a, story):
		w += 2
	case a.kind != marked && x.opens(a, start) && !story:
		w -= 3
	}
	if s.rules && !s.past || s.could {
		w -= 2
	}
	if !s.past {
		w--
	}
	if s.anyone || s.law {
		w -= 2
	}
	if s.market {
		w -= 3
	}
	if before&topic != 0 || x.hints(a.from-2)&topic != 0 && before&joining != 0 {
		w -= 2
	}
	if before&every != 0 {
		w -= 3
	}
	if oneOf(x.wordOr(a.to), "is are ist sind est sont es son é são è sono jest są") {
		w -= 2
	}
	return w
}

// definite tells whether an English article stands before an ailment: "the lumbar
// fusion" is one person's, where "a denial for a statin" is anybody's. In other
// languages the article tells something in a story alone.
func (x *Sheet) definite(a *ailment, story bool) bool {
	if oneOf(x.wordOr(a.from-1), "the") {
		return true
	}
	return story && oneOf(x.wordOr(a.from-1), "der die das dem den le la el il lo het de")
}

// papers tells whether an ailment is what a leaflet, a guideline or a group is
// about.
func (x *Sheet) papers(a *ailment) bool {
	for i := a.from - 1; i >= 0 && i >= a.from-3; i-- {
		if x.hints(i)&paper != 0 || i < a.from-1 && x.has(i, lex.OrgWord) && x.capital(i) {
			return true
		}
		if x.hints(i)&(topic|joining) == 0 && !x.capital(i) {
			return false
		}
	}
	return false
}

// opens tells whether an ailment is what a sentence is about: at its start, with
// no more than an article before it.
func (x *Sheet) opens(a *ailment, start int) bool {
	for i := start; i < a.from; i++ {
		if x.tok[i].Kind == lex.Letters && x.hints(i)&(joining|conjunction) == 0 && !x.inAilment(i) && !oneOf(x.word(i), "ein eine einen einem une uno um uma an für bei for") {
			return false
		}
	}
	return true
}

// inAilment tells whether token i is a word of an ailment.
func (x *Sheet) inAilment(i int) bool {
	for _, a := range x.ailments {
		if i >= a.from && i < a.to {
			return true
		}
	}
	return false
}
