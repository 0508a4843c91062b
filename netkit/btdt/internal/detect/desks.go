package detect

import (
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// desks are where people answer: a person is "from billing", a thing is not.
const desks = "billing accounts claims complaints retention retentions collections reception dispatch support security hr legal finance sales fraud admissions scheduling parking housing payroll records logistics escalations enrollment enrolment registration desk department dept team office counter branch switchboard front night water " +
	"kundendienst kundenservice buchhaltung abteilung hotline zentrale leitung kanzlei verwaltung empfang kundencenter rechtsabteilung hausverwaltung inkasso kasse pforte widerspruchsstelle " +
	"accueil guichet service comptabilité secrétariat litiges réclamations standard agence contentieux mairie " +
	"atención ventanilla recepción cobranza cobranzas reclamaciones oficina mostrador caja sucursal mantenimiento banco taller farmacia administración " +
	"balcão atendimento cobrança manutenção loja agência farmácia recepção receção secretaria condomínio oficina banco " +
	"sportello ufficio reclami segreteria call reception banca filiale assistenza " +
	"klantenservice balie receptie administratie afdeling incasso gemeente helpdesk winkel " +
	"infolinii działu okienka windykacji reklamacji obsługi recepcji księgowości biura sekretariatu banku urzędu"

var deskKeys = sync.OnceValue(func() map[uint64]bool { return keySet(desks) })

// placings stand between a person and a desk.
const placings = "from in at on aus vom von beim bei am an du de chez au del do da no na dell della dello dal al z ze w van bij"

var placingKeys = sync.OnceValue(func() map[uint64]bool { return keySet(placings) })

// fromDesk tells whether token i is of a desk or works for a firm: Hope in
// Customer Relations, Augusta, da farmácia, Maja z infolinii.
func (x *Sheet) fromDesk(i int) bool {
	j := i + 1
	comma := x.is(j, ",(")
	if comma {
		j++
	}
	if j+1 >= len(x.tok) || x.tok[j].Case != lex.Lower || !placingKeys()[x.tok[j].Key] && x.word(j) != "à" || !x.has(i, lex.Given) && x.has(i, lex.Foreign) && x.capital(j+1) {
		return false
	}
	english := oneOf(x.word(j), "from in at")
	if x.speech == lex.English && !english {
		return false
	}
	for k := j + 1; k < min(j+5, len(x.tok)); k++ {
		t := x.tok[k]
		switch {
		case t.Kind != lex.Letters && !x.is(k, "'"):
			return false
		case deskKeys()[t.Key] && t.Flags&lex.Place == 0:
			return true
		case t.Case != lex.Lower && (x.held[k] && t.Flags&lex.Place == 0 || t.Flags&lex.OrgWord != 0):
			return !comma && oneOf(x.word(j), "from at chez") || !english && !x.capital(k-1)
		case t.Case != lex.Lower && !(x.capital(k+1) && english):
			return false
		}
	}
	return false
}

// possesses tells whether something that a person has stands behind an 's.
func (x *Sheet) possesses(i int) bool {
	return x.is(i+1, "'") && i+3 < len(x.tok) && x.word(i+2) == "s" && !x.tok[i+2].Space && x.tok[i+3].Kind == lex.Letters && x.tok[i+3].Case == lex.Lower && !x.ruledFrom(i)
}

// entry tells whether a given name is all that stands between two signs of
// key_contacts: Wessex Water: Sue or Martin. The town stands behind a comma there.
func (x *Sheet) entry(i int) bool {
	if x.Field != "key_contacts" || !x.has(i, lex.Given) || x.has(i, lex.Org|lex.Seen|lex.OrgWord|lex.Role) || x.is(i-1, ",") && x.has(i, lex.Place) {
		return false
	}
	left := i == 0 || x.tok[i].Line || x.is(i-1, ";,:/|-(") || x.joining(i-1)
	right := i+1 == len(x.tok) || x.tok[i+1].Line || x.is(i+1, ";,/|-()") || x.joining(i+1)
	return left && right
}

// saluted tells whether a greeting stands before token i: Dear Barry, Cheers, Bec.
func (x *Sheet) saluted(i int) bool {
	j := i - 1
	if x.is(j, ",-") {
		j--
	}
	if j > 0 && towardsKeys()[x.tok[j].Key] && oneOf(x.word(j-1), "attention attn atención attenzione atenção uwagi rąk") || oneOf(x.wordOr(j), "fao attn") {
		return true
	}
	return j >= 0 && x.tok[j].Kind == lex.Letters && oneOf(x.word(j), "dear cheers regards sincerely thanks hi hello hey hola bonjour hallo ciao olá cześć grüße gruß cordialement saludos atentamente abraços saluti groeten pozdrawiam liebe lieber chère cher cara caro querida querido estimada estimado")
}

// talk are verbs and nouns of speaking that join a person with a preposition.
const talk = "chat chatting spoke speak speaking spoken talked talk talking chatted call thanks thank ask asked asking gesprochen gespräch telefonat telefonate telefoniert telefonieren rückruf dank danke anruf parlé parler demandez demander entretien appel merci grâce hablé habló hablar pregunten preguntar pregunte llamada gracias falei falou falar liguei ligação obrigado obrigada graças parlato parlare chiedere chiedete grazie telefonata gesproken sprak spreken gesprek dank rozmawiałem rozmawiałam rozmowa rozmowę rozmowie rozmowy telefon dzięki dziękuję"

var talkKeys = sync.OnceValue(func() map[uint64]bool { return keySet(talk) })

// towards are the prepositions of speaking.
const towards = "to with for of mit an à de d di avec con por com ao met aan z ze do"

var towardsKeys = sync.OnceValue(func() map[uint64]bool { return keySet(towards) })

// conversed tells whether somebody speaks to token i: Telefonat mit Sommer.
func (x *Sheet) conversed(i int) bool {
	if i > 2 && !x.tok[i].Line && oneOf(x.word(i-1), "a o la el il lo de den dem der die") && !towardsKeys()[x.tok[i-1].Key] {
		i-- // falei com o Bento
	}
	if i > 2 && x.word(i-1) == "a" && towardsKeys()[x.tok[i-2].Key] {
		i--
	}
	if i < 2 || x.tok[i].Line || x.tok[i-1].Case != lex.Lower || !towardsKeys()[x.tok[i-1].Key] {
		return false
	}
	return talkKeys()[x.tok[i-2].Key] || i > 2 && talkKeys()[x.tok[i-3].Key]
}

// reported tells whether what token i says is told: según Quispe, laut Sommer.
func (x *Sheet) reported(i int) bool {
	if i < 1 || x.tok[i].Line || !x.has(i, lex.Given) && x.has(i, lex.Foreign) || x.has(i, lex.Org|lex.Seen) {
		return false
	}
	j := i - 1
	if x.tok[j].Case == lex.Lower && (x.word(j) == "a" || x.word(j) == "o" || x.is(j, "'") || oneOf(x.word(j), "to")) && j > 0 {
		j--
	}
	return oneOf(x.word(j), "laut selon según segundo secondo volgens według") || oneOf(x.word(j), "according") && j < i-1
}
