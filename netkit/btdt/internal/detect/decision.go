package detect

import "github.com/agentnet/netctl/netkit/btdt/internal/lex"

// Author is the rule of a span that the author of a playbook marked.
const Author = "author"

// Decision is what the author of a playbook has decided on a text wherever its
// words stand, whatever their case.
type Decision struct {
	keys  []uint64 // of its words and signs
	label []uint64 // of its words, for labels, where signs part words
	kind  string   // type of a marked text; "" keeps it
	here  bool     // of this field only: the rest of the playbook is not sure of it
}

// Keep decides that a text stays.
func Keep(text string) Decision { return newDecision(text) }

// Mark decides that a text goes. Here limits what is learned of it to doubt.
func Mark(text, kind string, here bool) Decision {
	d := newDecision(text)
	d.kind, d.here = kind, here
	return d
}

func newDecision(text string) (d Decision) {
	for _, t := range lex.Split(lex.Fold(text).S, nil) {
		d.keys = append(d.keys, t.Key)
		if t.Kind != lex.Sign {
			d.label = append(d.label, t.Key)
		}
	}
	return d
}

// Decide notes the decisions that hold in the text, before Find.
func (x *Sheet) Decide(all []Decision) {
	for _, d := range all {
		keys := d.keys
		if x.Field == "sub_category" {
			keys = d.label
		}
		for from, to := range x.places(keys) {
			if part := [2]int{from, to}; d.kind == "" {
				x.keeps = append(x.keeps, part)
			} else {
				x.marks = append(x.marks, Span{From: from, To: to, Type: d.kind, Rule: Author, Score: 1, Sure: true, here: d.here})
			}
		}
	}
}

// Holds reports whether a text has the words of a decision.
func (x *Sheet) Holds(d Decision) bool {
	keys := d.keys
	if x.Field == "sub_category" {
		keys = d.label
	}
	for range x.places(keys) {
		return true
	}
	return false
}

// places yields the bytes from and to which some keys stand in a row.
func (x *Sheet) places(keys []uint64) func(yield func(from, to int) bool) {
	return func(yield func(from, to int) bool) {
		for i := 0; len(keys) > 0 && i+len(keys) <= len(x.tok); i++ {
			last := i + len(keys) - 1
			if x.matches(i, keys) && !yield(x.tok[i].From, x.tok[last].To) {
				return
			}
		}
	}
}

func (x *Sheet) matches(i int, keys []uint64) bool {
	for k, key := range keys {
		if t := &x.tok[i+k]; t.Key != key || t.Kind == lex.Placeholder {
			return false
		}
	}
	return true
}

// takeMarks takes what the author marked.
func (x *Sheet) takeMarks() {
	for _, s := range x.marks {
		x.put(s)
	}
}

// spare takes out of what was found what the author keeps, and remembers it.
func (x *Sheet) spare() {
	if len(x.keeps) == 0 {
		return
	}
	var left []Span
	for _, s := range x.spans {
		pieces := x.pieces(s)
		if len(pieces) != 1 || pieces[0] != s {
			x.spared = append(x.spared, s)
			clear(x.covered[s.From:s.To])
		}
		left = append(left, pieces...)
	}
	x.spans = left
	for _, s := range left {
		x.cover(s)
	}
}

// pieces is what is left of a span without what the author keeps.
func (x *Sheet) pieces(s Span) (pieces []Span) {
	first, end := x.at(s.From), min(x.at(s.To-1)+1, len(x.tok))
	if s.Rule == Author || !x.keptIn(first, end) {
		return []Span{s}
	}
	for i := first; i < end; i++ {
		from := i
		for i < end && !x.keptIn(i, i+1) {
			i++
		}
		if a, b := x.trim(from, i); a < b && (s.Type != Name || x.named(a, b)) {
			piece := s
			piece.From, piece.To = x.tok[a].From, x.tok[b-1].To
			pieces = append(pieces, piece)
		}
	}
	return pieces
}

// keptIn reports whether the author keeps one of some tokens.
func (x *Sheet) keptIn(from, end int) bool {
	for i := from; i < end; i++ {
		for _, k := range x.keeps {
			if k[0] <= x.tok[i].From && x.tok[i].To <= k[1] {
				return true
			}
		}
	}
	return false
}

// Kept returns what was found and stays, since the author keeps it.
func (x *Sheet) Kept() []Span { return disjoint(x.spared) }
