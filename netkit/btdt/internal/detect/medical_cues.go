package detect

import (
	"slices"
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// illCues are words behind which a condition is named, whatever it is called: no
// list has them all.
const illCues = "przyjęto go z, przyjęto ją z, trafił z, trafiła z, mri showed an, mri showed a, mri shows an, mri shows a, scan showed an, scan showed a, x-ray showed a, x-ray showed an, irm a montré une, irm montre une, irm a montré un, mrt zeigte einen, mrt zeigte eine, tac mostró una, tac mostró un, ressonância mostrou uma, risonanza ha mostrato una, in malattia per, in cura per, thuis met, ziek thuis met, zwolnieniu z powodu, zwolnieniu na, de baja por, de baixa por, en arrêt pour, krank wegen, clean from, sober from, addicted to, hooked on, dependent on, off his, under treatment for, seen for, checked for, went in for, went in with, rushed in with, taken in with, süchtig nach, abhängig von, accro à, dépendant à, dépendante à, adicto a, adicta a, viciado em, viciada em, dependente de, dipendente da, verslaafd aan, uzależniony od, uzależniona od, in theatre for, in surgery for, trouble with, diagnosed with, diagnosed me with, diagnosed him with, diagnosed her with, diagnosed as, diagnosis of, suffers from, suffer from, suffered from, suffering from, treated for, admitted with, admitted for, hospitalised with, hospitalised for, hospitalized with, hospitalized for, in hospital with, in hospital for, signed off with, signed off for, died of, died from, recovering from, recovered from, operated on for, allergic to, tested positive for, history of, relapse of, a bout of, surgery on, surgery for, operation on, symptoms of, living with, complications of, complications from, off sick with, off work with, laid up with, disabled by, presented with, came down with, born with, lives with, in remission from, injections for, injections into, medication for, pills for, tablets for, drops for, therapy for, test for, tested for, " +
	"leidet an, litt an, leide an, leidet unter, litt unter, leide unter, erkrankt an, erkrankte an, erkrankte ich an, diagnose lautet, diagnostizierte man, allergisch gegen, operiert wegen, behandelt wegen, in behandlung wegen, krankgeschrieben wegen, starb an, gestorben an, verstarb an, stationär wegen, eingeliefert mit, eingewiesen mit, eingewiesen wegen, operation an, operation am, verdacht auf, " +
	"souffre de, souffre d, souffrait de, souffrait d, souffrant de, souffrant d, atteint de, atteint d, atteinte de, atteinte d, hospitalisé pour, hospitalisée pour, hospitalisé pour un, opéré de, opérée de, opéré du, opérée du, opéré d, opérée d, opéré des, opérée des, soigné pour, soignée pour, traité pour, traitée pour, suivi pour, suivie pour, mort d, morte d, mort de, morte de, décédé d, décédée d, allergique à, allergique au, allergique aux, diagnostic de, diagnostic d, diagnostiqué un, diagnostiqué une, victime d, arrêt pour, porteur de, porteuse de, guéri de, guérie de, " +
	"padece de, padece, padecía, padezco, sufre de, sufre, sufro de, sufro, sufría de, enfermo de, enferma de, diagnosticado de, diagnosticada de, diagnosticado con, diagnosticada con, diagnosticaron, diagnosticó, le detectaron, me detectaron, operado de, operada de, operaron de, operó de, ingresado por, ingresada por, ingresó por, ingresó con, hospitalizado por, hospitalizada por, tratado de, tratada de, murió de, falleció de, alérgico a, alérgica a, alérgico al, alérgica al, baja por, diagnóstico de, " +
	"sofre de, sofre com, sofria de, sofro de, padece de, diagnosticado com, diagnosticada com, diagnosticaram, diagnosticou, operado a, operada a, operado ao, operada ao, operado à, operada à, operada às, operado às, operado de, operada de, internado com, internada com, internado por, internada por, tratado a, tratada a, morreu de, faleceu de, alérgico a, alérgica a, alérgico ao, alérgica ao, baixa por, diagnóstico de, portador de, portadora de, em tratamento de, em tratamento para, " +
	"soffre di, soffro di, soffriva di, soffre d, affetto da, affetta da, malato di, malata di, diagnosticato un, diagnosticata una, diagnosticato il, diagnosticata la, diagnosticato, diagnosticata, operato di, operata di, operato al, operata al, operato alla, operata alla, operato d, operata d, operato all, operata all, ricoverato per, ricoverata per, ricoverato con, ricoverata con, in cura per, curato per, curata per, morto di, morta di, allergico al, allergica al, allergico alla, allergica alla, allergico ai, allergica ai, allergico a, allergica a, diagnosi di, intervento al, intervento alla, intervento all, guarito da, guarita da, " +
	"lijdt aan, leed aan, lijd aan, last van, geopereerd aan, behandeld voor, behandeld aan, opgenomen met, opgenomen voor, opgenomen wegens, gestorven aan, overleden aan, overleed aan, allergisch voor, diagnose, gediagnosticeerd met, ziek door, getroffen door, hersteld van, " +
	"choruje na, chorował na, chorowała na, choruję na, cierpi na, cierpiał na, cierpiała na, cierpię na, chory na, chora na, zachorował na, zachorowała na, leczy się na, leczony na, leczona na, leczę się na, zmarł na, zmarła na, uczulony na, uczulona na, uczulenie na, zdiagnozowano, zdiagnozowano u, rozpoznano, z rozpoznaniem, operowany na, operowana na, w szpitalu z, do szpitala z, zwolnienie z powodu"

// bodyCues are words of losing or breaking; a part of the body must follow.
const bodyCues = "cannot use, can't use, cannot move, can't move, cannot bend, can't bend, cannot lift, can't lift, cannot raise, can't raise, cannot feel, can't feel, unable to use, unable to move, unable to bend, unable to lift, no feeling in, no sensation in, no strength in, no use of, weak down, weakness in, weakness down, numbness in, ne peut plus bouger, ne peut plus plier, ne peut plus lever, ne sent plus, no puede mover, no puede doblar, no siente, sin fuerza en, não consegue mexer, não consegue mover, não consegue dobrar, sem força no, sem força na, non riesce a muovere, non può muovere, non muove più, non sente più, nie może ruszać, nie może zgiąć, lost, losing, broke, breaks, breaking, tore, crushed, cut off, severed, injured, hurt, hurting, shattered, sprained, twisted, dislocated, damaged, missing, without, smashed, fractured, bruised, burned, burnt, scalded, trapped, operation to, shot in, stabbed in, hit in, bitten in, removed, removing, taken out, pulled, extracted, shadow on, spot on, mass in, mass on, lump in, lump on, growth on, growth in, something on, fluid on, fluid in, infection in, metal in, " +
	"zog, gezogen, entfernte, entfernten, entnahm, verlor, verloren, brach, gebrochen, verletzte, verletzt, quetschte, gequetscht, verbrannte, fehlt, fehlen, riss, gerissen, stauchte, knoten in, knoten im, schatten auf, fleck auf, wasser in, probleme mit, schmerzen in, schmerzen im, " +
	"arraché, arrachée, retiré, retirée, enlevé, enlevée, ôté, posé, changé, perdu, cassé, cassée, brisé, brisée, écrasé, foulé, tordu, déchiré, déchirée, manque, coupé, coupée, brûlé, brûlée, blessé, blessée, fracturé, fracturée, tache sur, tache au, boule au, boule dans, masse au, masse dans, eau dans, problème de, problèmes de, mal à, mal au, mal aux, opéré, opérée, " +
	"sacó, quitaron, quitado, quitó, extirparon, extirpó, sacaron, operaron, operó, perdí, perdió, perdido, rompí, rompió, rompieron, roto, rota, falta, faltan, fracturé, fracturó, torció, torcí, quemó, quemé, aplastó, cortó, lesionó, lesioné, mancha en, bulto en, dolor en, dolores en, dolor de, problema de, problemas de, líquido en, " +
	"arrancou, arrancaram, tiraram, tirou, retiraram, removeram, operaram, perdi, perdeu, partiu, parti, quebrou, quebrei, fraturou, fraturei, torceu, torci, queimou, cortou, esmagou, lesionou, magoou, mancha no, caroço no, caroço na, dor no, dor na, dores no, dores na, dores nas, problema de, problemas de, água no, " +
	"estratto, estratta, tolto, tolta, tolsero, asportato, asportata, rimosso, operato, operata, perso, persi, perse, rotto, rotta, ruppe, fratturato, fratturata, slogato, slogata, schiacciato, ustionato, tagliato, manca, macchia al, macchia sul, nodulo al, nodulo alla, dolore al, dolore alla, dolori al, dolori alla, problemi al, problemi alla, problemi di, acqua nel, " +
	"trok, getrokken, haalden, verwijderden, verwijderd, verloor, verloren, brak, gebroken, scheurde, gescheurd, verbrandde, kneusde, verstuikte, mist, vlek op, knobbel in, vocht in, vocht achter, pijn in, problemen met, last van, " +
	"wyrwał, wyrwała, usunęli, usunięto, wycięli, wycięto, stracił, straciła, straciłem, straciłam, złamał, złamała, złamałem, złamałam, skręcił, skręciła, skręciłem, zmiażdżył, poparzył, poparzyła, zerwał, zerwała, partiu-se o, partiu-se a, quebrou-se o, se rompió el, se rompió la, si è rotto il, si è rotta la, brak, guzek w, guz w, plama na, ból w, bóle, problemy z, woda w"

// drugCues are words behind which a word that no list has is a medicine.
const drugCues = "prescribed, prescribed me, prescribed him, prescribed her, takes, taking, i take, put on, was on, is on, am on, been on, went on, started on, moved to, switched to, switched from, weaned off, came off, injects, injecting, prescription for, refill of, refills of, supply of, doses of, dose of, infusion of, infusions of, shots of, shot of, course of, bottle of, " +
	"verschrieb mir, verschrieb ihm, verschrieb ihr, verschrieben, verordnet, verordnete, nimmt, nehme, nahm, bekommt, bekomme, spritzt, spritze, umgestellt auf, eingestellt auf, rezept für, rezept über, dosis, " +
	"prescrit, prend du, prend de la, prend de l, prend, prends du, prends de la, prends, prenait du, sous, ordonnance de, ordonnance pour, traitement par, boîte de, injection de, injections de, perfusion de, " +
	"recetó, recetaron, recetado, toma, tomo, tomaba, se pincha, se inyecta, receta de, receta para, dosis de, caja de, tratamiento con, medicado con, medicada con, " +
	"receitou, receitaram, receitado, toma, tomo, tomava, receita de, receita do, caixa de, dose de, injeção de, medicado com, medicada com, tratamento com, em uso de, faz uso de, " +
	"prescritto, prescritta, prescrisse, prende, prendo, assume, assumo, ricetta per, ricetta del, scatola di, dose di, terapia con, cura con, fiale di, " +
	"slikt, slik, gebruikt, gebruik, spuit, voorgeschreven, recept voor, dosis, " +
	"bierze, biorę, brała, brał, przyjmuje, przyjmuję, zażywa, zażywam, przepisał, przepisała, przepisano, receptę na, recepta na, recepty na, dawkę, dawki"

// carriers are what holds a medicine or a device whose name stands before it.
const carriers = "inhaler inhalers tablet tablets capsule capsules pill pills drops patch patches cream ointment pen pens pump sensor sensors infusion infusions injection injections shot shots jab jabs syringe syringes suppositories nasal spray lozenges prescription script refill implant prosthesis catheter mask machine monitor therapy treatment dose doses " +
	"tabletten kapseln tropfen pflaster salbe spritze spritzen pumpe rezept infusion therapie dosis comprimés gélules gouttes pastillas comprimidos cápsulas gotas compresse fiale gocce pillen druppels pleister tabletki krople plastry zastrzyki"

// phrases are kept by the key of their first word: the keys of the rest.
type phrases map[uint64][][]uint64

func phrasesOf(list string) phrases {
	c := phrases{}
	for phrase := range strings.SplitSeq(list, ",") {
		tokens := lex.Split(lex.Fold(phrase).S, nil)
		rest := make([]uint64, 0, len(tokens)-1)
		for _, t := range tokens[1:] {
			rest = append(rest, t.Key)
		}
		c[tokens[0].Key] = append(c[tokens[0].Key], rest)
	}
	return c
}

var (
	illCuesByWord  = sync.OnceValue(func() phrases { return phrasesOf(illCues) })
	bodyCuesByWord = sync.OnceValue(func() phrases { return phrasesOf(bodyCues) })
	drugCuesByWord = sync.OnceValue(func() phrases { return phrasesOf(drugCues) })
	carrierKeys    = sync.OnceValue(func() map[uint64]bool { return keySet(carriers) })
)

// cue is where the longest phrase that starts at token i ends, 0 where none does.
func (x *Sheet) cue(c phrases, i int) int {
	end := 0
	for _, rest := range c[x.tok[i].Key] {
		if len(rest) >= end-i && i+len(rest) < len(x.tok) && x.keysAt(i+1, rest) {
			end = i + 1 + len(rest)
		}
	}
	return end
}

func (x *Sheet) keysAt(i int, keys []uint64) bool {
	for k, key := range keys {
		if x.tok[i+k].Key != key || x.tok[i+k].Line {
			return false
		}
	}
	return true
}

// cuedAilments adds what words of suffering or prescribing announce: "diagnosed
// with prurigo", "takes Zentrova". What the lists know already grows to the left.
func (x *Sheet) cuedAilments() {
	for i := range x.tok {
		if x.tok[i].Kind != lex.Letters {
			continue
		}
		if from := x.cue(illCuesByWord(), i); from > 0 {
			x.announce(i, from, x.nounEnd(from), "announced_condition")
		}
		if from := x.cue(bodyCuesByWord(), i); from > 0 {
			x.announceBody(i, from)
		}
		if at := x.cue(drugCuesByWord(), i); at > 0 {
			x.announceDrug(at)
		}
		if carrierKeys()[x.tok[i].Key] {
			x.carried(i)
		}
	}
	slices.SortStableFunc(x.ailments, func(a, b ailment) int { return a.from - b.from })
}

// someArticles stand between a cue and what it announces, beside those that join.
const someArticles = "the some more ein eine einen einem einer eines une un un uma um unos unas uno una een"

// announce adds the words from to to as an ailment, or widens the one that stands
// among them or among the words of the cue before them.
func (x *Sheet) announce(cue, from, to int, rule string) {
	for from < to && oneOf(x.word(from), someArticles) {
		from++
	}
	if from, to = x.trimmed(from, to); from >= to {
		return
	}
	for k := range x.ailments {
		a := &x.ailments[k]
		if a.from < to && cue < a.to && (from < a.to || x.telling(from, to)) {
			a.from, a.to = min(a.from, from), max(a.to, to)
			a.core = [2]int{min(a.core[0], a.from), a.to}
			a.weight += 1 + boolInt(a.rule == "tagger")
			if a.kind == vague {
				a.kind = plain
			}
			return
		}
	}
	if x.telling(from, to) {
		x.ailments = append(x.ailments, ailment{from: from, to: to, core: [2]int{from, to}, kind: plain, rule: rule, score: 0.7, key: x.keyOf(from, to)})
	}
}

// announceBody adds a part of the body behind words of losing or breaking, with
// those words.
func (x *Sheet) announceBody(cue, from int) {
	if x.tongue() == german || x.tongue() == dutch {
		if noun := x.pastMiddle(from); noun > from {
			cue, from = noun, noun
		}
	}
	to := x.nounEnd(from)
	for i := to - 1; i >= from; i-- {
		if x.partAt(i) && !x.ofThing(i) && (x.tok[i].Case == lex.Lower || x.tongue() == german) {
			x.unname(cue)
			x.announce(cue, cue, to, "announced_injury")
			return
		}
	}
}

// pastMiddle is where the noun starts behind who and when, which German and Dutch put
// between a verb and its object: "haalden ze op 3 oktober een stuk darm weg".
func (x *Sheet) pastMiddle(i int) int {
	for end := min(len(x.tok), i+10); i < end && !x.tok[i].Line; {
		switch n := x.dayOrSpan(i); {
		case n > 0:
			i += n
		case x.personAt(i), oneOf(x.word(i), "op am im in sich zich de ärzte artsen"), x.has(i, lex.Title):
			i++
		default:
			return i
		}
	}
	return i
}

// unname takes back a name of one word that is the first of an ailment: Wasser in
// der Lunge.
func (x *Sheet) unname(i int) {
	t := x.tok[i]
	x.drop(func(s Span) bool {
		return s.Type == Name && s.From == t.From && s.To == t.To && t.Flags&lex.Noun != 0
	})
}

// nounEnd is where the words end that name what a cue announces: at the next sign,
// verb or preposition, five words on at the latest. A part of the body may follow
// a preposition: burning in both feet.
func (x *Sheet) nounEnd(from int) int {
	i := from
	for i < len(x.tok) && i < from+3 && x.hints(i)&(joining|possessive) != 0 {
		i++
	}
	for n := 0; i < len(x.tok) && n < 5 && !(x.tok[i].Line && i > from); n++ {
		if x.is(i, "-'/") && i > from {
			i++
			continue
		}
		if x.tok[i].Kind == lex.Sign || x.nameAt(i) || x.someoneAt(i) {
			break
		}
		if x.breaks(i) {
			if j := x.partBehind(i); j > i && i > from {
				i = j
				continue
			}
			break
		}
		i++
	}
	return i
}

// fillers are words that end what a cue announces, beside those with a hint.
const fillers = "because so since after before while which that who whom than then but at by from into until till during due under over out up off when where as just only not never this these those there here again already still both weil dass da seit nach vor während aber doch dann hier dort nicht noch schon jetzt bis unter durch ab sowie deren dessen parce que qui quand lorsque depuis après avant pendant mais donc alors chez sans sous jusqu puis car porque que cuando desde después antes durante pero entonces sin bajo hasta tras pois quando depois antes mas então sem até após perché che dopo prima durante ma allora senza sotto fino omdat sinds na voor tijdens maar dan zonder onder tot toen terwijl bo ponieważ który która gdy po przed podczas ale więc bez pod do od oraz już jeszcze"

var fillerKeys = sync.OnceValue(func() map[uint64]bool { return keySet(fillers) })

// breaks tells whether token i cannot be inside the name of a condition.
func (x *Sheet) breaks(i int) bool {
	t := x.tok[i]
	if t.Flags&(lex.Ill|lex.Care|lex.Act|lex.Hurt|lex.Part|lex.Mark) != 0 {
		return false
	}
	const verbs = joining | conjunction | told | could | rules | pronoun | has | possessive | suffers | topic
	return x.hints(i)&verbs != 0 || fillerKeys()[t.Key] || t.Flags&(lex.Month|lex.LawWord|lex.OrgWord|lex.Org) != 0 && t.Case != lex.Lower || x.dayOrSpan(i) > 0
}

// partBehind is where a part of the body ends that follows the preposition at
// token i, i where none does.
func (x *Sheet) partBehind(i int) int {
	j := i
	for j < len(x.tok) && j < i+3 && x.hints(j)&(joining|possessive) != 0 {
		j++
	}
	for j < len(x.tok) && x.has(j, lex.Mark) {
		j++
	}
	if j > i && x.has(j, lex.Part) {
		return j + 1
	}
	return i
}

// plainTalk are words of what people put up with and no doctor treats.
const plainTalk = "telephone phone email e-mail mail post fax chat telefon telefonisch brief mails téléphone courrier mail teléfono correo telefone telefono posta telefoon telefonu free service services delay delays error errors noise damp mould mold cold heat neglect loss losses fraud debt debts stress-free weeks months years days hours week month year day nothing anything everything something that this it them him her me us you money costs cost charges fees interest bill bills claim claims order orders letter letters work company bank account help support people staff customers payment payments price prices change changes long good interruptions leaks leak outages outage problems lärm kälte verspätung verspätungen fehler schulden mangel mängel bruit bruits retard retards froid humidité dettes erreur erreurs ruido ruidos retraso retrasos frío deudas error errores barulho atraso atrasos frio dívidas erro erros rumore rumori ritardo ritardi freddo debiti errore errori lawaai geluid vertraging kou schulden fout fouten hałas hałasu opóźnienia zimno długi błędy"

var plainTalkKeys = sync.OnceValue(func() map[uint64]bool { return keySet(plainTalk) })

// telling tells whether some words can name a condition: at least one of letters,
// and the last none of plain talk.
func (x *Sheet) telling(from, to int) bool {
	if x.held[from] && x.tok[from].Case != lex.Lower && !x.sentenceStart(from) {
		return false
	}
	for i := from; i < to; i++ {
		if x.tok[i].Kind == lex.Letters && plainTalkKeys()[x.tok[i].Key] && (i == to-1 || x.hints(i)&possessive == 0) {
			return false
		}
	}
	last := x.tok[to-1]
	return last.Kind != lex.Digits && last.Kind != lex.Placeholder && last.To-last.From > 2 && !x.taken(x.tok[from].From, last.To)
}

// announceDrug adds the word behind a word of prescribing when no list knows it.
func (x *Sheet) announceDrug(i int) {
	for i < len(x.tok) && x.hints(i)&(joining|possessive) != 0 && !x.tok[i].Line {
		i++
	}
	if i < len(x.tok) && !x.tok[i].Line && x.strange(i) && !x.separated(i) {
		to := x.dose(i + 1)
		x.announce(i, i, to, "announced_medicine")
	}
}

// carried adds the strange word in front of an inhaler, tablets, a pump.
func (x *Sheet) carried(i int) {
	if x.tok[i].Case != lex.Lower && x.tok[i].Flags&lex.Noun == 0 {
		return // the Wayback Machine
	}
	if i > 0 && !x.tok[i].Line && x.strange(i-1) && x.capital(i-1) && !x.sentenceStart(i-1) {
		x.announce(i-1, i-1, i+1, "announced_medicine")
	}
}

// strange tells whether token i is a word of some length that no list of words,
// names, places or firms has.
func (x *Sheet) strange(i int) bool {
	t := x.tok[i]
	const known = lex.Given | lex.Surname | lex.Word | lex.Foreign | lex.Place | lex.Org | lex.OrgWord | lex.Law | lex.LawWord | lex.Role | lex.Month | lex.Street | lex.Title | lex.Kin | lex.Keep | lex.Seen | lex.Say
	return t.Kind == lex.Letters && t.Case != lex.Caps && t.To-t.From > 4 && t.Flags&known == 0 && x.hints(i) == 0 && !x.taken(t.From, t.To)
}
