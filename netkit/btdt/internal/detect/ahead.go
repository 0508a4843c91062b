package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// ahead takes a value that stands right before a strong cue: "77120 (badge
// number)", "4471-22-B is my claim number", "LD19 KXV (that's the plate)".
func (x *Sheet) ahead(q quest) {
	j, said := x.overBeing(q.first - 1)
	if !q.strong || j < 0 {
		return
	}
	switch {
	case x.is(j, "(,-"):
		j--
	case !said:
		return
	}
	if x.is(j, "\"'),") {
		j--
	}
	if j < 0 || x.tok[j].Kind != lex.Digits && x.tok[j].Kind != lex.Mixed && !(x.tok[j].Case == lex.Caps && j > 0) {
		return
	}
	from, to := x.backwards(j)
	text := x.s[from:to]
	if !coded(text) && !(said && q.fits(text) && digitsIn(text) > 3) || x.taken(from, to) || x.isDate(from, to) || x.isMoney(from, to) || x.countedThing(to) || x.publicNumber(from, text) || q.kind == Phone || q.kind != Vehicle && x.lawBefore(from) {
		return
	}
	x.add(from, to, q.kind, "reference_before", 0.85)
}

// overBeing walks left from token j over words that say what something is, and tells
// whether there were any.
func (x *Sheet) overBeing(j int) (int, bool) {
	said := false
	for hops := 0; j > 0 && hops < 6; hops++ {
		w := x.word(j)
		if x.tok[j].Kind == lex.Letters && strings.Contains(beingWords, " "+strings.ToLower(w)+" ") || w == "s" && x.is(j-1, "'") {
			said = true
		} else if !(x.is(j, "'") && said) {
			break
		}
		j--
	}
	return j, said
}

// backwards gives the code that ends with token j, further groups before it
// included as long as they are of the same code.
func (x *Sheet) backwards(j int) (from, to int) {
	from, to = x.groupStart(j), x.tok[j].To
	for range 4 {
		k := x.at(from) - 1
		if k < 0 || from == 0 || x.s[from-1] != ' ' || x.tok[k].To != from-1 || x.tok[k].Kind == lex.Letters && (x.tok[k].Case != lex.Caps && !x.initial(k) || x.tok[k].To-x.tok[k].From > 4 || functionKeys()[x.tok[k].Key]) || x.tok[k].Kind == lex.Sign {
			break
		}
		start := x.groupStart(k)
		if x.value(x.at(start), cue{strong: true}) != to {
			break
		}
		from = start
	}
	return from, to
}

// groupStart walks left from token j over what is written in one with it.
func (x *Sheet) groupStart(j int) int {
	from := x.tok[j].From
	for from > 0 && x.s[from-1] > ' ' && x.s[from-1] < 0x80 && strings.IndexByte("(\"',;:[", x.s[from-1]) < 0 {
		from--
	}
	return from
}

const beingWords = " as als comme como come jako is was as being my our your their her his the a that this which it ist war meine unsere seine ihre die das der mein unser est était ma mon notre son sa es era mi su nuestro nuestra el é minha meu seu sua o è la il mia mio is mijn onze zijn haar dat de het le c to jest był była mój moja nasz jego jej "
