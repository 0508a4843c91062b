package detect

import "github.com/agentnet/netctl/netkit/btdt/internal/lex"

// toothAt is where a numbered tooth ends: "tooth #19", "dent 36". It is i where
// there is none.
func (x *Sheet) toothAt(i int) int {
	if !oneOf(x.word(i), "tooth teeth zahn dent diente pieza dente kies tand ząb zęba molar") {
		return i
	}
	j := i + 1
	for hops := 0; hops < 2 && j < len(x.tok) && (x.is(j, "#") || oneOf(x.word(j), "no number nr n nº")); hops++ {
		j++
	}
	if j >= len(x.tok) || x.tok[j].Kind != lex.Digits || x.number(j) < 1 || x.number(j) > 85 || x.dateAt(j) > 0 {
		return i
	}
	return j + 1
}

// pregnancyWeek is where a week ends in which somebody is: "was in week 19". It
// is i where there is none; a week of a course or a strike is nobody's.
func (x *Sheet) pregnancyWeek(i int) int {
	if !oneOf(x.word(i), "week woche semaine semana settimana") || i+1 >= len(x.tok) || x.tok[i+1].Kind != lex.Digits || oneOf(x.wordOr(i+2), "of der de del da di") {
		return i
	}
	if n := x.number(i + 1); n < 4 || n > 42 || !oneOf(x.wordOr(i-1), "in en em") || !oneOf(x.wordOr(i-2), "was am is be war bin ist était suis est estaba estoy estava estou era") {
		return i
	}
	return i + 2
}

// billedCode is where a code of five digits ends that was billed, not the number of
// a bill: "33641 was billed". It is i where there is none.
func (x *Sheet) billedCode(i int) int {
	t := x.tok[i]
	if t.Kind != lex.Digits || t.To-t.From != 5 || !x.sentenceStart(i) && !x.is(i-1, ",;:") && !oneOf(x.wordOr(i-1), "and but code coded as") {
		return i
	}
	if oneOf(x.wordOr(i+1), "was were got is") && oneOf(x.wordOr(i+2), "billed coded") || oneOf(x.wordOr(i-1), "as") && oneOf(x.wordOr(i-2), "billed coded") {
		return i + 1
	}
	return i
}

// headings announce a list of what somebody has, takes or cannot stand.
const headings = "allergies allergy allergien allergie alergias alergia allergia allergieën alergie uczulenia uczulenie diagnoses diagnosen diagnosi diagnósticos diagnósticos rozpoznania medications medication medikamente medikation médicaments medicación medicação farmaci medicatie leki conditions vorerkrankungen antécédents antecedentes patologie comorbidities choroby"

// headed tells whether an ailment stands in a list behind a heading: "Allergies
// declared: penicillin, latex".
func (x *Sheet) headed(a *ailment) bool {
	for i := a.from - 1; i >= 0 && i >= a.from-10 && !x.is(i, ".;!?"); i-- {
		if !x.is(i, ":") {
			continue
		}
		for j := i - 1; j >= 0 && j >= i-4; j-- {
			if x.is(j, ".;") || x.tok[j+1].Line {
				return false
			}
			if oneOf(x.word(j), headings) {
				return x.hints(j-1)&every == 0 && !oneOf(x.wordOr(j-1), "list common covered excluded for")
			}
		}
		return false
	}
	return false
}

// onLeave tells whether a sentence is about somebody's leave from work for an
// illness: "arrêt de travail du 14 novembre pour".
func (x *Sheet) onLeave(i int) bool {
	switch {
	case oneOf(x.word(i), "arrêt"):
		return oneOf(x.wordOr(i+1), "de") && oneOf(x.wordOr(i+2), "travail") && oneOf(x.wordOr(i+3), "du depuis pour")
	case oneOf(x.word(i), "krankschreibung ziekmelding"):
		return oneOf(x.wordOr(i+1), "vom wegen van wegens ab")
	case oneOf(x.word(i), "sick fit"):
		return oneOf(x.wordOr(i+1), "note") && oneOf(x.wordOr(i+2), "of from dated for")
	}
	return false
}

// papersDated are what a person brings whose date is that of a treatment.
const papersDated = "werte écho bloods bloodwork labs laborwerte blutwerte laborbericht analítica análisis exames análises esami analisi bloedonderzoek wyniki wynik badanie badania analyses bilan rezonansu tomografii exame ressonância biópsia tomografia ecografia irm scanner radiographie biopsie mri scan biopsy ultrasound colonoscopy resonancia radiografía biopsia risonanza tac ecografia mrt befund arztbrief röntgenbild rezonans tomografia"

// datedTest tells whether the day at token i is that of a test: "exame de 19 de
// maio", "MRI of 12/12/2023".
func (x *Sheet) datedTest(i int) bool {
	j := i - 1
	if !oneOf(x.wordOr(j), "de do da del du vom of from van di della") && x.wordOr(j) != "z" {
		return false
	}
	for j--; j > 0 && (x.someoneAt(j) || x.hints(j)&possessive != 0); j-- {
	}
	return oneOf(x.wordOr(j), papersDated) || oneOf(x.wordOr(j), "report results") && oneOf(x.wordOr(j-1), papersDated+" lab blood pathology")
}

// hospitalDeeds are what a hospital does with somebody on a day.
const hospitalDeeds = "admitted discharged operated readmitted released"

// bareOrdinal is the number of tokens of a day told by its number alone, behind a
// word of treatment or at the start of a story: "discharged 8th", "on the 19th
// they took out his spleen".
func (x *Sheet) bareOrdinal(i int) int {
	if x.tok[i].Kind != lex.Mixed || !ordinal(x.word(i)) || x.tongue() != english {
		return 0
	}
	j := i - 1
	for hops := 0; hops < 2 && oneOf(x.wordOr(j), "the on"); hops++ {
		j--
	}
	told := oneOf(x.wordOr(j), hospitalDeeds) && !x.confessed(j)
	if j == i-3 && oneOf(x.wordOr(i-2), "on") && x.has(j, lex.Ill|lex.Care) {
		told = true // my appendectomy on the 9th
	}
	for k := j; !told && j < i-1 && k >= 0 && k > j-5 && x.tok[k].Kind == lex.Letters; k-- {
		told = oneOf(x.word(k), hospitalDeeds) && oneOf(x.wordOr(k+1), "with for to") && !x.confessed(k)
	}
	opened := j < i-2 && x.sentenceStart(j+1) && oneOf(x.wordOr(i+1), "they he she my we i")
	if told || opened {
		return 1
	}
	return 0
}

// eventDay tells whether a day stands in the clause of what happened to somebody's
// health: "le 20 août, à Biarritz, mon oncle a fait un infarctus", "Sie hat sich am
// 2. Februar auf dem Gehweg den Knöchel gebrochen". A verb of anything else between
// tells of another day.
func (x *Sheet) eventDay(i, n, ailment int) bool {
	if ailment-i-n >= 14 {
		return false
	}
	who, verb, others := false, false, 0
	for j := x.clauseStart(i); j < ailment; j++ {
		if j >= i && j < i+n {
			continue
		}
		h := x.hints(j)
		switch {
		case x.is(j, ",&") && j >= i, x.word(j) == "A", x.word(j) == "E", x.has(j, lex.Place) && x.capital(j):
		case x.personAt(j), h&possessive != 0 && !x.theirs(j), x.firstPerson(j):
			who = true
			verb = verb || x.firstPerson(j)
		case oneOf(x.word(j), eventVerbs), oneOf(x.word(j), shows), h&has != 0:
			verb = true
		case oneOf(x.word(j), "wurde wurden werd werden fue fueron foi foram venne vennero was were"):
			verb = true // Am 14. August wurde meinem Sohn der Blinddarm entfernt
		case oneOf(x.word(j), doctors):
			who = true
		case h&joining != 0, oneOf(x.word(j), "ein eine einen einem une uno um uma au at sich se si si się zich mich me"):
		case h&(told|rules|could|anyone) != 0, h&topic != 0 && j > i, x.past(j), x.tok[j].Kind == lex.Sign:
			return false
		default:
			others++
		}
	}
	return who && verb && others < 4 && !x.refusedBehind(ailment)
}

// refusedBehind tells whether a verb of granting or refusing stands a few words
// behind token i, as German and Dutch put it.
func (x *Sheet) refusedBehind(i int) bool {
	for j := i; j < len(x.tok) && j < i+6 && !x.is(j, ".,;"); j++ {
		if oneOf(x.word(j), "abgelehnt verweigert bewilligt genehmigt beantragt gestrichen gekürzt berechnet geweigerd afgewezen goedgekeurd aangevraagd refused denied approved billed requested cancelled") {
			return true
		}
	}
	return false
}

// clauseStart is where the clause of token i starts, a few words before it.
func (x *Sheet) clauseStart(i int) int {
	j := i
	for j > 0 && i-j < 7 && !x.tok[j].Line && x.tok[j-1].Kind != lex.Sign {
		j--
	}
	return j
}

// trails tells whether a day follows an ailment in the same breath: "lost two
// fingers in the press on 9 June". A verb between tells of something else.
func (x *Sheet) trails(a ailment, day int) bool {
	if day < a.to || day-a.to > 8 || a.kind == vague {
		return false
	}
	for j := a.to; j < day; j++ {
		if x.is(j, ",") && day-j <= 2 && (a.rule == "announced_injury" || x.cue(bodyCuesByWord(), a.from) > 0 || x.hints(a.from)&has != 0 && x.cue(bodyCuesByWord(), a.from+1) > 0) {
			continue // perdu deux doigts à la scie, le 5 avril
		}
		adjective := j == a.to && x.hints(j)&(told|rules|could|has) == 0 && x.romance() && !oneOf(x.word(j), verdicts)
		if x.word(j) == "à" || x.word(j) == "a" && x.tongue() != french && x.tongue() != italian {
			continue // a 20 de agosto
		}
		if x.tok[j].Kind == lex.Sign || !adjective && (x.hints(j)&(told|rules|could|has) != 0 || x.past(j)) {
			return false
		}
	}
	return true
}

// verdicts are participles of what offices do with a treatment.
const verdicts = "negado negada denegado denegada autorizado autorizada aprobado aprobada recusado recusada aprovado aprovada refusé refusée accordé accordée facturé facturée facturado facturada cobrado cobrada negato negata rifiutato rifiutata autorizzato autorizzata approvato approvata fatturato fatturata remboursé remboursée contesté contestée"

// romance tells whether the text is in a language whose participles follow their
// noun: "l'epirubicina sbagliata il 7 aprile".
func (x *Sheet) romance() bool {
	t := x.tongue()
	return t == french || t == spanish || t == portuguese || t == italian
}

// eventVerbs are verbs of what happens to somebody's health.
const eventVerbs = "had suffered got broke tore lost underwent fait faite fallu eu subi hatte bekam erlitt brach tuvo sufrió rompió pusieron operaron teve sofreu partiu fez messo messa ebbe subì ruppe operato operata kreeg had brak przeszedł przeszła miał miała doznał doznała złamał złamała inserted given put took out cut fitted felt seen hanno ont han haben hebben wszczepiono wstawiono eingesetzt rompió dato posé"
