package detect

import (
	"slices"
	"strings"
)

// echoed are the references that were found, to be sought again: what each is, and
// how long those are that start with the same token, the longest first. So a text is
// asked about a few lengths at each token, however many numbers there are.
type echoed struct {
	kinds map[string]string
	sizes map[uint64][]int
}

// spreadReferences marks in all sheets the numbers that a word announced in some of
// them: a code without its word later in the playbook is the same code.
func spreadReferences(all, found []*Sheet) bool {
	sought := echoed{map[string]string{}, map[uint64][]int{}}
	for _, x := range found {
		for _, s := range x.spans {
			from := max(s.From, s.Value)
			if text := x.s[from:s.To]; strings.Contains(signed, " "+s.Type+" ") && recognisable(text) {
				if i := x.at(from); i < len(x.tok) && x.tok[i].From == from {
					sought.add(x.tok[i].Key, text, s.Type)
				}
			}
		}
	}
	if len(sought.kinds) == 0 {
		return false
	}
	for _, sizes := range sought.sizes {
		slices.SortFunc(sizes, func(a, b int) int { return b - a })
	}
	more := false
	for _, x := range all {
		more = x.echoes(sought) || more
	}
	return more
}

// add notes a reference by the key of its first token.
func (e echoed) add(key uint64, text, kind string) {
	if _, known := e.kinds[text]; known {
		return
	}
	e.kinds[text] = kind
	if !slices.Contains(e.sizes[key], len(text)) {
		e.sizes[key] = append(e.sizes[key], len(text))
	}
}

// recognisable tells whether a number is long enough to be the same one wherever
// it stands.
func recognisable(text string) bool {
	n := digitsIn(text)
	if n == len(text) {
		return n >= 5
	}
	return (n >= 3 || mingled(text)) && len(text) >= 5 && !yearSpan(text)
}

// echoes marks what stands in a text again without its word.
func (x *Sheet) echoes(sought echoed) bool {
	more := false
	for i := 0; i < len(x.tok); i++ {
		from := x.tok[i].From
		for _, size := range sought.sizes[x.tok[i].Key] {
			to := from + size
			if to > len(x.s) {
				continue
			}
			kind, known := sought.kinds[x.s[from:to]]
			if !known || x.letterAt(to) || x.letterAt(from-1) || x.foreignAt(to) || x.taken(from, to) || x.isMoney(from, to) || x.countedThing(to) {
				continue
			}
			x.add(from, to, kind, "same_reference", 0.85)
			more = true
			break
		}
	}
	return more
}
