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

const (
	buckets     = 1 << 17
	transitions = Labels * Labels
	modelSize   = buckets*Labels + transitions // bytes
)

//go:embed weights.bin
var weights string

// Model is a set of weights: a row of Labels for every bucket of features, then
// the weights from label to label.
type Model struct{ bytes string }

// Default is the trained model of this package.
func Default() Model { return Model{weights} }

// Ready tells whether the model holds weights at all.
func (m Model) Ready() bool { return len(m.bytes) == modelSize }

// Label writes the most likely labels of a text into labels, which has the
// length of tokens. Field tells where the text stands.
// It returns how clearly each word is a name: the score of the better label of a
// name less that of the best other one.
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
		for _, h := range f.Hash[:f.N] {
			w := m.bytes[int(h)*Labels : int(h)*Labels+Labels]
			for l := range Labels {
				row[l] += int32(int8(w[l]))
			}
		}
		if b := bonus(&tokens[i]); b != 0 {
			row[NameFirst] += b
			row[NameNext] += b
		}
	}
	viterbi(scores, func(a, b int) int32 { return int32(int8(m.bytes[buckets*Labels+a*Labels+b])) }, labels)
	lead := make([]int32, len(tokens))
	for i := range scores {
		lead[i] = nameLead(&scores[i])
	}
	return lead
}

// Bonuses for names, in the units of stored weights: to miss a person costs more
// than to take an organisation for one.
const (
	givenBonus   = 50
	surnameBonus = 20
	otherBonus   = 5
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

// nameLead is the score of a name less that of the best other label.
func nameLead(row *[Labels]int32) int32 {
	other := row[Other]
	for l := AddressFirst; l < Labels-1; l++ {
		other = max(other, row[l])
	}
	return max(row[NameFirst], row[NameNext]) - other
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

// viterbi finds the best sequence of labels.
func viterbi(scores [][Labels]int32, step func(a, b int) int32, labels []uint8) {
	var moves [Labels][Labels]int32
	for a := range Labels {
		for b := range Labels {
			moves[a][b] = never
			if Follows(a, b) {
				moves[a][b] = step(a, b)
			}
		}
	}
	back := make([][Labels]uint8, len(scores))
	var best, next [Labels]int32
	for l := range Labels {
		best[l] = never
	}
	best[0] = 0
	for i := range scores {
		for b := range Labels {
			top, from := int32(2*never), 0
			for a := range Labels {
				if v := best[a] + moves[a][b]; v > top {
					top, from = v, a
				}
			}
			next[b] = max(top, 2*never) + scores[i][b]
			back[i][b] = uint8(from)
		}
		best = next
	}
	top := 0
	for l := range Labels {
		if best[l] > best[top] {
			top = l
		}
	}
	for i := len(scores) - 1; i >= 0; i-- {
		labels[i] = uint8(top)
		top = int(back[i][top])
	}
}
