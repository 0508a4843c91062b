package detect

import (
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// kinPossessives stand before those who belong to a person, and close words for
// who writes.
const (
	kinPossessives = "his her their my our su sus mi son sa ses mon ma seine seinen seiner sein ihre ihr ihren mein meine meiner zijn haar mijn seu sua meu minha suo mio mia jego jej mój moja " + writers
	writers        = "me ich wir moi yo eu io ik ja"
)

var (
	kinPossessiveKeys = sync.OnceValue(func() map[uint64]bool { return keySet(kinPossessives) })
	writerKeys        = sync.OnceValue(func() map[uint64]bool { return keySet(writers) })
)

// withKin tells whether token i is joined with the kin of a person or with who
// writes: Royal and his mom, De Smedt et moi.
func (x *Sheet) withKin(i int) bool {
	if i+2 < len(x.tok) && x.joining(i+1) && kinPossessiveKeys()[x.tok[i+2].Key] && x.tok[i+2].Case == lex.Lower {
		return writerKeys()[x.tok[i+2].Key] || x.kinWithin(i+3)
	}
	return i > 1 && x.joining(i-1) && (x.tok[i-2].Case == lex.Lower && writerKeys()[x.tok[i-2].Key] || x.word(i-2) == "I" || x.tok[i-2].Flags&lex.Kin != 0 && x.tok[i-2].Case == lex.Lower)
}

// kinWithin tells whether a word of kin or of a role stands at token i or behind
// the next word.
func (x *Sheet) kinWithin(i int) bool {
	for j := i; j < min(i+2, len(x.tok)); j++ {
		if x.tok[j].Flags&(lex.Kin|lex.Role) != 0 {
			return true
		}
	}
	return false
}

// explainers open what tells who somebody is.
const explainers = "the a my our his her their der die mein meine unser unsere le la l ma mon notre son sa el mi su nuestro nuestra o a os meu minha il lo mio mia nostro nostra suo sua de het een mijn onze haar zijn un une una ein eine um uma mój moja nasz nasza jego jej"

var explainerKeys = sync.OnceValue(func() map[uint64]bool { return keySet(explainers) })

// explained tells whether a role or kin is told behind a comma or in parentheses:
// Salvador, o vendedor; Tolu (my flatmate).
func (x *Sheet) explained(i int) bool {
	if !x.is(i+1, ",(-") || i+3 >= len(x.tok) || x.tok[i+2].Case != lex.Lower || !explainerKeys()[x.tok[i+2].Key] {
		return false
	}
	j := i + 3
	if x.is(j, "'") {
		j++
	}
	return x.kinWithin(j) || x.has(i, lex.Given) && x.is(j+1, ",)")
}

// relationBefore tells whether a role or kin of somebody stands before the comma
// or parenthesis at the left of token i: son chef d'équipe, Bakri, prétendait.
func (x *Sheet) relationBefore(i int) bool { return x.relationOf(i, i) }

// relationOf does so for a name from token i to last.
func (x *Sheet) relationOf(i, last int) bool {
	if i < 3 || !x.is(i-1, ",(") || x.tok[i].Line || !x.is(last+1, ",.);") && last+1 < len(x.tok) {
		return false
	}
	for j := i - 2; j >= 0 && j > i-6 && x.tok[j].Kind == lex.Letters; j-- {
		if x.tok[j].Case == lex.Lower && x.tok[j].Flags&(lex.Kin|lex.Role) != 0 && !oneOf(x.word(j), "employer insurer lender provider supplier broker carrier owner") {
			for k := j - 1; k >= 0 && k > j-3; k-- {
				if kinPossessiveKeys()[x.tok[k].Key] || explainerKeys()[x.tok[k].Key] {
					return true
				}
			}
		}
	}
	return false
}
