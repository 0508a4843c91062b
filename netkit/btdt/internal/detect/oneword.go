package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// objects follow a verb and hardly ever the name of a person.
const objects = "the this that these those them they we you it him his their your an my our everything everyone anyone nothing"

// ordinary is what a word is that may well be no name.
const ordinary = lex.Word | lex.Foreign | lex.Keep | lex.Month | lex.Role | lex.OrgWord | lex.LawWord | lex.Ill | lex.Care

// plausibleWord judges a single word, which has nothing beside it to lean on.
func (x *Sheet) plausibleWord(from, to int) bool {
	t := x.tok[from]
	known, plain := t.Flags&(lex.Given|lex.Surname) != 0, t.Flags&ordinary != 0
	switch {
	case t.To-t.From < 2 || politeKeys()[t.Key] && x.capital(to) && !x.tok[to].Line:
		return false // Herr, before a name that the tagger took for another
	case x.titleBefore(from):
		return true
	case t.Flags&lex.Word != 0 && to < len(x.tok) && x.tok[to].Kind == lex.Digits && x.tok[to].To-x.tok[to].From < 4 && x.dateAt(to) == 0 && !x.is(to+1, ".,/-"):
		return false // Ward 54
	case !known && (t.Flags&lex.Medicine != 0 || x.speech == lex.English && branded(x.word(from))):
		return false // Laborwerte, Studentcare
	case !known && (x.thingWord(from) || x.announces(from)) || compoundThing(x.word(from)):
		return false
	case functionKeys()[t.Key] || x.tongue() == italian && oneOf(x.word(from), "nel dal dai") || t.Flags&lex.Month != 0 && x.is(from-1, ".") && from > 1 && x.tok[from-2].Kind == lex.Digits:
		return false
	case t.Flags&lex.Word != 0 && x.sentenceStart(from) && to < len(x.tok) && x.tok[to].Case == lex.Lower && (oneOf(x.word(to), objects) || x.word(to) == "a" && x.speech == lex.English):
		return false // an order or a question: Mark the envelope, Will they pay
	case t.Flags&lex.Place != 0 && !known || t.Flags&lex.Month != 0 && t.Flags&lex.Given == 0:
		return false
	case t.Flags&lex.Month != 0 && oneOf(x.wordOr(from-1), "since until till through by mid late early every last next vom im seit ab bis ende anfang mitte ende en du depuis début fin mi em desde até del di da dal od do van sinds eind begin half") || oneOf(x.word(from), "january february july september october november december"):
		return false // back to January
	case t.Flags&lex.Place != 0 && x.is(from-1, ",") && (x.lead[from]+x.evidence(from) < 150 || x.Field == "key_contacts" && x.lead[from] < 400):
		return false // the place behind a name
	case !known && t.Flags&lex.Seen != 0 && x.is(from-1, ",") && tag.Kind(x.labels[from-1]) == tag.NameFirst && x.evidence(from) <= 0:
		return false // a firm behind a comma that the tagger began at
	case x.gathering(from):
		return false // Hola Equipo
	case x.ruledFrom(from):
		return false // Victoria's ombudsman
	case x.namedThing(from) || x.firmsOwn(from):
		return false // tempête Ciarán, Lidls Antwort
	case x.speech != lex.Other && countryKeys()[t.Key], x.tellsHome(from), !known && x.firmFrame(from, to) || x.adjective(from, to):
		return false
	case t.Flags&lex.Place != 0 && x.placeOf(from):
		return false // Consumer Affairs Victoria, Tenants' Union of Victoria
	case t.Case == lex.Lower && plain && t.Flags&lex.Given == 0:
		return false
	case t.Flags&lex.Foreign != 0 && x.sentenceStart(from) && x.governs(from, to):
		return false // Dien een klacht in
	case !known && x.sentenceStart(from) && (plain || x.governs(from, to) || x.speech == lex.English && to < len(x.tok) && x.tok[to].Case == lex.Lower && x.tok[to].Space && !(x.is(from-1, ".") && x.capital(from-2)) && joinedWords(x.word(from))):
		return false // Exija el recibo
	case t.Flags&lex.Foreign != 0 && !known && t.Flags&lex.Word == 0 && !x.shouted() && (x.lead[from] < 60 || x.speech != lex.English && x.lead[from] < 160):
		return false // a noun, as German writes them
	case x.abbreviation(t) && !x.shouted() || from > 0 && oneOf(x.word(from-1), "bic swift"):
		return false
	}
	return x.lead[from]+x.evidence(from) >= x.needed(from)
}

// announces tells whether the word at i is one that a number follows: Renavam.
func (x *Sheet) announces(i int) bool {
	c, n := x.cueAt(i)
	return n == 1 && (c.strong || x.sentenceStart(i))
}

// manual tells whether a word of short capitals with dashes is part of some words,
// the place of a manual, BOI-IR-RICI, or starts them with a word before a number.
func (x *Sheet) manual(from, to int) bool {
	if x.shouted() {
		return false
	}
	if _, ok := x.tail(from); ok && !x.titleBefore(from) && upper(x.word(from)[:2]) {
		return true // UWV-kenmerk B-44188/LK
	}
	for i := from; i < to; i++ {
		if x.tok[i].Case != lex.Caps || strings.Count(x.word(i), "-") < 2 {
			continue
		}
		for part := range strings.SplitSeq(x.word(i), "-") {
			if len(part) < 3 {
				return true
			}
		}
	}
	return false
}

// placeOf tells whether a place ends the name of an organisation or office.
func (x *Sheet) placeOf(i int) bool {
	j := i - 1
	if j > 0 && oneOf(x.word(j), "of de di do da") {
		j--
	}
	if j >= 0 && (functionKeys()[x.tok[j].Key] || x.saluted(i)) {
		return false // I'm Paris; Dear Barry
	}
	const name = lex.Given | lex.Surname | lex.Title | lex.Kin
	return x.capital(j) && !x.tok[i].Line && x.tok[j].Flags&(lex.Word|lex.Foreign|lex.OrgWord) != 0 && (j < i-1 || x.tok[j].Flags&name == 0)
}

// needed is how clearly the tagger must see a name in a single word: less in one
// that is known as a name and as nothing else.
func (x *Sheet) needed(i int) int32 {
	f := x.tok[i].Flags
	need := int32(0)
	switch {
	case f&(lex.Given|lex.Surname) == 0 && x.speech == lex.Other && x.tok[i].Case != lex.Lower:
		need = 120 // the lists hold less of other languages
	case f&(lex.Given|lex.Surname) == 0:
		need = 40
	case f&lex.Given == 0:
		need = 20
	}
	if f&ordinary != 0 {
		need += 80
		if x.sentenceStart(i) && !x.entry(i) && !x.is(i+1, "'") && !x.has(i+1, lex.Say) && i+1 < len(x.tok) && x.tok[i+1].Kind == lex.Letters && x.tok[i+1].Case == lex.Lower {
			need += 80 // Bill cut to 604, Grant back from June
		}
	}
	if f&lex.Given == 0 && x.speech == lex.Other && x.sentenceStart(i) {
		need += 80
	}
	if f&(lex.Given|lex.Org|lex.Seen) == 0 && f&(lex.Surname|ordinary) != lex.Surname && x.speech == lex.Other && x.sentenceStart(i) && i+1 < len(x.tok) && !x.acts(i) {
		if need += 120; f&lex.Surname == 0 {
			need += 30
		}
	}
	if f&(lex.Given|lex.Surname) == 0 && x.Field == "key_contacts" {
		need += 150 // a firm or a charity as often as a person
	}
	if f&lex.Given == 0 && (f&lex.Foreign != 0 && x.tongue() == german || f&lex.Noun != 0 && x.speech == lex.Unsure && x.Field != "key_contacts") {
		need += 150 // Bein, as German writes its nouns
	}
	if f&lex.Place != 0 {
		need += 60
	}
	if f&(lex.Org|lex.Seen) != 0 && !x.personal(i) {
		need += 180
	}
	if f&lex.OrgWord != 0 && f&lex.Given == 0 {
		need += 200 // Bank said no
	}
	if i > 0 && x.speech == lex.Other && oneOf(x.word(i-1), articles) && (f&lex.Given == 0 || f&lex.Foreign != 0) {
		need += 80
		if f&lex.Noun != 0 {
			need += 160 // die Stelle
		}
	}
	return need
}

// articles stand before nouns in German, rarely before a surname.
const articles = "der die das den dem des kein keine keinen keinem keiner ein eine einen einem einer im am zum zur vom beim ins"

// abbreviation tells whether capitals stand for something else than a name, an s of
// the plural behind them or none.
func (x *Sheet) abbreviation(t lex.Token) bool {
	size := t.To - t.From
	if head, ok := strings.CutSuffix(x.s[t.From:t.To], "s"); ok && len(head) > 1 && size < 7 && upper(head) {
		return true // CSVs
	}
	if strings.Contains(x.s[t.From:t.To], "-") && t.Case == lex.Caps {
		return size <= 12 // RIO-UNIGE
	}
	return t.Case == lex.Caps && (size <= 4 || size <= 7 && t.Flags&(lex.Given|lex.Surname) == 0)
}

// auxiliaries start sentences whose subject follows the verb: Hanno firmato tutti.
const auxiliaries = "sono hanno ha abbiamo ont sont haben hat "

// functionKeys are small words that start sentences and hardly ever name anyone
// alone, though some of them are given names.
var functionKeys = sync.OnceValue(func() map[uint64]bool {
	return keySet(auxiliaries + "davon daraus darum dahinter daneben hiermit hierzu dazwischen wofür womit wozu warum wieso weshalb wann wohin woher welche welcher jede jeder jedes alle alles etwas nichts viel viele mehr einige manche beide solche come es sie ich wir du mir mich uns euch hij zij ze wij ik jij men je nello nella nei negli nelle sul sullo sulla sui sugli sulle dallo dalla dagli dalle del dello degli al allo alla agli man darin daran darauf darüber dabei damit danach davor dafür dagegen dazu deshalb deswegen daher dadurch dort dann denn doch erst jetzt trotzdem zuerst zuletzt sonst daar hier toen dan dus omdat daarna daarom nu straks alors puis ensuite donc car dès enfin ainsi luego entonces después así aquí depois então assim aqui poi allora così qui quindi dopo potem wtedy więc tam tutaj dlatego teraz bt-drs tel fax assunto asunto betreff betreft dotyczy oggetto objet subject just god thank thanks please danke merci hola ciao cześć niemand jemand keiner personne nadie ninguém nessuno nikt nobody somebody someone my mine me as to if in on at the sir of off by for from with and or but so no not nor yes all any both each few more most much many this that these those they them their there then than thus it its he she his her hers him we us our ours you your yours i i'm i'll i've i'd don't we'll you'll can could shall should would must might do did does done was were been being have has had having are is am be get got let lets send sent ask asked call called tell told pay paid take took make made keep kept put say said note ein eine der die das den dem des und oder aber wenn weil als wie wo wer im zum zur mein meine dein sein seine ihr ihre unser kein keine nicht nur auch noch schon le les un une et ou mais si que quoi mon ma mes ton ta son sa ses notre votre leur ce cet cette il elle nous vous ils elles el los las una unos unas y o pero mi mis tu tus su sus nuestro este esta ese esa os um uma umas e mas se meu minha seu sua nosso esse essa dela dele lo gli uno ed mio mia miei mie tuo tua suo loro nostro questo quella het een en maar mijn jouw zijn haar ons hun dit dat deze nie ela ele elas eles você vocês eu nós fosse foi era ser ter tuesday thursday saturday pourquoi parce comment quand bless dear gentile caro cara querido querida kochana drogi droga estimado estimada prezado prezada liebe lieber liebes beste geachte egregio tak ten te ci jak gdy po za od na oraz ale lub nic")
})
