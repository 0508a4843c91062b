package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// endWords say of a card or an account that its number ends so, in the forms that
// are no cue by themselves.
const endWords = "ending ends ended finishing finishes endet endete endend endende endenden endziffer endziffern endnummer endung finit finissant finissait termine terminant terminée terminé termina terminaba terminada terminado acaba acabada acabado final finale finali finisce finiva terminante eindigt eindigde eindigend kończy kończąca kończącą kończącej kończąc kończące kończących zakończona zakończoną zakończonej zakończone końcówka końcówką końcówce końcówki"

// cardWords are what has such a number, makers of cards among them.
const cardWords = "card cards visa mastercard maestro amex karte karten kreditkarte ec-karte girokarte bankkarte debitkarte girocard konto carte cartes cb compte tarjeta tarjetas cuenta débito cartão cartões conta carta carte bancomat postepay conto kaart creditcard pas pinpas bankpas rekening karta karty kartą kartę kart karcie karcie konta kontem rachunek iban"

// cardEnding marks the last digits of a card or an account at token i: die Karte mit
// den Endziffern 6634, kartą kończącą się na 9273, Amex …31007.
func (x *Sheet) cardEnding(i int) {
	t := x.tok[i]
	size := t.To - t.From
	if t.Kind != lex.Digits || size < 3 || size > 5 || x.taken(t.From, t.To) || x.letterAt(t.To) || x.is(i+1, "-/.,") && i+2 < len(x.tok) && !x.tok[i+2].Space || x.countedThing(t.To) || x.isMoney(t.From, t.To) {
		return
	}
	if x.elided(i) {
		j := i - 1
		for x.is(j, ".…(") {
			j--
		}
		if x.cardNear(j, 2) {
			x.add(t.From, t.To, Financial, "card_ending", 0.9)
		}
		return
	}
	reach := 5
	if isYear(x.word(i)) {
		reach = 2
	}
	for j := i - 1; j >= 0 && j >= i-5 && !x.tok[j+1].Line && !x.is(j, ".;"); j-- {
		said := oneOf(x.word(j), endWords) || j == i-2 && oneOf(x.word(j), "last final") && (x.word(j+1) == "4" || oneOf(x.word(j+1), "digits"))
		if said && x.cardNear(j, reach) {
			x.add(t.From, t.To, Financial, "card_ending", 0.9)
			return
		}
		if x.tok[j].Kind == lex.Placeholder || x.tok[j].Kind == lex.Digits && x.word(j) != "4" {
			return
		}
	}
}

// elided tells whether dots that stand for digits run up to token i: …5521, ...5521.
func (x *Sheet) elided(i int) bool {
	before := x.s[:x.tok[i].From]
	return strings.HasSuffix(before, "…") || strings.HasSuffix(before, "..") || strings.HasSuffix(before, "… ")
}

// cardNear tells whether a card or an account stands among n tokens up to token j, or
// right behind it.
func (x *Sheet) cardNear(j, n int) bool {
	for k := j + 2; k >= 0 && k > j-n; k-- {
		if k < len(x.tok) && (oneOf(x.word(k), cardWords) || strings.HasSuffix(strings.ToLower(x.word(k)), "karte")) {
			return true
		}
	}
	return false
}
