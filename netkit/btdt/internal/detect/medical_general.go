package detect

import "github.com/agentnet/netctl/netkit/btdt/internal/lex"

// present are verbs of what is so for everybody, behind what it is said of.
const present = "is isn't are aren't has does doesn't can cannot may must counts needs ist sind sei seien hat kann könne darf dürfe muss müsse schützt zählt gilt gelte braucht est sont peut doit es son tiene puede debe é são tem pode deve è sono ha può deve zijn heeft kan mag moet jest są ma może"

// opening are words behind which a clause of its own starts.
const opening = "that whether if dass ob que qu si che se of dat czy że said says told means thinks believes argued claimed"

// detached tells whether an ailment stands in a clause of its own in which nobody
// is, and which tells how things are: "the landlord said asthma has nothing to do
// with mould", "our plan covers LASIK, my broker said".
func (x *Sheet) detached(a *ailment) bool {
	from, to := x.clauseAround(a)
	if a.kind == marked || from == to {
		return false
	}
	rule := false
	for i := from; i < to; i++ {
		if i >= a.from && i < a.to || x.inAilment(i) {
			continue
		}
		h := x.hints(i)
		plan := h&possessive != 0 && x.hints(i+1)&organ != 0 // our plan
		if x.personAt(i) || h&possessive != 0 && !plan && !x.theirs(i) || x.past(i) || x.firstPerson(i) || h&suffers != 0 && h&rules == 0 {
			return false
		}
		rule = rule || i < a.from && h&rules != 0
	}
	return rule || x.bare(a, from) && x.saidWithin(a.to, to)
}

// clauseAround is where the clause of an ailment starts and ends, shorter than its
// sentence; both are 0 where the sentence has no other.
func (x *Sheet) clauseAround(a *ailment) (from, to int) {
	start, end := x.sentence(a.from)
	for from = a.from; from > start && !x.is(from-1, ",;:(") && !oneOf(x.word(from-1), opening); from-- {
	}
	for to = a.to; to < end && !x.is(to, ",;:)"); to++ {
	}
	if from == start && to >= end-1 {
		return 0, 0
	}
	return from, to
}

// bare tells whether nothing but an article that means any stands before an ailment
// in its clause.
func (x *Sheet) bare(a *ailment, from int) bool {
	for i := from; i < a.from; i++ {
		if !oneOf(x.word(i), "an ein eine einen un une una um uma een") && !(x.romance() && oneOf(x.word(i), "la le les el il lo os as") || x.word(i) == "l" || x.is(i, "'")) && x.word(i) != "a" {
			return false
		}
	}
	return true
}

// saidOf tells whether a verb in the present stands at token i, or behind a word of
// denying.
func (x *Sheet) saidOf(i int) bool {
	for hops := 0; hops < 2 && i < len(x.tok) && (x.word(i) == "n" || x.is(i, "'") || oneOf(x.word(i), "ne no não non nie niet nicht")); hops++ {
		i++
	}
	return oneOf(x.wordOr(i), present) || i < len(x.tok) && x.hints(i)&rules != 0
}

// saidWithin tells whether a verb in the present stands anywhere behind an ailment
// in its clause: "że szczepienie i cytologia są bezpłatne".
func (x *Sheet) saidWithin(from, to int) bool {
	for i := from; i < to; i++ {
		if x.saidOf(i) {
			return true
		}
	}
	return false
}

// epidemics are what closes schools and grounds flights without anybody's being ill.
const epidemics = "covid covid-19 coronavirus corona norovirus flu influenza grippe gripe griep grypa grypy mpox"

// traders are verbs of what somebody does with a medicine for a living.
const traders = "sell sells sold selling import imports imported export make makes manufacture manufactures repair repairs teach teaches research researches stock stocks supply supplies verkaufe verkauft verkaufen vertreibt vends vend vendons vendo vende vendemos verkoop verkoopt sprzedaję sprzedaje"

// sections of a hospital or an office, which an ailment behind names.
const sections = "service unité clinique centre département cabinet unidad servicio clínica centro área departamento unidade serviço clínica setor reparto unità clinica ambulatorio abteilung station klinik afdeling polikliniek oddział oddziale poradnia poradni department unit ward clinic practice"

// calling tells whether an ailment is what somebody sells, or names the place where
// somebody works: "I sell hearing aids", "au service de dialyse", "Karen from
// occupational therapy".
func (x *Sheet) calling(a *ailment) bool {
	i := a.from - 1
	if oneOf(x.wordOr(i), traders) || oneOf(x.wordOr(a.to), "as") && oneOf(x.wordOr(i), "treat treats treated regard regards regarded count counts counted class classes classed recognise recognises recognised list lists listed") {
		return true
	}
	if oneOf(x.wordOr(i), "from at") && x.nameAt(i-1) && a.kind != marked {
		return oneOf(x.word(a.to-1), "therapy physiotherapy physio radiology surgery dialysis")
	}
	if oneOf(x.wordOr(i), "de du di da do of für van des der del della") || x.is(i, "'") {
		if x.is(i, "'") {
			i--
		}
		if oneOf(x.word(a.from), "invalidité invalidez invalidità") && oneOf(x.wordOr(i-1), "pension pensión pensão pensione allocation rente taux assegno grado") {
			return true // what an office pays, whatever somebody has
		}
		return oneOf(x.wordOr(i-1), sections)
	}
	return false
}

// brokenHeart tells whether a heart is broken, which no doctor mends.
func (x *Sheet) brokenHeart(a *ailment) bool {
	heart, broken := false, false
	for i := a.from; i < a.to; i++ {
		heart = heart || oneOf(x.word(i), "heart herz cœur coeur corazón coração cuore hart serce")
		broken = broken || oneOf(x.word(i), "broke broken breaks break gebrochen brach bricht brisé brise fendu roto partió rompió partido partiu spezzato rotto gebroken brak złamał złamało złamane")
	}
	return heart && broken
}

// pets are animals that people have.
const pets = "dog cat dogs cats horse rabbit parrot hamster hund katze chien chienne chat perro perra gato gata cão cachorro cane gatto hond kat pies kot"

// petBefore tells whether a sentence is about somebody's animal, which nobody was
// hurt by.
func (x *Sheet) petBefore(from, to int, a *ailment) bool {
	pet := false
	for i := from; i < to; i++ {
		if oneOf(x.word(i), "bit bite bites bitten scratched scratch gekratzt griffé griffée arañó arranhou graffiato gekrabd zadrapał attacked knocked allergic allergy guide assistance biss gebissen mordu mordió mordeu morso gebeten pogryzł") {
			return false
		}
		pet = pet || i < a.from && i > 0 && (x.hints(i-1)&possessive != 0 || oneOf(x.word(i-1), "the der dem le au el al il il de")) && oneOf(x.word(i), pets) && (x.tongue() == french || !oneOf(x.word(i), "chat")) || oneOf(x.word(i), "pet pets")
	}
	return pet
}

// general counts what speaks for general talk in a sentence without a person.
func (x *Sheet) general(a *ailment, s scene, start int) int {
	w := 0
	before := x.hints(a.from - 1)
	switch story := s.past && !s.rules && !s.could; {
	case x.definite(a, story):
		w += 2
	case a.kind != marked && x.opens(a, start) && (!story || s.market):
		w -= 3
	}
	if (s.rules && !s.past || s.could) && !s.record {
		w -= 2
	}
	if !s.past && a.kind != marked {
		w--
	}
	if !s.past && a.kind == marked && x.article(a.from-1) && x.opens(a, start) {
		w -= 4 // a disability of 33 % lowers the tax
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
	if oneOf(x.wordOr(a.to), "is are ist sind est sont es son é são è sono jest są has have hat haben ont tiene tienen tem têm hanno heeft hebben mają") {
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
	for i := a.from - 1; i >= 0 && i >= a.from-4; i-- {
		if x.hints(i)&paper != 0 || i < a.from-1 && x.has(i, lex.OrgWord) && x.capital(i) && !x.stayed(i) {
			return true
		}
		if x.hints(i)&(topic|joining) == 0 && !x.capital(i) && !x.is(i, "'") {
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
