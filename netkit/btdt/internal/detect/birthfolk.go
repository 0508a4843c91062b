package detect

import (
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// beingOf are, by language, the words of "is from" that give the year of somebody:
// mio nonno è del 1939, mijn opa is van 1936, mama jest z 1944.
const beingOf = " è del| è dell| es del| es de| é de| é do| is van| is uit| est de| est du| jest z| ist von| era del| era de| was van| était de| war von| była z| był z|"

// birthOf marks the date or year at token i, n tokens of it, when the words before
// say that somebody is from then. It runs when the names are known.
func (x *Sheet) birthOf(i, n, year int) {
	j := i - 1
	if x.is(j, "'") {
		j-- // è del '41, dell'8 maggio
	}
	if j < 2 || year == 0 || year >= grownUp || x.taken(x.tok[i].From, x.tok[i+n-1].To) {
		return
	}
	if strings.Contains(beingOf, strings.ToLower(" "+x.word(j-1)+" "+x.word(j)+"|")) && x.somebodyEnds(j-2) {
		x.add(x.tok[i].From, x.tok[i+n-1].To, DOB, "birth_of", 0.85)
		return
	}
	// (van 1936), mamma del 1943: right behind kin.
	bracket := x.is(j-1, "(") && x.is(i+n, "),") && x.folk(j-2)
	if (bracket || year < oldFolk && x.folk(j-1) && x.somebodyEnds(j-1)) && oneOf(x.word(j), "van uit del de du do z von from") {
		x.add(x.tok[i].From, x.tok[i+n-1].To, DOB, "birth_of", 0.85)
	}
}

// folkWords are close words for kin, which the word table has for others as well.
const folkWords = "papà papa mamma mamá mama mum mom dad nan nana gran granny grandma grandpa granddad oma opa omi opi nonno nonna abuela abuelo avó avô vovó vovô mamie papi papy mémé pépé tata babcia dziadek mamusia tato"

// folk tells whether kin or a child stands at token i.
func (x *Sheet) folk(i int) bool {
	return x.has(i, lex.Kin) || i >= 0 && (oneOf(x.word(i), childWords) || oneOf(x.word(i), folkWords))
}

// somebodyEnds tells whether kin, of whom nothing else is told, or a name that was
// found ends at token i: mia madre è del 1943, but la lettera di mia madre è del 1998.
func (x *Sheet) somebodyEnds(i int) bool {
	if x.folk(i) {
		const of = "di de do da van of z von du"
		return !(i > 0 && oneOf(x.word(i-1), of)) && !(i > 1 && oneOf(x.word(i-2), of))
	}
	to := x.tok[i].To
	return slices.ContainsFunc(x.spans, func(s Span) bool { return s.Type == Name && s.To == to })
}

// yearAt is the year that stands alone at token i, 0 where none does: 1939, '41.
func (x *Sheet) yearAt(i int) int {
	t := x.tok[i]
	switch {
	case t.Kind != lex.Digits || x.is(i+1, "/-.") && i+2 < len(x.tok) && !x.tok[i+2].Space && x.tok[i+2].Kind == lex.Digits:
		return 0
	case isYear(x.word(i)):
		return x.number(i)
	case t.To-t.From == 2 && x.is(i-1, "'") && !t.Space:
		return 1900 + x.number(i)
	}
	return 0
}

// identityPapers show the day of birth of their owner.
const identityPapers = "passport aadhaar licence license certificate card pan nin ausweis personalausweis reisepass pass geburtsurkunde dni nie pasaporte cédula partida acta passeport cni acte livret certidão bilhete rg cpf passaporto documento patente paspoort rijbewijs dowód dowodzie paszport paszporcie akt akcie metryka metryce"

// paperSays tells whether the date at token i is what an identity paper says.
func (x *Sheet) paperSays(i, year int) bool {
	if year == 0 || year >= grownUp {
		return false
	}
	said := false
	for j := i - 1; j >= 0 && j >= i-5 && !x.tok[j+1].Line && !x.is(j, ".;"); j-- {
		said = said || oneOf(x.word(j), contrasts)
		if oneOf(x.word(j), "expires expired issued valid until gültig ausgestellt délivré délivrée expire caduca expedido expedida emitido emitida rilasciato rilasciata scaduto scaduta verlopen afgegeven wydany wydana ważny ważna") {
			return false
		}
		if oneOf(x.word(j), identityPapers) {
			return said
		}
	}
	return false
}

// bornDate is a date of a text, from one token to the one behind it.
type bornDate struct {
	from, to, year int
	born           bool
}

// contradictions marks the dates that stand against a day of birth: records showed
// 01/01/1979 while the passport says 17/08/1981. A year alone stays: that it is wrong
// is all that it tells.
func (x *Sheet) contradictions() {
	var all []bornDate
	births := 0
	for i := 0; i < len(x.tok); i++ {
		n := x.dateAt(i)
		if n < 3 || x.yearOf(i, n) == 0 {
			continue
		}
		d := bornDate{from: i, to: i + n, year: x.yearOf(i, n)}
		from, to := x.tok[i].From, x.tok[i+n-1].To
		d.born = x.taken(from, to) && slices.ContainsFunc(x.spans, func(s Span) bool { return s.Type == DOB && s.From < to && s.To > from })
		if !d.born && !x.taken(from, to) && x.paperSays(i, d.year) {
			x.add(from, to, DOB, "birth_on_paper", 0.8)
			d.born = true
		}
		if d.born {
			births++
		}
		all = append(all, d)
		i += n - 1
	}
	if births == 0 {
		return
	}
	for k := 1; k < len(all); k++ {
		a, b := all[k-1], all[k]
		from, to := x.tok[b.from].From, x.tok[b.to-1].To
		other := b
		if b.born {
			from, to, other = x.tok[a.from].From, x.tok[a.to-1].To, a
		}
		if a.born != b.born && other.year < grownUp && !x.taken(from, to) && x.against(a, b) {
			x.add(from, to, DOB, "birth_pair", 0.8)
			all[k-1].born, all[k].born = true, true
		}
	}
}

// against tells whether the words between two dates say that one of them is wrong.
// Years of the same digits are the slip of a pen.
func (x *Sheet) against(a, b bornDate) bool {
	from, to := a.to, b.from
	if to-from > 12 {
		return false
	}
	said := swapped(a.year, b.year)
	for j := from; j < to; j++ {
		if x.tok[j].Line || x.is(j, ".") && !x.abbreviated(j) {
			return false
		}
		said = said || oneOf(x.word(j), contrasts)
	}
	return said
}

// swapped tells whether two years of one century have their last digits swapped.
func swapped(a, b int) bool {
	return a != b && a/100 == b/100 && a%100/10 == b%10 && a%10 == b%100/10
}
