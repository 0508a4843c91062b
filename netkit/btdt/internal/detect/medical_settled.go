package detect

import "github.com/agentnet/netctl/netkit/btdt/internal/lex"

// settles are verbs in the past of what an insurer does with one person's treatment:
// "lehnte die Reha ab", "negó la prótesis". Said in the present it is a rule.
const settles = "refused denied rejected declined paid covered approved authorised authorized reimbursed lost lehnte zahlte verweigerte übernahm bezahlte bewilligte genehmigte erstattete strich kürzte stoppte refusait refusa refusé remboursé payé accordé négligé negó negaba rechazó denegó pagó cubrió autorizó aprobó quería reembolsó negou recusou pagou cobriu autorizou liberou custeou negato rifiutato pagato rimborsato autorizzato coperto negò rifiutò pagò voleva weigerde betaalde vergoedde schrapte odmówił odmówiła odmówiło wypłacił wypłaciło zapłacił zapłaciła zapłaciło sfinansował sfinansowało zwrócił zwróciła zwróciło przyznał"

// payers are words for who pays for treatments.
const payers = "insurer krankenkasse kasse krankenversicherung gesundheitskasse versicherung mutuelle cpam assureur aseguradora mutua seguro plano operadora convênio assicurazione polizza asl verzekeraar zorgverzekeraar ubezpieczyciel nfz plan"

// bareActs are treatments that tell nothing without what they are for.
const bareActs = "surgery operation op procedure chirurgie opération intervention cirugía operación tratamiento cirurgia operação intervento operazione operatie ingreep zabieg zabiegu operacja operacji operację medication drug drugs medikament medikamente médicament médicaments medicamento medicamentos farmaco farmaci medicijn medicijnen lek leki leków test tests scan scans disability invalidity"

// settled tells whether a treatment is what an insurer paid or refused in the past:
// "Debeka lehnte die Zahnspange ab", "Getting Anthem to cover a PET scan it had
// approved". An article makes it a certain one, where the language has any.
func (x *Sheet) settled(a *ailment) bool {
	if a.to == a.from+1 && (oneOf(x.word(a.from), bareActs) || oneOf(x.word(a.from), bareTreatments)) || x.advises() || a.rule == procedureCode {
		return false
	}
	if x.Field == "title" && x.coveredAfter(a) {
		return true
	}
	i := a.from - 1
	if x.is(i, "'") {
		i-- // l'
	}
	article := x.article(i) || oneOf(x.wordOr(i), "the die den das la le el los las lo il gli i o de het") || oneLetter(x.wordOr(i), "lao")
	switch {
	case article:
		i--
	case x.tongue() != polish && x.tongue() != portuguese:
		return false
	}
	if article && x.paidAsWell(i) {
		return true
	}
	if oneOf(x.wordOr(i), payers) && i > 1 && oneOf(x.word(i-2), settles) {
		return true // trotzdem lehnte die Kasse die Zahnspange ab
	}
	if oneOf(x.wordOr(i), "pagar pagare payer rembourser cubrir cobrir coprire betalen vergoeden sfinansowania zapłaty refundacji pay cover for costear custear operar prendre charge") {
		i--
	}
	for hops := 0; hops < 2 && oneOf(x.wordOr(i), "no to di de het to doch jednak nie"); hops++ {
		i--
	}
	return i > 0 && oneOf(x.word(i), settles) && x.payerBefore(i)
}

// coveredAfter tells whether a title tells of a treatment that an insurer was made to
// cover and what it had said before.
func (x *Sheet) coveredAfter(a *ailment) bool {
	if !x.article(a.from-1) && x.wordOr(a.from-1) != "the" {
		return false
	}
	told := false
	for i := a.to; i < len(x.tok) && i < a.to+5; i++ {
		told = told || oneOf(x.word(i), "it they") && oneOf(x.wordOr(i+1), "had already first once twice lost refused denied approved")
	}
	return told && x.payerBefore(a.from)
}

// payerBefore tells whether one who pays for treatments, or any organisation, stands
// in the clause before token i.
func (x *Sheet) payerBefore(i int) bool {
	for j := i - 1; j >= 0 && j >= i-8 && !x.stops(j); j-- {
		if oneOf(x.word(j), payers) || x.held[j] && x.capital(j) && x.tok[j].Flags&(lex.Org|lex.OrgWord) != 0 || x.held[j] && x.capital(j) && x.tok[j].Flags&lex.Given == 0 {
			return true
		}
	}
	return false
}

// paidAsWell tells whether what starts behind token i was paid with the rest: "CZ
// vergoedde alles, ook de steunkousen".
func (x *Sheet) paidAsWell(i int) bool {
	if !oneOf(x.wordOr(i), "including also even auch sogar compris même incluso incluida incluido inclusive anche compresa compreso ook zelfs również także") {
		return false
	}
	for j := i - 1; j >= 0 && j >= i-6 && !x.stops(j); j-- {
		if oneOf(x.word(j), settles) || oneOf(x.word(j), "übernommen erstattet vergoed betaald pagado pago pagata coperte zwrócono wypłacono") {
			return true
		}
	}
	return false
}

// cures are stays for getting well again that firms are called after too.
const cures = "reha anschlussheilbehandlung frühreha ahb"

// cure tells whether a German stay for getting well stands at token i that somebody
// was at or that was refused, and no firm that is called so.
func (x *Sheet) cure(i int) bool {
	if !oneOf(x.word(i), cures) || x.tongue() != german || x.tok[i].Case == lex.Lower || i == 0 || x.capital(i+1) && x.held[i+1] || x.hints(i+1)&organ != 0 {
		return false
	}
	stay := oneOf(x.word(i-1), "der die") && oneOf(x.wordOr(i-2), "in aus während nach") && x.Field != "title"
	return stay || x.settled(&ailment{from: i, to: i + 1})
}
