package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// addresses finds where somebody lives: what the tagger says when a number or a
// street is in it, and what is written as addresses are.
func (x *Sheet) addresses() {
	for i := 0; i < len(x.tok); i++ {
		from, to := i, 0
		switch {
		case tag.Kind(x.labels[i]) == tag.AddressFirst:
			to = i + 1
			for to < len(x.tok) && (x.labels[to] == tag.AddressNext) {
				to++
			}
			if x.is(from+1, ",") && to > from+2 && x.officeWord(from) {
				from += 2 // the tagger began at the office: OEB, 2300 Yonge Street
			}
			from = x.boxOfOffice(from, to)
			if last := to; !x.addressLike(from, to) {
				for to = 0; to == 0 && i < last; i++ {
					from, to = x.anchored(i)
				}
				i-- // what was looked at is no start of another
			}
		default:
			if to = x.street(i); to == 0 {
				to = x.postBox(i)
			}
			if to == 0 {
				from, to = x.anchored(i)
			}
		}
		if to == 0 {
			continue
		}
		to = max(x.addressTail(to), x.unitChain(from))
		if from = x.addressHead(from); !x.publicPlace(from, to) {
			x.addAddress(from, to)
		}
		i = max(i, to-1) // what ends at its flat was read up to there
	}
}

// addressHead walks left over a flat or a floor that stands before the street:
// "unit 1904, 55 Harbour Square", "3rd floor, 240 Great Western Road".
func (x *Sheet) addressHead(i int) int {
	if j := x.streetBefore(i); j < i {
		return j
	}
	if i > 1 && x.tok[i].Kind == lex.Digits && x.is(i-1, "-") && !x.tok[i].Space && !x.tok[i-1].Space && x.tok[i-2].Kind == lex.Digits {
		i -= 2 // 86-90 Goulburn Street
	}
	if f, _ := x.unitBehind(i); f > 0 {
		i = f
	}
	i = x.codeBefore(x.houseBefore(x.streetOpener(i)))
	if i < 3 || !x.is(i-1, ",") {
		return i
	}
	a, b := i-3, i-2
	numbered := x.tok[b].Kind == lex.Digits || x.tok[b].Kind == lex.Mixed
	if numbered && oneOf(x.word(a), unitWords) || oneOf(x.word(b), unitWords) && (x.tok[a].Kind == lex.Mixed || x.tok[a].Kind == lex.Digits || oneOf(x.word(a), "ground first second third fourth top")) {
		return a
	}
	return i
}

// streetBefore walks left from token i, where the number of a house was found,
// over the name of the street to the word that heads it: località Pian di Sco.
func (x *Sheet) streetBefore(i int) int {
	j := i - 1
	if j > 1 && oneOf(x.word(j), "lote lt lot") {
		j--
	}
	if x.is(j, ",") {
		j--
	}
	for hops := 0; j >= 0 && hops < 6 && !x.tok[j+1].Line; j, hops = j-1, hops+1 {
		switch {
		case oneOf(x.word(j), streetHeads) && (j < i-1 || oneOf(x.word(j), "località contrada loc")):
			return j
		case oneOf(x.word(j), "lieu-dit lieudit"):
			return j
		case !x.capital(j) && !particle(x.word(j)) && !oneOf(x.word(j), "los las alle alla allo agli ai sul sulla aux"):
			return i
		}
	}
	return i
}

func (x *Sheet) addAddress(from, to int) {
	for to > from && x.tok[to-1].Kind == lex.Sign && !x.is(to-1, ")") {
		to--
	}
	if to == from {
		return
	}
	for k := from; k < min(to, from+3); k++ {
		if start, end := x.corner(k); oneOf(x.word(k), "corner") && end > to {
			from, to = min(from, start), end // both streets of a corner
		}
	}
	a, b, score := x.tok[from].From, x.tok[to-1].To, 0.85
	for k := 0; k < len(x.spans) && x.taken(a, b); k++ {
		s := x.spans[k]
		if s.From >= a && s.To <= b && (s.Type == Name || s.Type == OtherID) {
			score = max(score, s.Score) // a street of the name of a person is a street
		}
	}
	x.add(a, b, Address, "address", score)
}

// addressLike asks of the tagger's find a number, or a street with its kind.
func (x *Sheet) addressLike(from, to int) bool {
	if lawNumberKeys()[x.tok[from].Key] && x.tok[from].Flags&lex.Street == 0 || from > 0 && oneOf(x.word(from-1), "section sections article articles artikel schedule annex") {
		return false // art. 88, 92
	}
	if oneOf(x.wordOr(from-1), "seite page zeile line ziffer punkt página pagina strona p pp") && x.tok[from].Kind == lex.Digits || x.lineOf(from, to) {
		return false // Seite 3, Zeile 41
	}
	if x.tok[from].Kind == lex.Digits && oneOf(x.wordOr(from-1), trackWords) {
		return false // Gleis 12
	}
	if to == from+2 && x.tok[from+1].Kind == lex.Digits && oneOf(x.word(from), "suite room") {
		return false // a door, in whichever house
	}
	if to == from+2 && x.yearLike(from) && peopleKeys()[x.tok[from+1].Key] {
		return false // a 2017 Polish film
	}
	digits, street, words := false, false, false
	if n := x.dateAt(from); n > 2 && from+n >= to && x.ofPaper(from) || x.neutralCitation(from) || x.is(from+1, ",") && x.neutralCitation(from+2) {
		return false
	}
	for i := from; i < to; i++ {
		if x.taken(x.tok[i].From, x.tok[i].To) || (i == to-1 || x.has(i-2, lex.LawWord)) && x.is(i-1, ",") && x.yearLike(i) {
			continue // a reference, or the year of a law
		}
		words = words || x.tok[i].Kind == lex.Letters && x.tok[i].To-x.tok[i].From > 2
		digits = digits || (x.tok[i].Kind == lex.Digits || x.tok[i].Kind == lex.Mixed) && !x.summed(i) && !(x.speech == lex.English && x.modelLike(from, to, i))
		street = street || x.tok[i].Flags&lex.Street != 0 || streetEnd(x.word(i))
	}
	if x.speech == lex.English && !digits && oneOf(x.word(from), "via") {
		return false
	}
	return digits && words || street && to-from > 1
}

// trackWords stand before numbers of stations and trains.
const trackWords = "gleis platform voie quai vía andén plataforma binario spoor peron tor wagen coach voiture coche vagón carrozza rijtuig wagon gate"

// summed tells whether the number at i is part of a sum or counts something: 12,90 €,
// 65 Minuten, 23,118 kWh.
func (x *Sheet) summed(i int) bool {
	if x.is(i-1, ",.") && i > 1 && !x.tok[i].Space && !x.tok[i-1].Space && x.tok[i-2].Kind == lex.Digits {
		i -= 2
	}
	to := i
	for to+2 < len(x.tok) && x.is(to+1, ",.") && !x.tok[to+1].Space && !x.tok[to+2].Space && x.tok[to+2].Kind == lex.Digits {
		to += 2
	}
	end := x.tok[to].To
	return x.countedThing(end) && !x.has(to+1, lex.Month) || to > i && x.isMoney(x.tok[i].From, end)
}

// lineOf tells whether a line of a form is counted: N, Zeile 45. A Zeile is a street
// too, but hardly ever by that word alone.
func (x *Sheet) lineOf(from, to int) bool {
	for i := from; i < to; i++ {
		if oneOf(x.word(i), "zeile") && !(x.capital(i-1) && x.tok[i-1].To-x.tok[i-1].From > 1) {
			return true
		}
	}
	return false
}

// ofPaper tells whether the day at token i is that of a paper named right before:
// invoice of 12 May 2023. Other days the tagger takes for addresses go, for they
// may be days of treatment.
func (x *Sheet) ofPaper(i int) bool {
	for j := max(0, i-3); j < i; j++ {
		if _, n := x.cueAt(j); n > 0 {
			return true
		}
	}
	return false
}

// neutralCitation tells whether 2021 ONSC 1234 starts at token i, a ruling.
func (x *Sheet) neutralCitation(i int) bool {
	return i+2 < len(x.tok) && x.yearLike(i) && x.tok[i+1].Kind == lex.Letters && x.tok[i+1].Case == lex.Caps && x.tok[i+1].To-x.tok[i+1].From > 1 && x.tok[i+2].Kind == lex.Digits
}

// modelLike tells whether the number at i belongs to one word, as the type of a
// thing or the year of a rule book does: Itron 100G, Incoterms 2020.
func (x *Sheet) modelLike(from, to, i int) bool {
	return i == from+1 && x.tok[from].Kind == lex.Letters && (to == i+1 && x.tok[i].Kind == lex.Mixed || x.yearLike(i) || x.has(from, lex.Org))
}

// yearLike tells whether a token may be a year.
func (x *Sheet) yearLike(i int) bool {
	w := x.word(i)
	return x.tok[i].Kind == lex.Digits && len(w) == 4 && (w[:2] == "19" || w[:2] == "20")
}

// streetEnd knows compounds of German and Dutch.
func streetEnd(w string) bool {
	low := strings.ToLower(w)
	for _, end := range []string{"straße", "strasse", "str", "weg", "gasse", "platz", "allee", "ufer", "damm", "ring", "chaussee", "straat", "laan", "plein", "gracht", "kade", "singel", "dreef", "hof", "steeg", "katu", "tie", "gatan", "vägen", "vej", "gade", "veien", "utca", "gata"} {
		if strings.HasSuffix(low, end) && len(low) > len(end)+2 {
			return true
		}
	}
	return false
}

// house tells whether a token is the number of a house: 22, 12a, 4-6.
func (x *Sheet) house(i int) bool {
	if i < 0 || i >= len(x.tok) || x.taken(x.tok[i].From, x.tok[i].To) {
		return false
	}
	t := x.tok[i]
	return t.Kind == lex.Digits && t.To-t.From <= 5 || t.Kind == lex.Mixed && t.To-t.From <= 5 && isDigit(x.s[t.From])
}

// street reads a street with a house number at token i, either side, and returns
// the token behind it.
func (x *Sheet) street(i int) int {
	if x.house(i) {
		return x.numberFirst(i)
	}
	if x.tok[i].Kind != lex.Letters || x.tok[i].Case == lex.Lower && x.tok[i].Flags&lex.Street == 0 {
		return 0
	}
	if streetEnd(x.word(i)) && x.capital(i) {
		j := i + 1
		if x.is(j, ".") {
			j++
		}
		if x.house(j) && x.tok[j].Space && !x.countedThing(x.tok[j].To) {
			return j + 1
		}
	}
	if x.tok[i].Flags&lex.Street != 0 && oneOf(x.word(i), streetHeads) {
		return x.streetFirst(i)
	}
	return x.namedStreet(i)
}

// streetHeads stand before the name of a street.
const streetHeads = "rue avenue boulevard chemin impasse quai place allée route calle avenida avda plaza paseo carrera camino carretera ronda rua travessa alameda praça largo estrada via viale piazza corso vicolo ulica ul aleja al aleje plac osiedle os c av piazzale calçada beco ladeira rodovia privada cerrada prolongación pasaje glorieta cuesta travesía urbanización urb polígono loc località contrada strada borgo fondamenta cours sente square cité résidence lotissement hameau pl jr jirón praceta provinciale statale comunale vicinale"

// streetFirst is Calle Mayor 12, via Roma, 5, ul. Długa 3/4.
func (x *Sheet) streetFirst(i int) int {
	j, names := i+1, 0
	for j < len(x.tok) && j-i < 8 {
		switch {
		case x.capital(j):
			names++
		case x.house(j) && names > 0 || names > 0 && oneOf(x.word(j), "snc"):
			return j + 1
		case names > 0 && x.word(j) == "s" && x.is(j+1, "/") && x.wordOr(j+2) == "n":
			return j + 3 // sin número
		case x.is(j, ".,'ºª°-/") || particle(x.word(j)) || oneOf(x.word(j), "nº no nr número lote lt km del dell delle dei degli sur aux los las alle alla") || x.word(j) == "n" || x.word(j) == "o" || x.word(j) == "l" || x.word(j) == "d":
		case x.tok[j].Kind == lex.Digits && names == 0: // via 20 Settembre
		default:
			return 0
		}
		j++
	}
	return 0
}

// namedStreet is a street of two words with its number behind: Berliner Straße 5.
func (x *Sheet) namedStreet(i int) int {
	if !x.capital(i) || i+2 >= len(x.tok) || x.tok[i+1].Flags&lex.Street == 0 || !x.capital(i+1) {
		return 0
	}
	j := i + 2
	if x.is(j, ".") {
		j++
	}
	if x.house(j) && x.tok[j].Space && oneOf(x.word(i+1), "straße strasse str weg allee platz gasse ring ufer damm chaussee straat laan plein") {
		return j + 1
	}
	return 0
}

// numberFirst is 4127 Maple Grove Ave or 22 Rosebery Gardens.
func (x *Sheet) numberFirst(i int) int {
	j, names := i+1, 0
	if x.is(j, ",") {
		j++
	}
	if oneOf(x.wordOr(j), "bis ter quater") {
		j++
	}
	if oneOf(x.wordOr(j), "rue avenue av boulevard bd chemin impasse quai place allée route") {
		for k := j + 1; k < len(x.tok) && k-j < 7; k++ {
			if x.capital(k) {
				k++
				for k < len(x.tok) && (x.capital(k) || x.is(k, "-'")) && !x.tok[k].Line {
					k++
				}
				return k
			}
			if !particle(x.word(k)) && !x.is(k, "'-") && !oneOf(x.word(k), "l d rue avenue") {
				return 0
			}
		}
		return 0
	}
	for j < len(x.tok) && j-i < 6 && !x.tok[j].Line {
		t := x.tok[j]
		street := t.Flags&lex.Street != 0 && t.Case != lex.Lower || t.Flags&lex.Street != 0 && names > 0 && oneOf(x.word(j), "street avenue road lane drive boulevard st ave rd ln dr blvd")
		if street && names > 0 {
			if x.is(j+1, ".") {
				j++
			}
			return j + 1
		}
		if !x.capital(j) && !ordinal(x.word(j)) && !x.is(j, ".'") {
			return 0
		}
		names++
		j++
	}
	return 0
}

func (x *Sheet) wordOr(i int) string {
	if i < 0 || i >= len(x.tok) {
		return ""
	}
	return x.word(i)
}
