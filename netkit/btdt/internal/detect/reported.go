package detect

import "github.com/agentnet/netctl/netkit/btdt/internal/lex"

// Reported is a part of a text that another detector found, in code points of the
// text that NewSheet got.
type Reported struct {
	Start, End int
	Type       string
	Rule       string
	Score      float64
}

// reportedSure is the score from which a detector is believed without a question.
const reportedSure = 0.85

// Take adds the findings of another detector, after Find: whole words, without signs
// and placeholders at their edges. A finding that both have, of the same type, is sure.
func (x *Sheet) Take(all []Reported) {
	for _, r := range all {
		first := 0
		for i := 0; i <= len(x.tok); i++ {
			if i < len(x.tok) && x.tok[i].Kind != lex.Placeholder && x.touches(i, r) {
				continue
			}
			x.takeWords(first, i, r)
			first = i + 1
		}
	}
}

// touches reports whether token i stands for some of a reported part.
func (x *Sheet) touches(i int, r Reported) bool {
	start, end := x.Place(x.tok[i].From, x.tok[i].To)
	return start < r.End && r.Start < end
}

// takeWords takes tokens as a reported part.
func (x *Sheet) takeWords(i, j int, r Reported) {
	for i < j && x.tok[i].Kind == lex.Sign {
		i++
	}
	for i < j && x.tok[j-1].Kind == lex.Sign {
		j--
	}
	if i >= j {
		return
	}
	s := Span{From: x.tok[i].From, To: x.tok[j-1].To, Type: r.Type, Rule: r.Rule, Score: r.Score, Sure: r.Score >= reportedSure, foreign: true}
	for k := range x.spans {
		own := &x.spans[k]
		if !own.foreign && own.Type == s.Type && own.From < s.To && s.From < own.To {
			own.Sure, s.Sure = true, true
		}
	}
	x.put(s)
}

// Quoted yields the code points of the text from and to which a text stands, whatever
// its case.
func (x *Sheet) Quoted(d Decision) func(yield func(start, end int) bool) {
	return func(yield func(start, end int) bool) {
		for from, to := range x.places(d.keys) {
			if !yield(x.Place(from, to)) {
				return
			}
		}
	}
}
