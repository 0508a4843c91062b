package tag

import (
	"cmp"
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// Sample is a text with the right label of every token.
type Sample struct {
	Text   string
	Tokens []lex.Token
	Field  string
	Labels []uint8
}

// Train learns weights by passing over the samples, in an order drawn from the
// seed. It learns twice: first with every feature that occurs more than once,
// then with those alone that weighed most, which are as many as a model holds.
// What several learners, who see the samples in different orders, agree on is
// what holds for new texts: the model is their mean. The result has the bytes of
// a model.
func Train(samples []Sample, passes int, seed uint64) []byte {
	hashes, texts := number(samples)
	if len(hashes) > capacity {
		kept := learn(texts, samples, len(hashes), passes, seed).heaviest(capacity)
		hashes = reduce(hashes, texts, kept)
	}
	mean := learn(texts, samples, len(hashes), passes, seed)
	for k := uint64(1); k < learners; k++ {
		mean.join(learn(texts, samples, len(hashes), passes, seed+k))
	}
	return mean.model(hashes)
}

const learners = 3

// capacity is how many features a model holds. A table that is nearly full would
// have features far from where they are looked for.
const capacity = slots * 9 / 10

// number gives every feature that occurs more than once a number, and the
// numbers of the features of every word of every sample.
func number(samples []Sample) (hashes []uint32, texts [][][]int32) {
	count := map[uint32]int32{}
	each := func(use func(sample int, f *Features)) {
		var f Features
		for k, s := range samples {
			e := NewExtractor(s.Text, s.Tokens, s.Field)
			for i := range s.Tokens {
				e.At(i, &f)
				use(k, &f)
			}
		}
	}
	each(func(_ int, f *Features) {
		for _, h := range f.Hash[:f.N] {
			count[h]++
		}
	})
	numbers := map[uint32]int32{}
	texts = make([][][]int32, len(samples))
	each(func(k int, f *Features) {
		word := make([]int32, 0, f.N)
		for _, h := range f.Hash[:f.N] {
			if count[h] < 2 {
				continue
			}
			n, known := numbers[h]
			if !known {
				n = int32(len(hashes))
				numbers[h], hashes = n, append(hashes, h)
			}
			word = append(word, n)
		}
		texts[k] = append(texts[k], word)
	})
	return hashes, texts
}

// reduce keeps some features and gives them new numbers.
func reduce(hashes []uint32, texts [][][]int32, kept []int32) []uint32 {
	numbers := make([]int32, len(hashes))
	for i := range numbers {
		numbers[i] = -1
	}
	left := make([]uint32, len(kept))
	for n, old := range kept {
		numbers[old], left[n] = int32(n), hashes[old]
	}
	for _, text := range texts {
		for i, word := range text {
			text[i] = word[:0]
			for _, n := range word {
				if numbers[n] >= 0 {
					text[i] = append(text[i], numbers[n])
				}
			}
		}
	}
	return left
}

// trainer holds the current weights and, for the average, how much each changed
// at which step. All of it is whole numbers: training twice gives equal bytes.
// The weights from label to label stand behind those of the features.
type trainer struct {
	now   []int32
	sum   []int64
	step  int32
	parts int32 // how many learners are added up
	steps int   // where the weights from label to label begin
}

func learn(texts [][][]int32, samples []Sample, features, passes int, seed uint64) *trainer {
	size := features*Labels + transitions
	t := &trainer{now: make([]int32, size), sum: make([]int64, size), step: 1, parts: 1, steps: features * Labels}
	random := rand.New(rand.NewPCG(seed, 1))
	for range passes {
		for _, k := range random.Perm(len(samples)) {
			t.learn(texts[k], samples[k].Labels)
		}
	}
	return t
}

// learn labels one sample and moves the weights towards what was right.
func (t *trainer) learn(text [][]int32, right []uint8) {
	scores := make([][Labels]int32, len(text))
	for i, word := range text {
		for _, n := range word {
			row := t.now[int(n)*Labels : int(n)*Labels+Labels]
			for l := range Labels {
				scores[i][l] += row[l]
			}
		}
		// A margin: the right label must win clearly.
		for l := range Labels {
			if uint8(l) != right[i] {
				scores[i][l] += margin
			}
		}
	}
	guess := make([]uint8, len(text))
	viterbi(scores, allowed(func(a, b int) int32 { return t.now[t.steps+a*Labels+b] }), guess)
	before, guessBefore := uint8(0), uint8(0)
	for i, word := range text {
		if guess[i] != right[i] {
			for _, n := range word {
				t.move(int(n)*Labels+int(right[i]), 1)
				t.move(int(n)*Labels+int(guess[i]), -1)
			}
		}
		if guess[i] != right[i] || before != guessBefore {
			t.move(t.steps+int(before)*Labels+int(right[i]), 1)
			t.move(t.steps+int(guessBefore)*Labels+int(guess[i]), -1)
		}
		before, guessBefore = right[i], guess[i]
	}
	t.step++
}

const margin = 10

// join adds what another learner made of the same samples.
func (t *trainer) join(u *trainer) {
	t.parts += u.parts
	for i := range t.now {
		t.now[i] += u.now[i]
		t.sum[i] += u.sum[i]
	}
}

func (t *trainer) move(i int, by int32) {
	t.now[i] += by
	t.sum[i] += int64(by) * int64(t.step)
}

// mean is the average of a weight over all steps and learners, in units of stored
// weights.
func (t *trainer) mean(i int) int64 {
	return (int64(t.now[i])*int64(t.step) - t.sum[i]) * scale / int64(t.step) / int64(t.parts)
}

// scale is how many steps of a stored weight make one of training.
const scale = 8

// heaviest numbers the n features whose weights are the largest together.
func (t *trainer) heaviest(n int) []int32 {
	weight := make([]int64, t.steps/Labels)
	order := make([]int32, len(weight))
	for k := range weight {
		order[k] = int32(k)
		for l := range Labels {
			weight[k] += max(t.mean(k*Labels+l), -t.mean(k*Labels+l))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(weight[b], weight[a]) })
	return order[:min(n, len(order))]
}

// model lays the mean weights out as the bytes of a model, the heaviest features
// first: one that finds no place near its own is left out.
func (t *trainer) model(hashes []uint32) []byte {
	out := make([]byte, modelSize)
	stored := func(i int) byte { return byte(max(-127, min(127, t.mean(i))) + bias) }
	for _, k := range t.heaviest(len(hashes)) {
		at := place(out, hashes[k])
		if at < 0 {
			continue
		}
		for l := range rowSize {
			out[at+l] = stored(int(k)*Labels + l)
		}
	}
	for i := range transitions {
		out[stepsAt+i] = stored(t.steps + i)
	}
	return out
}

// place takes the first free slot near where a feature belongs and returns where
// its row begins, or -1.
func place(model []byte, hash uint32) int {
	for hop := range hops {
		g := group(hash, hop)
		for k := range perGroup {
			if at := (g*perGroup + k) * printSize; binary.LittleEndian.Uint16(model[at:]) == 0 {
				binary.LittleEndian.PutUint16(model[at:], fingerprint(hash))
				return rowsAt + (g*perGroup+k)*rowSize
			}
		}
	}
	return -1
}
