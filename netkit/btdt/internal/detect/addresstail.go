package detect

import (
	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// postBox is PO Box 12, Postfach 12.
func (x *Sheet) postBox(i int) int {
	j := i
	switch {
	case oneOf(x.word(i), "apartado") && oneOf(x.wordOr(i+1), "de") && oneOf(x.wordOr(i+2), "correos"):
		j += 3
	case oneOf(x.word(i), "postfach postbus apartado"):
		j++
	case oneOf(x.word(i), "po") && oneOf(x.wordOr(i+1), "box"):
		j += 2
	case x.word(i) == "P" && x.is(i+1, ".") && x.wordOr(i+2) == "O" && x.is(i+3, ".") && oneOf(x.wordOr(i+4), "box"):
		j += 5
	case oneOf(x.word(i), "boîte caixa casella skrytka") && oneOf(x.wordOr(i+1), "postale postal pocztowa"):
		j += 2
	default:
		return 0
	}
	for x.is(j, ".:") {
		j++
	}
	if j >= len(x.tok) || x.tok[j].Kind != lex.Digits {
		return 0
	}
	if x.is(j+1, "-") && j+2 < len(x.tok) && x.tok[j+2].Kind == lex.Digits && !x.tok[j+2].Space {
		return j + 3 // with the code of the post office: 4471-30100
	}
	return j + 1
}

// boxed tells whether the number at a byte is that of a box: P.O. Box 4471-30100.
func (x *Sheet) boxed(from int) bool {
	i := x.at(from)
	for k := max(0, i-6); k < i; k++ {
		if end := x.postBox(k); end > i {
			return true
		}
	}
	return false
}

const unitWords = "apt apartment unit suite ste flat floor fl room rm no nr lot building bldg block apto piso puerta pta escalera esc planta bloque portal etage stock og eg dg whg wohnung top stiege tür hinterhaus bât bâtiment appt appartement étage esc escalier interno int scala piano palazzina bus m mieszkanie lok lokal andar fração bloco casa conj conjunto sala dto esq dcha izq izda cedex"

// addressTail adds what belongs to an address behind its street: flats, places,
// regions, postal codes.
func (x *Sheet) addressTail(i int) int {
	end := i
	for hops := 0; i < len(x.tok) && hops < 14; hops++ {
		t := x.tok[i]
		switch {
		case x.is(i, "-/") && i+1 < len(x.tok) && x.house(i-1) && x.house(i+1) && !x.tok[i].Space && !x.tok[i+1].Space && end == i:
			i += 2
			end = i // 7-9
			continue
		case x.is(i, ",-/") || x.is(i, ".") && (x.abbreviatedUnit(i) || oneOf(x.wordOr(i-1), "esq dto dcha izq") && i+1 < len(x.tok) && x.sideOfHouse(i+1)):
			i++
			continue
		case x.is(i, ">?") && (t.Line || x.is(i-1, ">?")):
			i++ // the marks of quoted mail
			continue
		case x.is(i, "(") && x.is(i+2, ")") && (x.tok[i+1].Case == lex.Caps && x.tok[i+1].To-x.tok[i+1].From == 2 || x.capital(i+1) && i+3 < len(x.tok) && x.postalCode(i+3) > 0):
			i += 3
			end = i
			continue
		case oneOf(x.word(i), "te in à") && x.has(i+1, lex.Place) && x.capital(i+1):
			i += 2
			end = i
			continue
		case x.is(i, "#") || oneOf(x.word(i), unitWords) && x.unitFollows(i):
			i++
			for i < len(x.tok) && (x.is(i, ".#º°ªn") || x.tok[i].Kind == lex.Digits || x.tok[i].Kind == lex.Mixed || x.tok[i].Kind == lex.Letters && x.tok[i].To-x.tok[i].From == 1 && x.tok[i].Case != lex.Lower) {
				i++
				end = i
			}
			continue
		case x.postalCode(i) > 0:
			i += x.postalCode(i)
			end = i
			continue
		case x.sideOfHouse(i):
			i++
			end = i
			continue
		case x.labels[i] == tag.AddressNext || x.labels[i] == tag.AddressFirst && x.capital(i):
			i++
			end = i
			continue
		case t.Kind == lex.Letters && t.Case != lex.Lower && x.placeAt(i) > 0:
			i += x.placeAt(i)
			end = i
			continue
		}
		break
	}
	if x.capital(end - 1) {
		if f, n := lex.Phrase(x.tok, end-1); n > 1 && f&lex.Place != 0 {
			end += n - 1 // Rio de Janeiro
		}
		end = x.placeTail(end)
	}
	return x.blockTail(end)
}

func (x *Sheet) abbreviatedUnit(i int) bool {
	return i > 0 && (oneOf(x.word(i-1), unitWords) || x.tok[i-1].Flags&lex.Street != 0) && !x.sentenceEnd(i)
}

// sentenceEnd tells whether a capital of a new sentence follows a full stop.
func (x *Sheet) sentenceEnd(i int) bool {
	return i+1 >= len(x.tok) || x.tok[i+1].Line || x.tok[i+1].Space && x.capital(i+1) && x.tok[i+1].Flags&lex.Place == 0
}

func (x *Sheet) unitFollows(i int) bool {
	j := i + 1
	for x.is(j, ".#º°") {
		j++
	}
	return j < len(x.tok) && (x.tok[j].Kind == lex.Digits || x.tok[j].Kind == lex.Mixed || x.tok[j].Kind == lex.Letters && x.tok[j].To-x.tok[j].From == 1) && x.tok[j].To-x.tok[j].From <= 5
}

// postalCode is the number of tokens of a postal code at token i: 43215,
// 43215-1234, N8 8SH, 1012 AB, D-10115, 00-950.
func (x *Sheet) postalCode(i int) int {
	t := x.tok[i]
	size := t.To - t.From
	switch {
	case t.Kind == lex.Digits && size == 4 && i+1 < len(x.tok) && x.tok[i+1].Kind == lex.Letters && x.tok[i+1].Case == lex.Caps && x.tok[i+1].To-x.tok[i+1].From == 2 && !x.countedThing(t.To):
		return 2
	case t.Kind == lex.Digits && (size == 5 || size == 4 || size == 6) && !isUnitWord(x.wordOr(i+1)):
		if x.is(i+1, "-") && i+2 < len(x.tok) && x.tok[i+2].Kind == lex.Digits && !x.tok[i+2].Space {
			return 3
		}
		return 1
	case t.Kind == lex.Digits && size == 2 && x.is(i+1, "-") && i+2 < len(x.tok) && x.tok[i+2].To-x.tok[i+2].From == 3 && x.tok[i+2].Kind == lex.Digits:
		return 3
	case t.Kind == lex.Mixed && size <= 4 && i+1 < len(x.tok) && x.tok[i+1].Kind == lex.Mixed && x.tok[i+1].To-x.tok[i+1].From == 3 && isDigit(x.s[x.tok[i+1].From]):
		return 2
	}
	return 0
}

// placeTail walks over what goes on a place: Freiburg im Breisgau, Frankfurt am Main.
func (x *Sheet) placeTail(i int) int {
	j := i
	if i > 1 && x.tok[i-2].Kind == lex.Digits && j < len(x.tok) && oneOf(x.word(j), "da do de das dos di del della") && x.capital(j+1) {
		return j + 2 // 2835-120 Baixa da Banheira
	}
	if j < len(x.tok) && oneOf(x.word(j), "im am an bei ob vor in sur sous lès lez upon") {
		if j++; j < len(x.tok) && oneOf(x.word(j), "der den dem") {
			j++
		}
		if x.capital(j) && (x.speech != lex.English || x.word(j-1) == "upon") && (x.tok[j].Flags&lex.Noun == 0 || x.is(j+1, ".;,")) {
			return j + 1
		}
	}
	return i
}

// placeAt is the number of tokens of a place name that ends an address: known
// cities, two capitals of a state, or words that a postal code follows.
func (x *Sheet) placeAt(i int) int {
	if i > 0 && !x.is(i-1, ",") && x.postalCode(i-1) == 0 && !x.tok[i].Line && x.tok[i].Case != lex.Caps && x.tok[i-1].Kind != lex.Digits {
		return 0
	}
	if f, n := lex.Phrase(x.tok, i); n > 0 && f&lex.Place != 0 {
		return n
	}
	t := x.tok[i]
	if t.Case == lex.Caps && t.To-t.From == 2 || t.Flags&lex.Place != 0 && (t.Flags&(lex.Given|lex.Word) == 0 || x.is(i-1, ",") && t.Flags&lex.Word == 0) {
		return 1
	}
	// Words of a place that a code or a state follows.
	for n := 1; n <= 4 && i+n < len(x.tok); n++ {
		if x.postalCode(i+n) > 0 && n > 0 {
			return n
		}
		if x.is(i+n, ",") && i+n+1 < len(x.tok) && (x.tok[i+n+1].Case == lex.Caps && x.tok[i+n+1].To-x.tok[i+n+1].From == 2 || x.postalCode(i+n+1) > 0) {
			return n
		}
		if !x.capital(i+n) && !particle(x.word(i+n)) && !x.is(i+n, "-'") {
			return 0
		}
	}
	return 0
}
