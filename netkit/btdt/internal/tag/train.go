package tag

import (
	"math/rand/v2"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// Sample is a text with the right label of every token.
type Sample struct {
	Text   string
	Tokens []lex.Token
	Field  string
	Labels []uint8
}

// trainer holds the current weights and, for the average, how much each changed
// at which step. All of it is whole numbers: training twice gives equal bytes.
type trainer struct {
	now  []int32
	sum  []int64
	step int32
}

// Train learns weights by passing over the samples, in an order drawn from the
// seed. The result has the bytes of a model.
func Train(samples []Sample, passes int, seed uint64) []byte {
	t := &trainer{now: make([]int32, modelSize), sum: make([]int64, modelSize), step: 1}
	features := make([][]Features, len(samples))
	for k, s := range samples {
		e := NewExtractor(s.Text, s.Tokens, s.Field)
		features[k] = make([]Features, len(s.Tokens))
		for i := range s.Tokens {
			e.At(i, &features[k][i])
		}
	}
	random := rand.New(rand.NewPCG(seed, 1))
	for range passes {
		for _, k := range random.Perm(len(samples)) {
			t.learn(features[k], samples[k].Labels)
		}
	}
	return t.average()
}

// learn labels one sample and moves the weights towards what was right.
func (t *trainer) learn(features []Features, right []uint8) {
	scores := make([][Labels]int32, len(features))
	for i := range features {
		for _, h := range features[i].Hash[:features[i].N] {
			for l := range Labels {
				scores[i][l] += t.now[int(h)*Labels+l]
			}
		}
		// A margin: the right label must win clearly.
		for l := range Labels {
			if uint8(l) != right[i] {
				scores[i][l] += margin
			}
		}
	}
	guess := make([]uint8, len(features))
	viterbi(scores, allowed(func(a, b int) int32 { return t.now[buckets*Labels+a*Labels+b] }), guess)
	before, guessBefore := uint8(0), uint8(0)
	for i := range features {
		if guess[i] != right[i] {
			for _, h := range features[i].Hash[:features[i].N] {
				t.move(int(h)*Labels+int(right[i]), 1)
				t.move(int(h)*Labels+int(guess[i]), -1)
			}
		}
		if guess[i] != right[i] || before != guessBefore {
			t.move(buckets*Labels+int(before)*Labels+int(right[i]), 1)
			t.move(buckets*Labels+int(guessBefore)*Labels+int(guess[i]), -1)
		}
		before, guessBefore = right[i], guess[i]
	}
	t.step++
}

const margin = 3

func (t *trainer) move(i int, by int32) {
	t.now[i] += by
	t.sum[i] += int64(by) * int64(t.step)
}

// scale is how many steps of a stored weight make one of training.
const scale = 8

// average is the mean of the weights over all steps, as bytes.
func (t *trainer) average() []byte {
	out := make([]byte, modelSize)
	for i := range out {
		total := int64(t.now[i])*int64(t.step) - t.sum[i]
		v := total * scale / int64(t.step)
		out[i] = byte(max(-127, min(127, v)) + bias)
	}
	return out
}
