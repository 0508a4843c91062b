package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// aids are what somebody walks with; of itself it names no illness.
const aids = "crutches crutch rollator walker cane wheelchair krücken krücke rollstuhl béquilles fauteuil muletas andador bastón muleta stampelle deambulatore krukken rolstoel kule balkonik wózek"

// aid tells whether an ailment is nothing but an aid.
func (x *Sheet) aid(a *ailment) bool {
	return a.kind != marked && oneOf(x.word(a.core[0]), aids) && a.core[1] <= a.core[0]+2
}

// practiceVerbs are what a doctor's surgery does and an operation cannot.
const practiceVerbs = "refused refuses said says told wrote sent lost has had registered charges charged asked wanted answered opens opened closed rang phoned would wouldn't won't doesn't didn't"

// practiceWords stand before a surgery that is a place.
const practiceWords = "behind outside opposite rang ring phoned phone called call told tell asked ask at visited left emailed by near to"

// practice tells whether "surgery" is the doctor's rooms: "the surgery refused to
// register the baby".
func (x *Sheet) practice(a *ailment) bool {
	if a.to != a.from+1 || !oneOf(x.word(a.from), "surgery") || !oneOf(x.wordOr(a.from-1), "the a our my dental gp") {
		return false
	}
	return oneOf(x.wordOr(a.to), practiceVerbs) || oneOf(x.wordOr(a.from-2), practiceWords) && !oneOf(x.wordOr(a.from-1), "my")
}

// beasts are animals whose possessive makes an ailment a vet's business.
const beasts = "dog cat horse puppy kitten pony rabbit parrot hamster cow"

// beastly tells whether an ailment is an animal's: "my dog's trauma".
func (x *Sheet) beastly(a *ailment) bool {
	i := a.from - 1
	return i > 1 && x.word(i) == "s" && x.is(i-1, "'") && oneOf(x.word(i-2), beasts) || i >= 0 && oneOf(strings.TrimSuffix(x.word(i), "'s"), beasts)
}

// figureOfSpeech tells whether a word of suffering is meant otherwise: nobody can
// swallow a bill.
func (x *Sheet) figureOfSpeech(a *ailment) bool {
	last := x.word(a.to - 1)
	switch {
	case a.rule == "condition" && a.to == a.from+2 && x.weeks(a.from):
		return true // a span of time and nothing that lasts it
	case oneOf(last, "disability") && oneOf(x.word(a.from), "short-term long-term short long"):
		return true // an insurance
	case oneOf(x.wordOr(a.from-1), "on about über sur sobre su over") && oneOf(x.wordOr(a.from-2), "thesis dissertation book novel article documentary film lecture buch artikel doktorarbeit thèse livre tesis libro tese livro tesi scriptie boek"):
		return true
	case oneOf(x.wordOr(a.from-1), "about") && oneOf(x.wordOr(a.from-2), "reads read wrote writes book books talk talks film thesis learned studies"):
		return true
	case oneOf(last, "headache headaches nightmare nightmares pill") && (x.wordOr(a.from-1) == "a" || oneOf(x.wordOr(a.from-1), "the real total complete bitter huge an")):
		return oneOf(x.word(a.from), "bitter") || oneOf(x.wordOr(a.from-2), "was is be it been for such a") || oneOf(x.wordOr(a.from-1), "bitter")
	case oneOf(last, "pill") && oneOf(x.word(a.from), "bitter"):
		return true
	case oneOf(last, "out") && oneOf(x.word(a.from), "blacked"):
		return !x.personAt(a.from-1) && !x.personAt(a.from-2)
	case oneOf(x.word(a.from), "reads read writes wrote"):
		return true
	case oneOf(last, "neck") && a.to-a.from > 3:
		return oneOf(x.word(a.from), "pain") && oneOf(x.word(a.from+2), "the")
	case oneOf(last, "swallow swallowed avaler schlucken tragar engolir ingoiare slikken"):
		return x.wordOr(a.to) == "a" || oneOf(x.wordOr(a.to), "an the that this these those it such any un une ce cette das den die eine un ese esa")
	case a.to-a.from > 1 && oneOf(x.word(a.from), "démence demencia demência demenza dementia paralysis paralysie parálisis"):
		return oneOf(last, "politique política politica administrative administrativa burocratica burocrática bureaucratique")
	case oneOf(x.word(a.from), "opération opérations operación operaciones operação operações operazione operazioni operation operacja transaction"):
		return x.deal(a.from)
	case oneOf(x.word(a.from), "blind"):
		return oneOf(x.wordOr(a.from-1), "the a") && a.to == a.from+1
	case a.to-a.from < 3 && oneOf(last, "oreille oreilles"):
		return oneOf(x.word(a.from), "sourde sourdes")
	}
	return false
}

// deals tell that an operation is one of trade.
const deals = "commerciale commercial bancaire immobilière financière comptable compraventa bancaria comercial inmobiliaria financiera venta compra crédito préstamo bancária imobiliária financeira compra-e-venda venda bancaria commerciale immobiliare finanziaria vendita bankowa"

// deal tells whether the operation at token i is one of trade: la operación de
// compraventa de mi piso.
func (x *Sheet) deal(i int) bool {
	return oneOf(x.wordOr(i+1), deals) || oneOf(x.wordOr(i+1), "de di") && oneOf(x.wordOr(i+2), deals)
}

// pillars are parts of the body that things have as well: a column of a sheet, the
// head of a department.
const pillars = "colonne spalte kolom columna coluna colonna column head tête kopf kop cabeza cabeça testa głowa foot pied fuß pie pé piede face mouth neck heart cœur herz corazón coração cuore serce arm bras back"

// ofThing tells whether the part of the body at token i is a thing's: what it is
// of follows, and that is nobody.
func (x *Sheet) ofThing(i int) bool {
	if !oneOf(x.word(i), pillars) || !oneOf(x.wordOr(i+1), "of des de del della do da der des van") {
		return false
	}
	for j := i + 2; j < len(x.tok) && j < i+4; j++ {
		if x.someoneAt(j) || x.hints(j)&possessive != 0 || x.has(j, lex.Part) {
			return false
		}
	}
	return true
}

// partAt tells whether a part of the body stands at token i, and no word that
// another language has for one.
func (x *Sheet) partAt(i int) bool {
	return x.has(i, lex.Part) && !x.otherwise(i, lex.Part)
}

// separated tells whether a German verb has its other half behind token i: nahm
// das Schreiben zurück is no taking of a medicine.
func (x *Sheet) separated(i int) bool {
	return x.tongue() == german && (oneOf(x.wordOr(i+1), "zurück an auf mit ab teil weg vor entgegen hin aus") && (i+2 >= len(x.tok) || x.is(i+2, ".,;:!?")) || lastly(x.word(i), "chen lein ung heit keit schaft brief"))
}

// species are second halves of the short names of germs.
const species = "difficile diff coli aureus pylori pneumoniae pneumophila albicans auris jejuni burgdorferi trachomatis botulinum falciparum faecalis faecium perfringens marcescens"

// germ is where the short name of a germ at token i ends: "C. difficile". It is i for
// none.
func (x *Sheet) germ(i int) int {
	if t := x.tok[i]; t.To-t.From != 1 || t.Case == lex.Lower || !x.is(i+1, ".") || !oneOf(x.wordOr(i+2), species) {
		return i
	}
	return i + 3
}

// careLevel tells whether token i is a level of need: offices grant it, and it
// tells of nobody where nobody is named.
func (x *Sheet) careLevel(i int) bool {
	return oneOf(x.word(i), "pflegegrad pflegestufe pflegegrade")
}

// anyoneAt tells whether token i is a word for people in general: patients, every
// pupil.
func (x *Sheet) anyoneAt(i int) bool {
	if x.hints(i)&anyone != 0 {
		if oneOf(x.word(i), "quem wie quien chi") && x.relative(i) {
			return false
		}
		return !x.certain(i) && !(x.held[i] && x.capital(i)) // Boston Children's Hospital
	}
	if i > 0 && (oneOf(x.word(i), "sono are gibt zijn") && oneOf(x.word(i-1), "ci there es er") || oneOf(x.word(i), "hay") && x.tongue() == spanish) {
		return true // there are
	}
	return x.hints(i-1)&every != 0 && oneOf(x.word(i), "pupil student child worker employee passenger tenant resident customer parent person schüler mitarbeiter élève salarié alumno trabajador aluno trabalhador alunno dipendente lavoratore leerling uczeń pracownik") && !oneOf(x.wordOr(i-1), "other one")
}

// weighable tells whether what stands before the verb of weighing can be somebody.
func (x *Sheet) weighable(i int) bool {
	return !oneOf(x.wordOr(i-1), "crate parcel parcels package box suitcase bag bags luggage load pallet sofa machine van car dog cat it bike colis valise paquet paket koffer paquete maleta pacote mala pacco valigia pakket paczka")
}
