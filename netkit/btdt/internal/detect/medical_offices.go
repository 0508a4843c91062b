package detect

// officePapers are what offices, firms and courts write and ask for. Their days
// tell of no treatment, however near one stands.
const officePapers = "letter letters bill bills invoice invoices summons notice reminder demand statement payment payments receipt transfer ruling judgment judgement verdict hearing deadline decision refusal appeal complaint reply email e-mail call contract quote estimate cheque check fine " +
	"bescheid bescheids schreiben rechnung mahnung zahlung überweisung urteil beschluss verhandlung frist ladung ablehnung widerspruch klage beschwerde antwort vertrag anhörung erörterungstermin " +
	"lettre facture courriel sommation convocation relance paiement virement jugement arrêté audience échéance délai décision refus recours réclamation réponse contrat mise-en-demeure " +
	"carta factura recibo citación requerimiento pago justificante transferencia sentencia vista juicio plazo resolución denegación recurso reclamación respuesta contrato burofax " +
	"fatura notificação citação pagamento comprovante comprovativo sentença audiência prazo decisão recusa recurso reclamação resposta boleto " +
	"lettera fattura bolletta citazione sollecito pagamento bonifico ricevuta sentenza udienza scadenza decisione diniego ricorso reclamo risposta contratto raccomandata diffida " +
	"factuur rekening aanmaning betaling overschrijving vonnis uitspraak zitting termijn beschikking besluit afwijzing bezwaar klacht antwoord contract dagvaarding " +
	"list listu listem pismo pisma pismem pismie faktura faktury fakturą rachunek rachunku rachunkiem wezwanie wezwania przelew przelewu wyrok wyroku rozprawa rozprawy rozprawę termin terminu decyzja decyzji decyzję odmowa odmowy odwołanie odwołania skarga skargi umowa umowy"

// officeDeeds are verbs of what is done with papers, right before their day.
const officeDeeds = "dated datiert daté datée datées datado datada fechado fechada datato datata gedateerd datowany datowana datowane " +
	"billed invoiced issued filed appealed wrote posted mailed emailed faxed paid phoned refunded " +
	"ausgestellt eingereicht geschrieben bezahlt émise émis facturé facturée déposé déposée payé payée emitida emitido emitiu presentada presentado pagado pagada enviada enviado paga pago pagata pagato emessa emesso inviata inviato verstuurd betaald ingediend wystawiono wystawiona wystawiony wysłano zapłacono złożono"

// arrivals are verbs of how a paper comes.
const arrivals = "came arrived kam traf arriva arrivé arrivée est llegó vino chegou veio arrivò arrivato arrivata è kwam przyszło przyszła przyszedł przyszły nadeszło dotarło"

// officeDay tells whether the day at token i is that of a paper, a payment or a
// hearing: "the bill dated 4 March for my wife's operation". What a doctor writes
// is told by doctorsPaper.
func (x *Sheet) officeDay(i int) bool {
	j := i - 1
	if x.lodged(i) {
		return true
	}
	for hops := 0; hops < 3 && j >= 0 && !x.tok[j+1].Line && (oneOf(x.word(j), paperDays) || oneOf(x.word(j), "the am el le il em op dnia den da no na")); hops++ {
		if oneOf(x.word(j), officeDeeds) {
			return true
		}
		j--
	}
	for k := j; k >= 0 && k > j-4 && !x.tok[k+1].Line; k-- {
		switch {
		case k == j && oneOf(x.word(k), officeDeeds):
			return true
		case oneOf(x.word(k), arrivals):
		case oneOf(x.word(k), officePapers):
			return !x.doctorNear(k, i)
		case x.stops(k), x.is(k, ",;:()"), x.treatment(k), x.inAilment(k), x.past(k):
			return false
		}
	}
	return false
}

// doctorNear tells whether a doctor stands among some tokens.
func (x *Sheet) doctorNear(from, to int) bool {
	for i := from; i < to; i++ {
		if x.doctorAt(i) {
			return true
		}
	}
	return false
}

// doctorAt tells whether token i is a doctor: a neurologist, el neumólogo.
func (x *Sheet) doctorAt(i int) bool {
	w := x.word(i)
	return oneOf(w, doctors) || len(w) > 8 && lastly(w, "ologist ólogo óloga ologo ologa ologue ologe ologin oloog ologiem") && !lastly(w, "ecologist eólogo eóloga")
}
