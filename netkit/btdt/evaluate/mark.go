package evaluate

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// oldAge is the age from which an age tells who somebody is. Younger ones stay: so many
// people share them that the safe harbour of HIPAA keeps them too.
const oldAge = 90

// keepAges moves the marks of ages that stay to what must stay, whoever labelled them.
func (e *Example) keepAges() {
	e.Gold = slices.DeleteFunc(e.Gold, func(m Mark) bool {
		if !m.isAge() {
			return false
		}
		m.Type = ""
		e.Keep = append(e.Keep, m)
		return true
	})
}

// isAge reports whether a mark is an age that stays, rather than a date of birth: its
// one number has at most two digits and belongs to no date, or it is told in words.
func (m *Mark) isAge() bool {
	if m.Type != btdt.TypeDOB || strings.ContainsAny(m.Text, "'’*") {
		return false
	}
	numbers := 0
	for _, t := range lex.Split(lex.Fold(m.Text).S, nil) {
		if t.Date != lex.NoDate || t.Flags&(lex.Month|lex.BornCue) != 0 {
			return false
		}
	}
	for _, digits := range strings.FieldsFunc(m.Text, func(r rune) bool { return !unicode.IsDigit(r) }) {
		numbers++
		if age, err := strconv.Atoi(digits); err != nil || len(digits) > 2 || age >= oldAge {
			return false
		}
	}
	return numbers <= 1
}

// honorifics stand before a name and are no part of it.
const honorifics = " mr mrs ms miss mx dr prof sir madam herr herrn frau fräulein monsieur madame mademoiselle mme mlle m señor señora señorita sr sra srta don doña senhor senhora dona dom sig sigra signor signora dott dottssa avv meneer mevrouw dhr mw mevr de heer pan pani pana panu panią and und et y e i agent "

// functionWords tell nothing by themselves where they stand at the edge of a mark:
// articles, prepositions, conjunctions, pronouns, and what announces a birth or an age.
const functionWords = " a an the of in on at by for from to with and or my his her their our your its born aged age dob " +
	"der die das den dem des ein eine einen einem einer eines von vom im in am an auf bei beim mit zu zum zur und oder mein meine meiner sein seine ihr ihre unser geboren geb " +
	"le la les un une des du de d l au aux en à chez par pour avec et ou mon ma mes son sa ses leur né née " +
	"el los las uno una unos unas del al con por para y o u mi su sus nuestro nacido nacida " +
	"os as um uma uns umas do da dos das no na nos nas ao à em com e meu minha seu sua nascido nascida " +
	"il lo gli i uno di dello della dei degli delle nel nella con per ed mio mia suo sua nato nata " +
	"het een van der den op bij met voor en of mijn zijn haar geboren " +
	"w we z ze na do od u o i oraz lub mój moja jego jej ich ur urodzony urodzona "

// word is a word of a mark, by places in its text.
type word struct{ from, to int }

// words divides a text into runs of letters and digits.
func words(runes []rune) (all []word) {
	for i := 0; i < len(runes); i++ {
		from := i
		for i < len(runes) && wordRune(runes[i]) {
			i++
		}
		if i > from {
			all = append(all, word{from, i})
		}
	}
	return all
}

// letters lists the places of a mark that must be masked: its letters and digits,
// without function words and honorifics at its edges, and without honorifics inside a
// name. A mark of nothing else counts as a whole.
func (m *Mark) letters() (places []int) {
	runes := []rune(m.Text)
	all := words(runes)
	in := func(list string, w word) bool {
		return strings.Contains(list, " "+strings.ToLower(string(runes[w.from:w.to]))+" ")
	}
	edge := func(w word) bool {
		initial := m.Type == btdt.TypeName && unicode.IsUpper(runes[w.from])
		return in(honorifics, w) || !initial && in(functionWords, w)
	}
	inner := all
	for len(inner) > 0 && edge(inner[0]) {
		inner = inner[1:]
	}
	for len(inner) > 0 && edge(inner[len(inner)-1]) {
		inner = inner[:len(inner)-1]
	}
	if len(inner) == 0 {
		inner = all
	}
	for _, w := range inner {
		if m.Type == btdt.TypeName && in(honorifics, w) && len(inner) > 1 {
			continue
		}
		for k := w.from; k < w.to; k++ {
			places = append(places, m.Start+k)
		}
	}
	return places
}
