package tag

// Scores has a number for each label.
type Scores [Labels]int32

// Steps has a number for each pair of labels, the first before the second.
type Steps [Labels]Scores

// never is the score of what cannot be.
const never = -1 << 28

// NewSteps lays out the weights from label to label, with those that cannot be at
// never.
func NewSteps(step func(a, b Label) int32) *Steps {
	var s Steps
	for a := range Label(Labels) {
		for b := range Label(Labels) {
			s[a][b] = never
			if Follows(a, b) {
				s[a][b] = step(a, b)
			}
		}
	}
	return &s
}

// forward gives, for each token and label, the score of the best sequence up to
// there, and the label before it.
func forward(scores []Scores, steps *Steps) ([]Scores, [][Labels]Label) {
	best, back := make([]Scores, len(scores)), make([][Labels]Label, len(scores))
	before := Scores{}
	for l := 1; l < Labels; l++ {
		before[l] = never
	}
	for i := range scores {
		for b := range Label(Labels) {
			top, from := before[0]+steps[0][b], Label(0)
			for a := Label(1); a < Labels; a++ {
				if v := before[a] + steps[a][b]; v > top {
					top, from = v, a
				}
			}
			best[i][b], back[i][b] = max(top, 2*never)+scores[i][b], from
		}
		before = best[i]
	}
	return best, back
}

// Best writes the best sequence of labels into labels, which is as long as scores.
func Best(scores []Scores, steps *Steps, labels []Label) {
	best, back := forward(scores, steps)
	if len(best) == 0 {
		return
	}
	last, top := best[len(best)-1], Label(0)
	for l := range Label(Labels) {
		if last[l] > last[top] {
			top = l
		}
	}
	for i := len(scores) - 1; i >= 0; i-- {
		labels[i] = top
		top = back[i][top]
	}
}

// margins compares, for each token and label, the best sequences with and without
// the label there. The two labels of a name count as one.
func margins(scores []Scores, steps *Steps) []Scores {
	best, _ := forward(scores, steps)
	var after Scores // the best score behind a token, by its label
	for i := len(scores) - 1; i >= 0; i-- {
		var through Scores
		for l := range through {
			through[l] = best[i][l] + after[l]
		}
		after = bestAfter(&scores[i], &after, steps)
		best[i] = leads(&through)
	}
	return best
}

// leads subtracts from each score the best of the others.
func leads(through *Scores) (out Scores) {
	t := *through
	t[NameFirst] = max(t[NameFirst], t[NameNext])
	t[NameNext] = 4 * never
	first, top, next := Label(0), t[0], int32(4*never)
	for l := Label(1); l < Labels; l++ {
		switch {
		case t[l] > top:
			first, top, next = l, t[l], top
		case t[l] > next:
			next = t[l]
		}
	}
	for l := range Label(Labels) {
		out[l] = t[l] - top
		if l == first {
			out[l] = t[l] - next
		}
	}
	out[NameNext] = out[NameFirst]
	return out
}

// bestAfter is the best score of a token and all behind it, by the label before.
func bestAfter(row, after *Scores, steps *Steps) (before Scores) {
	for a := range Label(Labels) {
		top := int32(2 * never)
		for b := range Label(Labels) {
			top = max(top, steps[a][b]+row[b]+after[b])
		}
		before[a] = top
	}
	return before
}
