package detect

import (
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// anchored finds an address by what only addresses hold at token i, though its
// street has a name that tells nothing: a flat behind a number, a postal code
// behind a house, an army post office, the corner of two streets, or the words
// that say where somebody lives. It returns the first token and the one behind,
// or 0, 0.
func (x *Sheet) anchored(i int) (from, to int) {
	t := x.tok[i]
	switch {
	case t.Kind == lex.Digits || t.Kind == lex.Mixed:
		return x.houseBeforeCode(i)
	case t.Kind != lex.Letters || !anchorKeys()[t.Key]:
		return 0, 0
	case oneOf(x.word(i), "apo fpo dpo"):
		return x.armyPost(i)
	case oneOf(x.word(i), "corner"):
		return x.corner(i)
	case oneOf(x.word(i), behindUnits):
		return x.unitBehind(i)
	case oneOf(x.word(i), chainHeads):
		if to = x.unitChain(i); t.Case != lex.Lower {
			return i, to
		}
	case oneOf(x.word(i), "os") && !x.is(i+1, "."): // an article of Portuguese
	default:
		if to = x.streetFirst(i); to > 0 && !x.yearLike(to-1) {
			return i, to
		}
	}
	return 0, 0
}

const (
	behindUnits = "suite ste apt apartment"
	chainHeads  = "flat plot house door shop villa"
)

var anchorKeys = sync.OnceValue(func() map[uint64]bool {
	return keySet("apo fpo dpo corner " + behindUnits + " " + chainHeads + " " + moreHeads)
})

// moreHeads stand before the name of a street or place with a house, and mean
// other things as well.
const moreHeads = "salita lungarno lungotevere rampa traversa frazione cascina rambla callejón costanilla bulevar vereda barriada carrer passeig sentier passage esplanade montée venelle ruelle faubourg azinhaga rotunda bairro quinta alei ulicy ulicę placu osiedlu os bulwar rynek"

// unitChain is the token behind an address that goes from its flat or plot at i
// over parts in capitals to a postal code: Flat No. 9, Second Floor, Gokul Dham
// Society, Mumbai 400063.
func (x *Sheet) unitChain(i int) int {
	if !oneOf(x.word(i), chainHeads) {
		return 0
	}
	j, parts := i+1, 0
	for x.is(j, ".") || oneOf(x.wordOr(j), "no nr number") {
		j++
	}
	if j >= len(x.tok) || x.tok[j].Kind != lex.Digits && x.tok[j].Kind != lex.Mixed || x.tok[j].To-x.tok[j].From > 5 {
		return 0
	}
	for j++; j < len(x.tok) && j < i+28; j++ {
		t := x.tok[j]
		switch {
		case x.is(j, ","):
			parts++
		case parts > 1 && t.Kind == lex.Digits && t.To-t.From >= 5 && t.To-t.From <= 6:
			return j + 1
		case x.is(j, "./-#()&'"), t.Kind == lex.Digits, t.Kind == lex.Mixed, x.capital(j), oneOf(x.word(j), "of near opp off behind the and"):
		default:
			return 0
		}
	}
	return 0
}

// armyPost is APO AE 09128 at token i, with the box or ship before it: PSC 4417,
// Box 220.
func (x *Sheet) armyPost(i int) (from, to int) {
	if i+2 >= len(x.tok) || !oneOf(x.word(i+1), "aa ae ap") || x.tok[i+2].Kind != lex.Digits || x.tok[i+2].To-x.tok[i+2].From != 5 {
		return 0, 0
	}
	from = i
	for j := i - 1; j >= 0 && j >= i-7; j-- {
		switch {
		case x.is(j, ",>?"), x.tok[j].Kind == lex.Digits, oneOf(x.word(j), "box"):
		case oneOf(x.word(j), "psc unit cmr uss usns usnv usv uscgc"):
			from = j
		case x.tok[j].Kind == lex.Letters && j > 0 && oneOf(x.word(j-1), "uss usns usnv usv uscgc"):
		default:
			return from, i + 3
		}
	}
	return from, i + 3
}

// corner is that of two streets, one with the number of a house: corners without
// one are where everybody may stand.
func (x *Sheet) corner(i int) (from, to int) {
	if !oneOf(x.wordOr(i+1), "of") {
		return 0, 0
	}
	j, small, joint, number := i+2, x.small(), 0, false
	part := func(j int) bool {
		t := x.tok[j]
		lower := t.Flags&lex.Street != 0 || oneOf(x.word(j), streetHeads) || joint == 0 && (x.house(j+1) || x.house(j-1))
		return t.Kind == lex.Digits || t.Kind == lex.Mixed || x.capital(j) || particle(x.word(j)) || t.Kind == lex.Letters && (small || lower)
	}
	for ; j < len(x.tok) && j < i+16 && (joint == 0 || j < joint+6); j++ {
		switch {
		case oneOf(x.word(j), "and") || x.is(j, "&"):
			if joint > 0 {
				return 0, 0
			}
			joint = j
		case x.is(j, "-'/") || x.is(j, ".") && (joint == 0 || !x.sentenceEnd(j)):
		case x.tok[j].Line || !part(j):
			if joint == 0 || joint+1 == j || !number {
				return 0, 0
			}
			return x.articled(i), j
		default:
			number = number || x.house(j) && !ordinal(x.word(j))
		}
	}
	if joint == 0 || joint+1 == j || !number {
		return 0, 0
	}
	return x.articled(i), j
}

// articled is token i, or the article before it.
func (x *Sheet) articled(i int) int {
	if oneOf(x.wordOr(i-1), "the") {
		return i - 1
	}
	return i
}

// unitBehind is a street without a word for it, with the suite or flat at token i:
// 8514 Lyngveien 46 Apt. 085. A number must stand before the flat.
func (x *Sheet) unitBehind(i int) (from, to int) {
	if !oneOf(x.word(i), behindUnits) || !x.unitFollows(i) {
		return 0, 0
	}
	j, line, small := i-1, x.tok[i].Line, x.small()
	for j >= 0 && x.is(j, ">?") && x.tok[j+1].Line {
		j, line = j-1, true // the marks of quoted mail
	}
	words, number, last := 0, false, i
	for ; j >= 0 && i-j < 14; j-- {
		t := x.tok[j]
		switch {
		case t.Kind == lex.Digits || t.Kind == lex.Mixed:
			if t.To-t.From > 6 {
				return 0, 0
			}
			number, last = true, j
		case x.held[j] && t.Flags&lex.Street == 0:
			j = -1
			continue
		case x.capital(j) || small && t.Kind == lex.Letters && !functionKeys()[t.Key] && words < 4:
			if !(number && x.taken(t.From, t.To) && last == j+1) {
				last = j
			}
			words++
		case particle(x.word(j)) || x.is(j, ",.-/'#"):
		default:
			j = -1
			continue
		}
		if t.Line {
			if !line || number {
				break
			}
			line = false
		}
	}
	if !number || words == 0 || last == i {
		return 0, 0
	}
	return last, i
}

// houseBeforeCode is a street of any name with its house at token i and a postal
// code and town behind a comma: Unter den Eichen 5, 65195 Wiesbaden; or one behind
// words that say where somebody lives.
func (x *Sheet) houseBeforeCode(i int) (from, to int) {
	if !x.house(i) || x.yearLike(i) || x.countedThing(x.tok[i].To) || i < 1 || !x.tok[i].Space || x.tok[i].Line {
		return 0, 0
	}
	n := 0
	if x.is(i+1, ",") && i+2 < len(x.tok) {
		n = x.postalCode(i + 2)
	}
	coded := n > 0 && x.capital(i+2+n) && (n > 1 || x.tok[i+2].To-x.tok[i+2].From == 5 || x.speech != lex.English && !x.yearLike(i+2))
	from = x.streetName(i)
	if from == i || !coded && !x.livesBefore(from) && !x.opened(from, i) || !coded && x.has(i-1, lex.Word|lex.Month) && !x.has(i-1, lex.Street) {
		return 0, 0
	}
	return from, i + 1
}

// opened tells whether a German street starts with a preposition that has a capital
// within a sentence: für Am Graben 7.
func (x *Sheet) opened(from, house int) bool {
	return x.speech != lex.English && house-from > 1 && house-from < 4 && !x.sentenceStart(from) && x.capital(from) && oneOf(x.word(from), "am an auf bei beim hinter im in unter zum zur") && x.capital(house-1)
}

// streetOpeners stand before the other words of a street's name in German.
const streetOpeners = "am an auf auf'm bei beim hinter im in unter vor zu zum zur weg"

// streetName is the first token of the name of a street that ends before i.
func (x *Sheet) streetName(i int) int {
	first := i
	for j := i - 1; j >= 0 && j >= i-5; j-- {
		switch {
		case x.capital(j) && !x.taken(x.tok[j].From, x.tok[j].To) && !x.held[j] || x.capital(j) && (x.has(j, lex.Street) || x.has(i-1, lex.Street)):
			first = j
		case particle(x.word(j)) || x.is(j, "-'"):
		case x.tok[j].Case == lex.Lower && x.tok[j].Kind == lex.Letters && x.capital(j-1) && oneOf(x.word(j-1), streetOpeners) && !x.sentenceStart(j-1):
		default:
			return first
		}
		if x.tok[j].Line {
			return first
		}
	}
	return first
}

// livesBefore tells whether the words before token i say that somebody lives there.
func (x *Sheet) livesBefore(i int) bool {
	if x.is(i-1, ":") {
		return oneOf(x.wordOr(i-2), "address adresse anschrift dirección domicilio endereço morada indirizzo residenza adres")
	}
	if !oneOf(x.wordOr(i-1), "at on in is to bei unter der an au en na op de het aan przy pod it") && !oneOf(x.wordOr(i-1), livingWords) {
		return false
	}
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		if oneOf(x.word(j), livingWords) {
			return true
		}
	}
	return false
}

// livingWords say that what follows is where somebody lives.
const livingWords = "live lives living lived reside resides residing address home wohne wohnt wohnhaft wohnen adresse anschrift gemeldet habite habitent demeure domicilié domiciliée vivo vive viven reside domicilio moro mora moram resido abito abita risiede woon woont wonen gevestigd mieszka mieszkam mieszkają zamieszkały zamieszkała zameldowany"

// streetOpener walks left from a street that starts at token i with a capital over
// what its name starts with: Unter den Eichen, Burgemeester Reigerlaan.
func (x *Sheet) streetOpener(i int) int {
	if !x.capital(i) || x.tok[i].Line {
		return i
	}
	for j := i - 1; j > 0 && j >= i-3; j-- {
		if x.capital(j) && (!x.sentenceStart(j) || x.is(j-1, ":")) && !x.held[j] && (oneOf(x.word(j), streetOpeners) || j == i-1 && oneOf(x.word(j), streetTitles)) {
			return j
		}
		if x.tok[j].Line || x.tok[j].Case != lex.Lower || x.tok[j].Kind != lex.Letters || x.tok[j].Flags&lex.Say != 0 {
			return i
		}
	}
	return i
}

// streetTitles stand right before the rest of a street's name.
const streetTitles = "burgemeester doctor dokter doktor professor prof dr sint st sankt koning koningin van prins prinses generaal general pastoor pastor pater meester kapitein admiraal de het den oude nieuwe lange korte grote kleine brede hoge lage alte alter neue neuer große kleiner breite obere untere hintere vordere weg"

// blockTail walks over lines below that go on an address in capitals and numbers
// alone, to the last one with a postal code.
func (x *Sheet) blockTail(i int) int {
	if i >= len(x.tok) || !x.tok[i].Line {
		return i
	}
	end, lines, words := i, 0, 0
	for j := i; j < len(x.tok) && j < i+14; j++ {
		t := x.tok[j]
		if t.Line {
			if lines++; lines > 3 {
				break
			}
			words = 0
		}
		switch n := x.postalCode(j); {
		case n > 0 && words > 0 && (j+n == len(x.tok) || x.tok[j+n].Line || x.is(j+n, ".")):
			return j + n
		case x.capital(j) && t.Flags&(lex.Title|lex.Kin|lex.Month) == 0 && !x.is(j+1, ":"):
			words++
		case particle(x.word(j)) || x.is(j, ",()-'"):
		default:
			return end
		}
	}
	return end
}

// sideOfHouse tells whether token i is where in a house a flat lies, behind a
// number or a floor: EG rechts, 5.º Esq. Frente.
func (x *Sheet) sideOfHouse(i int) bool {
	w := x.word(i)
	if oneOf(w, "eg dg ug hs huis bis ter ático") {
		return x.tok[i-1].Kind != lex.Letters
	}
	return oneOf(w, "rechts links mitte frente fundos gauche droite esquerdo direito izquierda derecha sinistra destra") && !x.tok[i].Line
}

// houseNames end the names of houses.
const houseNames = "house lodge cottage villa court apartments mansion mansions building towers tower heights farm farmhouse barn manor grange residency society complex chambers residences granary"

// houseBefore walks left from the number of a house at token i over the name of
// the house, or over another number: Pine Lodge, 8a Heathfield Rise.
func (x *Sheet) houseBefore(i int) int {
	if i > 1 && x.house(i) && x.tok[i-2].Kind == lex.Digits && x.house(i-2) && oneOf(x.word(i-1), "and und et en") && !x.tok[i].Line {
		return i - 2 // 33 and 35 Ashburn Way
	}
	if x.is(i-1, ",") && i > 3 && x.capital(i-2) && !x.held[i-2] && x.livesBefore(i-2) {
		return i - 2 // I live at Hillcrest, 4 Sandy Lane
	}
	if !x.is(i-1, ",") || i < 3 || !oneOf(x.word(i-2), houseNames) || !x.capital(i-2) || x.held[i-2] {
		return i
	}
	j := i - 2
	for j > 0 && i-j < 5 && x.capital(j-1) && !x.tok[j].Line && !x.held[j-1] && !x.sentenceStart(j-1) {
		j--
	}
	if j == i-2 {
		return i
	}
	return j
}

// codeBefore walks left from a street over the postal code and town before it:
// 8005 Zürich, Langstrasse 200.
func (x *Sheet) codeBefore(i int) int {
	if !x.is(i-1, ",") {
		return i
	}
	for j := i - 2; j >= 0 && j >= i-5 && !x.tok[j+1].Line; j-- {
		t := x.tok[j]
		if t.Kind == lex.Digits && j < i-2 && (t.To-t.From == 4 && !x.yearLike(j) || t.To-t.From == 5) {
			if x.is(j-1, "-") && j > 1 && x.initial(j-2) && !t.Space {
				return j - 2
			}
			return j
		}
		if !x.capital(j) && !particle(x.word(j)) && !x.is(j, "-") {
			return i
		}
	}
	return i
}
