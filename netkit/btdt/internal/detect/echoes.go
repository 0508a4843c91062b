package detect

import "strings"

// echo is a reference that was found, to be sought again.
type echo struct{ text, kind string }

// spreadReferences marks in all sheets the numbers that a word announced in some of
// them: a code without its word later in the playbook is the same code. Each is
// sought by its first token, so that many numbers cost no more than one.
func spreadReferences(all, found []*Sheet) bool {
	sought := map[uint64][]echo{}
	for _, x := range found {
		for _, s := range x.spans {
			from := max(s.From, s.Value)
			if text := x.s[from:s.To]; strings.Contains(signed, " "+s.Type+" ") && recognisable(text) {
				if i := x.at(from); i < len(x.tok) && x.tok[i].From == from {
					sought[x.tok[i].Key] = append(sought[x.tok[i].Key], echo{text, s.Type})
				}
			}
		}
	}
	if len(sought) == 0 {
		return false
	}
	more := false
	for _, x := range all {
		more = x.echoes(sought) || more
	}
	return more
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
func (x *Sheet) echoes(sought map[uint64][]echo) bool {
	more := false
	for i := 0; i < len(x.tok); i++ {
		from := x.tok[i].From
		for _, e := range sought[x.tok[i].Key] {
			to := from + len(e.text)
			if !strings.HasPrefix(x.s[from:], e.text) || x.letterAt(to) || x.letterAt(from-1) || x.foreignAt(to) || x.taken(from, to) || x.isMoney(from, to) || x.countedThing(to) {
				continue
			}
			x.add(from, to, e.kind, "same_reference", 0.85)
			more = true
			break
		}
	}
	return more
}
