package detect

import "github.com/agentnet/netctl/netkit/btdt/internal/lex"

// sufferers are words for one who has an ailment, in front of it or behind.
const sufferers = "patient patiente patientin patienten paciente paziente patiënt patiënte pacjenta pacjentki pacjentce sufferer survivor amputee child kind kindes enfant niño niña criança bambino bambina dziecka woman man frau mann femme homme mujer hombre mulher homem donna uomo vrouw kobiety mężczyzny worker veteran pensioner teacher driver nurse rentner rentnerin retraité retraitée jubilado jubilada pensionista trabajador trabajadora trabalhador trabalhadora lavoratore lavoratrice werknemer student pupil schüler élève alumno aluno alunno leerling ucznia"

// ofOne tells whether the title of a playbook is about the case of one who has the
// ailment: "for a multiple sclerosis patient", "à un enfant atteint d'autisme".
// What tells how to do something is for everybody.
func (x *Sheet) ofOne(a *ailment) bool {
	if x.Field != "title" || a.kind == vague || x.advises() {
		return false
	}
	if _, last, ok := cutLast(x.word(a.to-1), '-'); ok && oneOf(last, sufferers) {
		return x.article(a.from - 1) // für einen Epilepsie-Patienten
	}
	if x.ofWorker(a.to) {
		return true
	}
	if oneOf(x.word(a.to-1), sufferers) && a.to-a.from > 1 || oneOf(x.wordOr(a.to), sufferers) {
		return x.article(a.from - 1)
	}
	for i := a.from - 1; i > 0 && i >= a.from-4 && !x.tok[i+1].Line && x.tok[i].Kind != lex.Digits; i-- {
		if oneOf(x.word(i), sufferers) && x.article(i-1) {
			return true
		}
		if x.tok[i].Kind == lex.Letters && x.hints(i)&(joining|has|suffers|topic) == 0 {
			return false
		}
	}
	return false
}

// ofCase is what speaks for an ailment's being that of one case, in points.
func (x *Sheet) ofCase(a *ailment) int {
	switch {
	case x.ofOne(a):
		return 5
	case x.refusedFor(a):
		return 7
	case x.attested(a):
		return 2
	case x.Field == "title" && x.advises() && !x.ownTitle():
		return -9 // advice is for everybody
	}
	return 0
}

// ownTitle tells whether a title names somebody or says whose case it is.
func (x *Sheet) ownTitle() bool {
	for i := range x.tok {
		if x.nameAt(i) || x.hints(i)&possessive != 0 && !x.theirs(i) && !oneOf(x.word(i), "your") {
			return true
		}
	}
	return false
}

// article tells whether an article that means one stands at token i.
func (x *Sheet) article(i int) bool {
	w := x.wordOr(i)
	return oneOf(w, "an ein eine einen einem einer eines un une una uno uma um een") || w == "a" && x.tongue() == english
}

// advises tells whether a title is one of advice: "How to", "When your plan".
func (x *Sheet) advises() bool {
	return len(x.tok) > 0 && oneOf(x.word(0), "how what when where why if which wie was wann wo wenn comment que quand où si cómo qué cuándo dónde como quando onde come cosa dove hoe wat wanneer waar jak co kiedy gdzie")
}

// refusedFor tells whether a title says that something was paid or refused for one
// injury or illness: "Claim denied for a back injury".
func (x *Sheet) refusedFor(a *ailment) bool {
	if x.Field != "title" || a.kind == vague || x.advises() || !x.article(a.from-1) || !x.harm(a) {
		return false
	}
	for i := a.from - 2; i >= 0 && i >= a.from-5; i-- {
		if oneOf(x.word(i), "denied denial refused refusal rejected declined paid abgelehnt bezahlt verweigert refusé refusée refus payé payée denegado denegada negado negada pagado pagada recusado recusada pago paga negato negata rifiutato rifiutata pagato pagata geweigerd afgewezen betaald odmówiono") {
			return true
		}
	}
	return false
}

// harm tells whether an ailment is an illness or an injury, and no treatment.
func (x *Sheet) harm(a *ailment) bool {
	for i := a.from; i < a.to; i++ {
		if f, _ := x.classAt(i); f&(lex.Ill|lex.Hurt|lex.Sick) != 0 && f&lex.Care == 0 {
			return true
		}
	}
	return false
}

// claimOf tells whether an ailment is what somebody claims for: "a declined breast
// cancer claim for Gráinne".
func (x *Sheet) claimOf(a *ailment) bool {
	if !oneOf(x.wordOr(a.to), "claim claims appeal denial") {
		return false
	}
	i := a.to + 1
	for hops := 0; hops < 2 && (oneOf(x.wordOr(i), "for of by from") || x.hints(i)&possessive != 0); hops++ {
		i++
	}
	return i > a.to+1 && x.someoneAt(i)
}

// attested tells whether an ailment is what a doctor's paper is about, in the
// story of somebody who brought it: "Mandé un certificado de EPOC". A form for an
// illness is anybody's.
func (x *Sheet) attested(a *ailment) bool {
	i := a.from - 1
	for hops := 0; hops < 3 && i >= 0 && !x.tok[i+1].Line && (x.hints(i)&(joining|topic|possessive) != 0 || x.is(i, "'") || x.article(i)); hops++ {
		i--
	}
	if i < 0 || i == a.from-1 || !(oneOf(x.word(i), attests) || oneOf(x.word(i), medicalPapers) && x.doctorNear(max(0, i-3), a.from)) && !(oneOf(x.word(i), doctors) && x.doctorsLetter(i)) {
		return false
	}
	from, to := x.sentence(a.from)
	for j := from; j < to; j++ {
		if x.past(j) || x.firstPerson(j) || x.hints(j)&possessive != 0 && !x.theirs(j) {
			return true
		}
	}
	return false
}

// attests are papers of a doctor by their name alone.
const attests = "attest krankschreibung befund arztbrief certificate certificat arrêt certificado atestado laudo certificato referto zaświadczenie zwolnienie doktersverklaring sick-note"

// doctorsLetter tells whether a paper stands before the doctor at token i: "the
// letter of her cardiologist".
func (x *Sheet) doctorsLetter(i int) bool {
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		if oneOf(x.word(j), medicalPapers) {
			return true
		}
	}
	return false
}

// becauseWords lead from a law to whom it is for.
const becauseWords = "since because as weil da denn car puisque parce comme porque pues ya pois já perché poiché siccome omdat want aangezien ponieważ bo gdyż"

// argued marks in a list of laws what somebody has whom a law is for: "Fair Housing
// Act, since Odalys is paraplegic".
func (x *Sheet) argued() {
	reason := false
	for i := range x.tok {
		reason = reason || oneOf(x.word(i), becauseWords)
	}
	if !reason {
		return
	}
	for i := 0; i < len(x.tok); i++ {
		a, ok := x.ailmentAt(i)
		if oneOf(x.word(i), stricken) && x.hints(i-1)&has != 0 && !ok {
			a, ok = ailment{from: i, to: i + 1, key: x.tok[i].Key, kind: plain, rule: "condition", score: 0.8}, true
		}
		if !ok {
			continue
		}
		if a.kind != vague && x.inReason(a.from) {
			a.weight = private
			x.ailments = append(x.ailments, a)
			x.addMedical(a)
		}
		i = a.to - 1
	}
}

// inReason tells whether a person and, before that, a word of reason stand in
// front of token i.
func (x *Sheet) inReason(i int) bool {
	who := false
	for j := i - 1; j >= 0 && j > i-9 && !x.is(j, ";.§") && !x.tok[j+1].Line; j-- {
		if who && oneOf(x.word(j), becauseWords) {
			return true
		}
		who = who || x.reasonName(j) || x.personAt(j) || x.hints(j)&possessive != 0 && !x.theirs(j)
	}
	return false
}

// stricken are short words for what somebody is, which stand in other talk as well.
const stricken = "deaf blind lame taub blind sourd sourde aveugle sordo sorda ciego ciega surdo surda cego cega cieco cieca doof głuchy głucha niewidomy niewidoma"

// reasonName tells whether token i is the name of the one a reason is about: "since
// Odalys is", "weil Hannelore".
func (x *Sheet) reasonName(i int) bool {
	if !x.capital(i) || x.held[i] || x.has(i, lex.LawWord|lex.OrgWord|lex.Law) {
		return false
	}
	return x.hints(i+1)&has != 0 || x.has(i, lex.Given) && oneOf(x.wordOr(i-1), becauseWords)
}

// bareTreatments name nothing that anybody has; in a title they stay.
const bareTreatments = "treatment treatments behandlung therapie traitement traitements tratamiento tratamientos tratamento tratamentos trattamento trattamenti behandeling leczenie leczenia"

// trades are endings of words for who does some work.
var trades = [tongues]string{
	english: "er or ist man woman ant smith", german: "er erin eur mann frau ist istin", dutch: "er ster ist man eur", french: "eur euse ier ière iste ien ant teur trice",
	spanish: "or ora ero era ista ino ante ogo", portuguese: "or ora eiro eira ista ante ino", italian: "ore trice ista iere iera aio ino ante ario", polish: "arz arki owi arce nika rza ca",
}

// ofWorker tells whether somebody told by their trade follows token i: "de la
// silicosis de un marmolista", "d'un chauffeur".
func (x *Sheet) ofWorker(i int) bool {
	if x.wordOr(i) == "d" && x.is(i+1, "'") {
		i++
	} else if !oneOf(x.wordOr(i), "of for di de da do van von für voor pour para per") {
		return false
	}
	j := i + 2
	if !x.article(i+1) || j >= len(x.tok) || x.tok[j].Kind != lex.Letters || x.hints(j)&(organ|paper|market) != 0 || x.has(j, lex.OrgWord|lex.LawWord|lex.Part) || x.tok[j].Flags&lex.Medicine != 0 {
		return false
	}
	return x.has(j, lex.Role) || x.tok[j].To-x.tok[j].From > 5 && lastly(x.word(j), trades[x.tongue()])
}
