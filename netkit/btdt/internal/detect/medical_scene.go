package detect

import (
	"slices"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

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

// talk tells whether anything in a sentence speaks for general talk.
func (s scene) talk() bool {
	return s.rules || s.could || s.anyone || s.law || s.market || s.animal
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
			s.someone = s.someone || x.firstPerson(i) || i == from && (x.unsaid(i) || x.hints(i)&pronoun != 0 && x.pronounAt(i))
			s.past = s.past || i == from && x.past(i)
			continue
		}
		t, h := x.tok[i], x.hints(i)
		s.named = s.named || x.nameAt(i) || t.Kind == lex.Placeholder && x.word(i) != "[MEDICAL]"
		s.kin = s.kin || t.Flags&lex.Kin != 0 && t.Case != lex.Caps && h&(possessive|anyone|could) == 0 && !(x.held[i] && x.capital(i))
		s.mine = s.mine || h&possessive != 0 && !x.theirs(i) && !oneOf(x.word(i), itsWords)
		s.someone = s.someone || i == from && x.unsaid(i) || x.firstPerson(i)
		s.someone = s.someone || h&pronoun != 0 && x.pronounAt(i) || x.onLeave(i)
		s.past = s.past || x.past(i)
		s.could = s.could || h&could != 0
		s.rules = s.rules || h&rules != 0
		s.anyone = s.anyone || x.anyoneAt(i)
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
		return t.To-t.From > 4 && lastly(w, "ei -me -lhe") || oneOf(w, "pude tive estive tenho estou posso disse-me")
	case italian:
		return oneOf(w, "sono") && (oneOf(x.wordOr(i+1), "in") || lastly(x.wordOr(i+1), "to ta so sa") || lastly(x.wordOr(i+2), "to ta so sa"))
	}
	return false
}

// unsaid tells whether a sentence starts with a verb that leaves "I" unsaid: "Fell
// down the stairs", "Lag drei Wochen".
func (x *Sheet) unsaid(i int) bool {
	switch x.tongue() {
	case english:
		return oneOf(x.word(i), "was had got fell took lost broke spent woke needed went came am have been suffered tore hurt slipped started stopped diagnosed admitted discharged collapsed")
	case spanish:
		return oneOf(x.word(i), "tiene tenía tuvo padece padecía sufre sufría sufrió toma tomaba lleva llevaba ingresó cayó enfermó")
	case portuguese:
		return oneOf(x.word(i), "tem tinha teve sofre sofria sofreu toma tomava precisa caiu adoeceu quebrou")
	case italian:
		return oneOf(x.word(i), "ha aveva ebbe soffre soffriva soffrì prende prendeva porta cadde")
	case polish:
		return oneOf(x.word(i), "ma miał miała choruje chorował chorowała bierze brał brała przyjmuje nosi cierpi złamał złamała skręcił skręciła zerwał zerwała doznał doznała przeszedł przeszła zachorował zachorowała leży leżał leżała trafił trafiła jest spadł spadła urodziła straciła")
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
	return x.taken(t.From, t.To) && slices.ContainsFunc(x.spans, func(s Span) bool { return s.Type == Name && s.From < t.To && t.From < s.To })
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
	case oneOf(w, "zijn") && oneOf(x.wordOr(i+1), "er niet wel ook al nog geen vaak soms meestal altijd dan"):
		return true // they are
	case oneOf(w, "sein") && (i+1 == len(x.tok) || x.tok[i+1].Kind == lex.Sign):
		return true // to be
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
	case x.held[i] && x.capital(i) && !x.sentenceStart(i):
		return false // Instytut Matki i Dziecka
	case w == "I":
		return tongue == english
	case w == "i" || oneOf(w, "us we uns wir nous noi ons"):
		return false // a firm speaks so too
	case w == "m":
		return tongue == french && x.is(i+1, "'")
	case oneOf(w, "el"):
		return w == "él" || w == "Él"
	case oneOf(w, "même mêmes"):
		return false // the same, and no granny
	case oneOf(w, parties):
		return x.determined(i)
	case oneOf(w, "uso"):
		return tongue == portuguese && x.hints(i-1)&(joining|possessive) == 0
	case oneOf(w, "élève"):
		return tongue == french && !x.is(i-1, "'") // la facture s'élève à
	case oneOf(w, "je il"):
		return tongue == french && !oneOf(x.wordOr(i+1), "faut est peut convient suffit") && !(x.is(i+2, "'") && oneLetter(x.wordOr(i+1), "sn") && oneOf(x.wordOr(i+3), "agit est") || oneLetter(x.wordOr(i+1), "y") || x.is(i+2, "'") && oneLetter(x.wordOr(i+3), "y"))
	case oneOf(w, "pat hx pt"):
		return true
	}
	return x.tok[i].Case != lex.Caps
}
