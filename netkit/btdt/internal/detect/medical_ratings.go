package detect

import "github.com/agentnet/netctl/netkit/btdt/internal/lex"

// raters are offices that tell in percent how ill somebody is, and their words for it.
const raters = "mdph inail inps commissione invalidità invalidité incapacité discapacidad minusvalía incapacidad incapacidade invalidez niepełnosprawności uszczerbku gdb médecin-conseil disability impairment ipp valutazione baremo zus orzecznik junta arbeidsongeschikt"

// rates are verbs and nouns before a percentage that an illness follows.
const rates = "taux reconoció reconocieron reconheceu reconnu reconnue retenu retenue riconosciuto riconosciuta grado grau degree grad przyznał przyznała orzekł"

// repays tell that a percentage is one of money.
const repays = "remboursé remboursement rembourse reimbursed reimbursement reembolsó reembolso rimborso rimborsato erstattet erstattung vergoed vergoeding refundacja refundacji discount rabatt remise descuento desconto sconto korting zniżka interest zinsen intérêts interés juros interessi salary gehalt salaire sueldo salário stipendio salaris paid zahlte pagó pagou pagato betaalde coverage deductible copay tva iva vat"

// rated is where a share ends that says how ill somebody is: "le aveva dato solo il
// 67 %" of a commission, "33 % por la hernia discal". It is i for none.
func (x *Sheet) rated(i int) int {
	if x.tok[i].Kind != lex.Digits || !x.is(i+1, "%") || x.number(i) < 5 || x.number(i) > 100 {
		return i
	}
	rater, rate := false, false
	for j := i - 1; j >= 0 && j >= i-9 && !x.stops(j); j-- {
		if oneOf(x.word(j), repays) {
			return i
		}
		rater = rater || oneOf(x.word(j), raters)
		rate = rate || oneOf(x.word(j), rates)
	}
	for j := i + 2; j < len(x.tok) && j < i+7 && !x.stops(j) && !rater; j++ {
		if oneOf(x.word(j), repays) || x.hints(j)&told != 0 {
			return i
		}
		f, _ := x.classAt(j)
		rater = rate && f&(lex.Ill|lex.Hurt) != 0 && oneOf(x.wordOr(i+2), "pour por per wegen for voor za z di")
	}
	if rater {
		return i + 2
	}
	return i
}

// degreeOf is where the share ends behind the word at token i that says what of:
// "invalidità del 74 %". It is i for none.
func (x *Sheet) degreeOf(i int) int {
	if !oneOf(x.word(i), losses) {
		return i
	}
	j := i + 1
	for hops := 0; hops < 5 && j < len(x.tok) && x.tok[j].Kind == lex.Letters && !x.tok[j].Line && (oneOf(x.word(j), resultFill) || oneOf(x.word(j), "al del of fissata civile permanente")); hops++ {
		j++
	}
	if j > i+1 && j+1 < len(x.tok) && x.tok[j].Kind == lex.Digits && x.is(j+1, "%") {
		return j + 2
	}
	return i
}

// hearingLoss is where the decibels end that somebody does not hear: "perte de 70
// dB". Noise has decibels as well, and nobody loses it. It is i for none.
func (x *Sheet) hearingLoss(i int) int {
	if x.tok[i].Kind != lex.Digits || !oneOf(x.wordOr(i+1), "db décibels decibels dezibel decibelios decibéis decibel decybeli") {
		return i
	}
	for j := i - 1; j >= 0 && j >= i-4 && !x.stops(j); j-- {
		if oneOf(x.word(j), "loss perte verlust hörverlust pérdida perda perdita verlies gehoorverlies ubytek niedosłuch") {
			return i + 2
		}
	}
	return i
}

// perHour is where it ends how often in an hour something comes over somebody: "38
// apnoeas an hour". It is i where that is not told.
func (x *Sheet) perHour(i int) int {
	if oneOf(x.wordOr(i), "an per par pro por all all' na") && oneOf(x.wordOr(i+1), "hour heure stunde hora ora uur godzinę") && i > 1 && x.tok[i-2].Kind == lex.Digits {
		return i + 2
	}
	return i
}
