package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// signed are the types of findings that a sign for number may stand before.
const signed = " " + CaseRef + " " + PolicyRef + " " + Account + " " + NationalID + " " + Financial + " " + Vehicle + " " + OtherID + " "

// numberSigns takes the sign for number, and the register of a court, into what
// was found right behind it: n. 88/2023, RG n° 23/04417. The placeholder reads as
// well, and whoever counts the sign to the number has all of it.
func (x *Sheet) numberSigns() {
	before := 0
	for k := range x.spans {
		s := &x.spans[k]
		if strings.Contains(signed, " "+s.Type+" ") || s.Rule == "reference" && s.Type != Phone {
			if from := x.signBefore(x.at(s.From), s.Type == CaseRef); from < s.From && from >= before {
				s.Value, s.From = max(s.Value, s.From), from
				x.cover(s.From, s.To)
			}
		}
		before = s.To
	}
}

// signBefore walks left from token i over signs for number, and those of registers
// where courts may be meant, and gives the byte where the first of them starts.
func (x *Sheet) signBefore(i int, court bool) int {
	if i >= len(x.tok) {
		return len(x.s)
	}
	from := x.tok[i].From
	for range 3 {
		n := x.signEnding(i, court)
		if n == 0 {
			n = x.headEnding(i)
		}
		if n == 0 {
			break
		}
		i -= n
		from = x.tok[i].From
	}
	return from
}

// headEnding is how many tokens the head of a number has that ends right before
// token i: CRM: in CRM:0098-2217, the letters of a series in "seria AK nr 4418827".
func (x *Sheet) headEnding(i int) int {
	short := func(j int) bool { return j >= 0 && x.tok[j].Case == lex.Caps && x.tok[j].To-x.tok[j].From <= 4 }
	switch {
	case x.is(i-1, ":") && !x.tok[i].Space && !x.tok[i-1].Space && short(i-2):
		return 2
	case short(i-1) && i > 1 && oneOf(x.word(i-2), "seria serii serie series série") && !x.tok[i].Line:
		return 1
	}
	return 0
}

// shortSigns say that a number follows, and are no word that announces of what.
const shortSigns = "no nr nrs nos nn num núm"

// signEnding is how many tokens a sign for number has that ends right before token
// i: "no.", "n.o", "nr", "n°".
func (x *Sheet) signEnding(i int, court bool) int {
	if i < 1 || x.tok[i].Line || x.tok[i].From-x.tok[i-1].To > 1 {
		return 0
	}
	j := i - 1
	if x.is(j, ".°") && j > 0 && !x.tok[j].Space {
		j--
	}
	w := x.word(j)
	switch {
	case w == "o" && j > 1 && x.is(j-1, ".") && isNumberLetter(x.word(j-2)): // n.º
		return i - j + 2
	case isNumberLetter(w) && w[0]|0x20 == 'n', oneOf(w, shortSigns), court && oneOf(w, "rg rgnr rge"):
		return i - j
	case court && (w == "G" || w == "R") && x.is(j-1, ".") && j > 1 && x.word(j-2) == "R": // R.G.
		return i - j + 2
	}
	return 0
}
