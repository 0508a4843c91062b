package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// Train learns weights by passing over the samples, in an order drawn from the
// seed. It learns twice: first with every feature that occurs more than twice, then
// with those alone that weighed most, which are as many as a model holds. The result
// has the bytes of a model.
func Train(samples []Sample, passes int, seed uint64) []byte {
	hashes, texts := number(samples)
	fmt.Fprintf(os.Stderr, "train: %d features\n", len(hashes))
	if len(hashes) > tag.Capacity {
		kept := learn(texts, samples, len(hashes), 2, seed).heaviest(tag.Capacity)
		hashes = reduce(hashes, texts, kept)
	}
	return learn(texts, samples, len(hashes), passes, seed).model(hashes)
}

// text holds the features of the tokens of a sample, one after the other.
type text struct {
	features []int32
	ends     []int32 // of each token
}

func (t text) token(i int) []int32 {
	from := int32(0)
	if i > 0 {
		from = t.ends[i-1]
	}
	return t.features[from:t.ends[i]]
}

// rarest is how often a feature occurs at least.
const rarest = 3

// number gives every frequent feature a number, and the numbers of the features of
// every token of every sample.
func number(samples []Sample) (hashes []uint64, texts []text) {
	count := map[uint64]int32{}
	each(samples, func(_ int, f *tag.Features) {
		for _, h := range f.Hash[:f.N] {
			count[h]++
		}
	})
	numbers := map[uint64]int32{}
	texts = make([]text, len(samples))
	each(samples, func(k int, f *tag.Features) {
		t := &texts[k]
		for _, h := range f.Hash[:f.N] {
			if count[h] < rarest {
				continue
			}
			n, known := numbers[h]
			if !known {
				n = int32(len(hashes))
				numbers[h], hashes = n, append(hashes, h)
			}
			t.features = append(t.features, n)
		}
		t.ends = append(t.ends, int32(len(t.features)))
	})
	return hashes, texts
}

// each gives the features of every token in order.
func each(samples []Sample, use func(sample int, f *tag.Features)) {
	var f tag.Features
	for k, s := range samples {
		e := tag.NewExtractor(s.Text, s.Tokens, s.Field)
		for i := range s.Tokens {
			e.At(i, &f)
			use(k, &f)
		}
	}
}

// reduce keeps some features and gives them new numbers.
func reduce(hashes []uint64, texts []text, kept []int32) []uint64 {
	numbers := make([]int32, len(hashes))
	for i := range numbers {
		numbers[i] = -1
	}
	left := make([]uint64, len(kept))
	for n, old := range kept {
		numbers[old], left[n] = int32(n), hashes[old]
	}
	for k := range texts {
		t := &texts[k]
		at, from := 0, int32(0)
		for i, end := range t.ends {
			for _, n := range t.features[from:end] {
				if numbers[n] >= 0 {
					t.features[at] = numbers[n]
					at++
				}
			}
			from, t.ends[i] = end, int32(at)
		}
		t.features = t.features[:at]
	}
	return left
}

// trainer holds the current weights and, for the average, how much each changed
// at which step. All of it is whole numbers: training twice gives equal bytes.
// The weights from label to label stand behind those of the features.
type trainer struct {
	now   []int32
	sum   []int64
	step  int64
	steps int // where the weights from label to label begin
}

func learn(texts []text, samples []Sample, features, passes int, seed uint64) *trainer {
	size := (features + tag.Labels) * tag.Labels
	t := &trainer{now: make([]int32, size), sum: make([]int64, size), step: 1, steps: features * tag.Labels}
	random := rand.New(rand.NewPCG(seed, 1))
	for range passes {
		wrong := 0
		for _, k := range random.Perm(len(samples)) {
			wrong += t.learn(texts[k], samples[k].Allowed)
		}
		fmt.Fprintf(os.Stderr, "train: %d tokens wrong\n", wrong)
	}
	return t
}

// learn labels one sample, moves the weights towards what was right, and returns
// how many tokens were wrong.
func (t *trainer) learn(x text, allowed []tag.Set) int {
	scores := t.scores(x)
	steps := tag.NewSteps(func(a, b tag.Label) int32 { return t.now[t.steps+int(a)*tag.Labels+int(b)] })
	right, guess := t.right(scores, steps, allowed), make([]tag.Label, len(scores))
	for i := range scores {
		for l := range tag.Label(tag.Labels) {
			if !allowed[i].Has(l) {
				scores[i][l] += margin(right[i], l)
			}
		}
	}
	tag.Best(scores, steps, guess)
	wrong := 0
	before, guessBefore := tag.Label(0), tag.Label(0)
	for i := range scores {
		if guess[i] != right[i] {
			wrong++
			for _, n := range x.token(i) {
				t.move(int(n)*tag.Labels+int(right[i]), 1)
				t.move(int(n)*tag.Labels+int(guess[i]), -1)
			}
		}
		if guess[i] != right[i] || before != guessBefore {
			t.move(t.steps+int(before)*tag.Labels+int(right[i]), 1)
			t.move(t.steps+int(guessBefore)*tag.Labels+int(guess[i]), -1)
		}
		before, guessBefore = right[i], guess[i]
	}
	t.step++
	return wrong
}

func (t *trainer) scores(x text) []tag.Scores {
	scores := make([]tag.Scores, len(x.ends))
	for i := range scores {
		s := &scores[i]
		for _, n := range x.token(i) {
			row := t.now[int(n)*tag.Labels : int(n)*tag.Labels+tag.Labels]
			for l := range s {
				s[l] += row[l]
			}
		}
	}
	return scores
}

// right is the best labelling of those that are allowed: most samples have one.
func (t *trainer) right(scores []tag.Scores, steps *tag.Steps, allowed []tag.Set) []tag.Label {
	right := make([]tag.Label, len(allowed))
	open := false
	for i, a := range allowed {
		for l := range tag.Label(tag.Labels) {
			if a == tag.Only(l) {
				right[i] = l
			}
		}
		open = open || a&(a-1) != 0
	}
	if !open {
		return right
	}
	masked := slices.Clone(scores)
	for i := range masked {
		for l := range tag.Label(tag.Labels) {
			if !allowed[i].Has(l) {
				masked[i][l] = -1 << 24
			}
		}
	}
	tag.Best(masked, steps, right)
	return right
}

// margin is by how much the right label must win over another one: to miss what
// must go costs more than to take what may stay.
func margin(right, other tag.Label) int32 {
	if right.Private() && !other.Private() {
		return 20
	}
	return 10
}

func (t *trainer) move(i int, by int32) {
	t.now[i] += by
	t.sum[i] += int64(by) * t.step
}

// mean is the average of a weight over all steps, in units of stored weights.
func (t *trainer) mean(i int) int64 {
	return (int64(t.now[i])*t.step - t.sum[i]) * scale / t.step
}

// scale is how many steps of a stored weight make one of training.
const scale = 4

// heaviest numbers the n features whose weights are the largest together.
func (t *trainer) heaviest(n int) []int32 {
	weight := make([]int64, t.steps/tag.Labels)
	order := make([]int32, len(weight))
	for k := range weight {
		order[k] = int32(k)
		for l := range tag.Labels {
			weight[k] += max(t.mean(k*tag.Labels+l), -t.mean(k*tag.Labels+l))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(weight[b], weight[a]) })
	return order[:min(n, len(order))]
}

// model lays the mean weights out as the bytes of a model, the heaviest features
// first.
func (t *trainer) model(hashes []uint64) []byte {
	order := t.heaviest(len(hashes))
	sorted := make([]uint64, len(order))
	for i, k := range order {
		sorted[i] = hashes[k]
	}
	stored := func(i int, most int64) int64 { return max(-most, min(most, t.mean(i))) }
	return tag.Pack(sorted,
		func(f int, l tag.Label) int8 { return int8(stored(int(order[f])*tag.Labels+int(l), 127)) },
		func(a, b tag.Label) int16 { return int16(stored(t.steps+int(a)*tag.Labels+int(b), 32_000)) })
}
