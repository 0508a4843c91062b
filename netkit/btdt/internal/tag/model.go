// Package tag labels the words of a text: names, addresses, medical details, and
// what looks like them but is not (organisations, laws, places, roles). It is a
// linear model over hashed features of a word and its neighbours, trained as a
// structured averaged perceptron (Collins 2002) and decoded by Viterbi. Its
// weights are whole numbers, so that every machine labels alike.
package tag

import (
	_ "embed"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// Labels. Of each kind the first word has the odd number, further ones the even.
const (
	Other uint8 = iota
	NameFirst
	NameNext
	AddressFirst
	AddressNext
	MedicalFirst
	MedicalNext
	OrgFirst
	OrgNext
	LawFirst
	LawNext
	PlaceFirst
	PlaceNext
	RoleFirst
	RoleNext

	Labels = 16 // the last is never used; rows of 16 bytes are cheap to index
)

// Kind folds first and next words of a kind into the label of the first.
func Kind(label uint8) uint8 {
	if label == Other {
		return Other
	}
	return (label-1)/2*2 + 1
}

// A model is a table of features: fingerprints in groups of four, then a row of
// weights for each, then the weights from label to label.
const (
	groups    = 44_000
	perGroup  = 4
	slots     = groups * perGroup
	hops      = 4          // groups that a feature may stand in, from its own on
	printSize = 2          // bytes
	rowSize   = Labels - 1 // bytes

	transitions = Labels * Labels
	rowsAt      = slots * printSize
	stepsAt     = rowsAt + slots*rowSize
	modelSize   = stepsAt + transitions // bytes
)

// group is where a feature belongs, and after some hops may stand.
func group(hash uint32, hop int) int { return (int(uint64(hash)*groups>>32) + hop) % groups }

// fingerprint tells the features of a group apart; 0 is an empty slot.
func fingerprint(hash uint32) uint16 { return max(uint16(hash), 1) }

//go:embed weights.bin
var weights string

// Model is a set of weights.
type Model struct{ bytes string }

// Default is the trained model of this package.
func Default() Model { return Model{weights} }

// Ready tells whether the model holds weights at all.
func (m Model) Ready() bool { return len(m.bytes) == modelSize }

// Label writes the most likely labels of a text into labels, which has the
// length of tokens. Field tells where the text stands.
// It returns how clearly each word is a name: the score of the best labelling in
// which it is one less that of the best in which it is not.
func (m Model) Label(s string, tokens []lex.Token, field string, labels []uint8) []int32 {
	if !m.Ready() || len(tokens) == 0 {
		return make([]int32, len(tokens))
	}
	scores := make([][Labels]int32, len(tokens))
	var f Features
	e := NewExtractor(s, tokens, field)
	for i := range tokens {
		e.At(i, &f)
		row := &scores[i]
		m.sum(&f, row)
		if b := bonus(&tokens[i]); b != 0 {
			row[NameFirst] += b
			row[NameNext] += b
		}
	}
	steps := m.steps()
	return lead(scores, viterbi(scores, steps, labels), steps)
}

// steps are the weights from label to label.
func (m Model) steps() *[Labels][Labels]int32 {
	return allowed(func(a, b int) int32 { return int32(m.bytes[stepsAt+a*Labels+b]) - bias })
}

// row finds where the weights of a feature begin, or -1.
func (m Model) row(hash uint32) int {
	want := fingerprint(hash)
	for hop := range hops {
		g := group(hash, hop)
		prints := word64(m.bytes[g*perGroup*printSize : (g+1)*perGroup*printSize])
		for k := range perGroup {
			switch uint16(prints >> (16 * k)) {
			case want:
				return rowsAt + (g*perGroup+k)*rowSize
			case 0:
				return -1
			}
		}
	}
	return -1
}

// sum adds the rows of all features that the model knows. Stored weights are 128
// more than they stand for, so that four at a time can be added as lanes of 16
// bits. A row is read as two words of eight, which share the one in the middle.
func (m Model) sum(f *Features, row *[Labels]int32) {
	var even, odd [2]uint64
	n := int32(0)
	for _, h := range f.Hash[:f.N] {
		at := m.row(h)
		if at < 0 {
			continue
		}
		n++
		for k, w := range [2]uint64{word64(m.bytes[at : at+8]), word64(m.bytes[at+7 : at+15])} {
			even[k] += w & lanes
			odd[k] += w >> 8 & lanes
		}
	}
	for l := range rowSize {
		k, place := 0, l
		if l > 7 {
			k, place = 1, l-7
		}
		v := even[k]
		if place%2 == 1 {
			v = odd[k]
		}
		row[l] = int32(v>>(place/2*16)&0xffff) - n*bias
	}
}

const (
	lanes = 0x00ff00ff00ff00ff
	bias  = 128
)

func word64(s string) uint64 {
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// Bonuses for names, in the units of stored weights: to miss a person costs more
// than to take an organisation for one.
const (
	givenBonus   = 120
	surnameBonus = 90
	otherBonus   = 60
)

// bonus favours the label of a name for capitalised words that are one or that
// nothing is known of.
func bonus(t *lex.Token) int32 {
	if t.Kind != lex.Letters || t.Case == lex.Lower {
		return 0
	}
	const taken = lex.Seen | lex.Org | lex.OrgWord | lex.Law | lex.LawWord | lex.Role | lex.Keep | lex.Month | lex.Street
	switch {
	case t.Flags&taken != 0:
		return 0
	case t.Flags&lex.Given != 0:
		return givenBonus
	case t.Flags&lex.Surname != 0:
		return surnameBonus
	case t.Flags&(lex.Word|lex.Foreign|lex.Place) == 0:
		return otherBonus
	}
	return 0
}

// Follows tells whether label b may stand after a: a next word needs its kind
// before it.
func Follows(a, b int) bool {
	if b == 0 || b%2 == 1 {
		return b < Labels-1
	}
	return a == b || a == b-1
}

const never = -1 << 28

// allowed lays out the weights of steps, with those that cannot be at never.
func allowed(step func(a, b int) int32) *[Labels][Labels]int32 {
	var steps [Labels][Labels]int32
	for a := range Labels {
		for b := range Labels {
			steps[a][b] = never
			if Follows(a, b) {
				steps[a][b] = step(a, b)
			}
		}
	}
	return &steps
}

// viterbi finds the best sequence of labels. It returns, for each word and label,
// the score of the best sequence up to there.
func viterbi(scores [][Labels]int32, steps *[Labels][Labels]int32, labels []uint8) [][Labels]int32 {
	best := make([][Labels]int32, len(scores))
	back := make([][Labels]uint8, len(scores))
	before := [Labels]int32{}
	for l := 1; l < Labels; l++ {
		before[l] = never
	}
	for i := range scores {
		for b := range Labels - 1 {
			top, from := before[0]+steps[0][b], 0
			if b > 0 && b%2 == 0 { // a next word follows its own kind alone
				top, from = before[b-1]+steps[b-1][b], b-1
				if v := before[b] + steps[b][b]; v > top {
					top, from = v, b
				}
			} else {
				for a := 1; a < Labels-1; a++ {
					if v := before[a] + steps[a][b]; v > top {
						top, from = v, a
					}
				}
			}
			best[i][b] = max(top, 2*never) + scores[i][b]
			back[i][b] = uint8(from)
		}
		best[i][Labels-1] = 2 * never
		before = best[i]
	}
	top := 0
	for l := range Labels {
		if before[l] > before[top] {
			top = l
		}
	}
	for i := len(scores) - 1; i >= 0; i-- {
		labels[i] = uint8(top)
		top = int(back[i][top])
	}
	return best
}

// lead walks back from the end and compares, for each word, the best sequences
// with and without a name there.
func lead(scores, best [][Labels]int32, steps *[Labels][Labels]int32) []int32 {
	out := make([]int32, len(scores))
	var after [Labels]int32 // the best score behind a word, by its label
	for i := len(scores) - 1; i >= 0; i-- {
		name, other := int32(2*never), int32(2*never)
		for l := range Labels - 1 {
			v := best[i][l] + after[l]
			if l == int(NameFirst) || l == int(NameNext) {
				name = max(name, v)
			} else {
				other = max(other, v)
			}
		}
		out[i] = name - other
		after = bestAfter(&scores[i], &after, steps)
	}
	return out
}

// bestAfter is the best score of a word and all behind it, by the label before.
func bestAfter(row, after *[Labels]int32, steps *[Labels][Labels]int32) [Labels]int32 {
	var before [Labels]int32
	for a := range Labels - 1 {
		top := int32(2 * never)
		for b := 0; b < Labels-1; b++ {
			if b > 0 && b%2 == 0 && b != a && b != a+1 {
				continue
			}
			top = max(top, steps[a][b]+row[b]+after[b])
		}
		before[a] = top
	}
	return before
}
