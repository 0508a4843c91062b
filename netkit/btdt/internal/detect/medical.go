package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// ailment is a condition, treatment, result or code in a text: the tokens from
// to to, and what speaks for its being one person's.
type ailment struct {
	from, to int
	core     [2]int // the part of it that the lists or a rule know; nothing of it is trimmed
	key      uint64 // of the words that name it, wherever in the playbook they stand
	weight   int    // points; see weigh
	tagged   bool   // the tagger sees it as well
	rule     string
	score    float64 // confidence shown with a finding, never reckoned with
	kind     ailmentKind
}

// head is the first token of an ailment without what the tagger sees before it.
func (a *ailment) head() int {
	if a.core[1] > 0 {
		return max(a.from, a.core[0])
	}
	return a.from
}

// ailmentKind is how much an ailment tells by itself.
type ailmentKind uint8

const (
	vague  ailmentKind = iota + 1 // surgery, scan, injury: many a text has one
	plain                         // Crohn's disease, hip surgery, metformin
	marked                        // a code, a result, a dose: hardly ever in general talk
)

// procedureCode is the rule of a code that a schedule of fees has for a service.
const procedureCode = "procedure_code"

// private is the weight from which on an ailment is taken for one person's.
const private = 4

// longest is how many tokens of the tagger's are one ailment at most: as many as a
// sentence is read on.
const longest = 60

// medical finds conditions, medicines, procedures, results and codes that are
// tied to a person. General words of medicine stay: a diabetes clinic is nobody's
// illness.
func (x *Sheet) medical() {
	if x.Field == "legal_levers" {
		x.argued()
		return
	}
	if x.Field == "entity" || x.Field == "region" || x.Field == "sub_category" {
		return // what stands there is about no patient
	}
	for i := 0; i < len(x.tok); i++ {
		if a, ok := x.ailmentAt(i); ok {
			x.ailments = append(x.ailments, a)
			i = a.to - 1
		}
	}
	x.taggedAilments()
	x.cuedAilments()
	x.medicine = make([]bool, len(x.tok))
	for _, a := range x.ailments {
		for i := a.from; i < a.to; i++ {
			x.medicine[i] = true
		}
	}
	for i := range x.ailments {
		x.weigh(&x.ailments[i])
	}
	x.enumerate()
	x.overshadow()
	for _, a := range x.ailments {
		if a.weight >= private {
			x.addMedical(a)
		}
	}
	x.treatmentDates()
}

func (x *Sheet) addMedical(a ailment) {
	from, to := x.trimmed(a.from, a.to)
	if a.core[1] > 0 {
		from, to = min(from, a.core[0]), max(to, a.core[1])
	}
	if to > from && !(x.Field == "title" && to == from+1 && oneOf(x.word(from), bareTreatments)) {
		x.add(x.tok[from].From, x.tok[to-1].To, Medical, a.rule, a.score)
	}
}

// trimmed leaves out what stands around the words of an ailment but is none of
// them.
func (x *Sheet) trimmed(from, to int) (int, int) {
	for from < to && (x.tok[from].Kind == lex.Sign || x.hints(from)&(possessive|joining|suffers|pronoun|has|topic|paper|market|told) != 0 && x.tok[from].Flags&lex.Medicine == 0) {
		from++
	}
	for to > from && (x.tok[to-1].Kind == lex.Sign && !x.is(to-1, ")%") || (x.hints(to-1)&(joining|organ|could|conjunction) != 0 || fillerKeys()[x.tok[to-1].Key] || oneOf(x.word(to-1), verdicts)) && x.tok[to-1].Flags&lex.Medicine == 0) {
		to--
	}
	return from, to
}

// taggedAilments adds what the tagger takes for medical: it widens an ailment that
// the word lists know, or stands alone with a good deal less credit.
func (x *Sheet) taggedAilments() {
	for i := 0; i < len(x.tok); i++ {
		if tag.Kind(x.labels[i]) != tag.MedicalFirst {
			continue
		}
		to := i + 1
		for to < len(x.tok) && to-i < longest && x.labels[to] == tag.MedicalNext {
			to++
		}
		x.tagged(i, to)
		i = to - 1
	}
}

// tagged joins tokens that the tagger marks to the ailments they touch.
func (x *Sheet) tagged(from, to int) {
	for from < to && x.somebody(from) {
		from++
	}
	for i := from + 1; i < to; i++ {
		if x.dayOrSpan(i) > 0 || x.somebody(i) {
			to = i // days are found by themselves
		}
	}
	from, to = x.trimmed(from, to)
	if from >= to || x.held[from] || x.dayOrSpan(from) > 0 {
		return
	}
	touched := false
	for k := range x.ailments {
		a := &x.ailments[k]
		if a.from < to && from < a.to {
			touched = true
			x.widen(a, from, to)
			a.weight += 2 * boolInt(a.rule != procedureCode)
			a.tagged = true
			if a.kind == vague && (to-from > 1 || a.to-a.from > 1) {
				a.kind = plain
			}
		}
	}
	if weight, ok := x.medicalLike(from, to); ok && !touched && !institution(x.word(to-1)) {
		x.ailments = append(x.ailments, ailment{from: from, to: to, kind: plain, rule: "tagger", score: 0.75, weight: weight, key: x.keyOf(from, to)})
	}
}

// widen takes in what the tagger sees around an ailment, up to a sign or a word
// that only a sentence about it has: "the handbook mentions depression".
func (x *Sheet) widen(a *ailment, from, to int) {
	parts := func(i int) bool {
		return x.tok[i].Kind == lex.Sign && !x.is(i, "-'()/%") || (x.hints(i)&(rules|paper|could|market|anyone|told|organ) != 0 || oneOf(x.word(i), "as als comme como come jako")) && x.tok[i].Flags&lex.Medicine == 0
	}
	for a.from > from && !parts(a.from-1) {
		a.from--
	}
	for a.to < to && !parts(a.to) {
		a.to++
	}
}

// somebody tells whether token i is a word for a person, which belongs to no
// ailment.
func (x *Sheet) somebody(i int) bool {
	return x.tok[i].Flags&lex.Medicine == 0 && x.has(i, lex.Kin) || x.hints(i)&pronoun != 0 && x.pronounAt(i)
}

// keyOf is the key of some tokens, word by word.
func (x *Sheet) keyOf(from, to int) uint64 {
	key := x.tok[from].Key
	for i := from + 1; i < to; i++ {
		key = lex.Join(key, x.tok[i].Key)
	}
	return key
}

// enumerate gives what stands in one list with a person's ailment the same
// weight: "severe asthma, eczema and a nut allergy".
func (x *Sheet) enumerate() {
	for pass := range 2 {
		for k := 1; k < len(x.ailments); k++ {
			a, b := &x.ailments[k-1], &x.ailments[k]
			if pass == 1 {
				a, b = b, a
			}
			if a.weight >= private && b.weight < private && b.weight >= 0 && x.listed(min(a.to, b.to), max(a.from, b.from)) {
				b.weight = private
			}
		}
	}
}

// overshadow takes scans, biopsies and the like for nobody's where the sentence
// says what they found: that is what must go.
func (x *Sheet) overshadow() {
	for k := range x.ailments {
		a := &x.ailments[k]
		if a.kind != vague || a.weight < private || x.owned(a) > 3 || x.dated(a) || !x.testing(a) {
			continue
		}
		from, to := x.sentence(a.from)
		for i := from; i < to; i++ {
			if x.tok[i].Kind == lex.Placeholder && strings.HasPrefix(x.word(i), "[MEDICAL") {
				a.weight = private - 1 // what it found went in an earlier round
			}
		}
		for _, b := range x.ailments {
			if b.kind != vague && b.weight >= private && b.from >= from && b.to <= to {
				a.weight = private - 1
			}
		}
	}
}

// testing tells whether an ailment is a test, which shows another one.
func (x *Sheet) testing(a *ailment) bool {
	for i := a.from; i < a.to; i++ {
		if oneOf(x.word(i), tests) || lastly(x.word(i), "scopy scopie skopie scopia scopía gramm gram grama gramma graphie grafie grafia grafía graphy spiegelung onderzoek") {
			return true
		}
	}
	return false
}

// listed tells whether nothing but a comma or an "and" stands between two places.
func (x *Sheet) listed(from, to int) bool {
	if to-from > 3 || from > to {
		return false
	}
	for i := from; i < to; i++ {
		if !x.is(i, ",/+&()") && x.hints(i)&(conjunction|joining) == 0 {
			return false
		}
	}
	return true
}

// medicalLike is the credit of the tagger's find: some for a word that looks like
// one of medicine, less for one that no list knows, and never for any other.
func (x *Sheet) medicalLike(from, to int) (weight int, ok bool) {
	for i := from; i < to; i++ {
		t := x.tok[i]
		if t.Flags&lex.Month != 0 && t.Flags&(lex.Ill|lex.Care) == 0 {
			continue // it stood in the date of a treatment
		}
		if x.otherwise(i, t.Flags&lex.Medicine) || x.hints(i)&(every|could) != 0 || fillerKeys()[t.Key] {
			continue // dort viele
		}
		if t.Flags&(lex.Ill|lex.Care|lex.Act|lex.Sick) != 0 {
			return -1, true
		}
		if t.Flags&lex.Clinical != 0 {
			if weight, ok = -2, true; t.Flags&(lex.Word|lex.Foreign) != 0 || x.past(i) {
				weight = -6 // "ensuite" as well stood in a line of medicine
			}
			continue
		}
		if !ok && t.Kind == lex.Letters && t.To-t.From > 5 && t.Case != lex.Caps && t.Flags&^lex.Start == 0 && !x.past(i) {
			weight, ok = -6, true
		}
	}
	return weight, ok
}

// spreadAilments marks in all sheets the ailments that were found to be a person's
// in some of them. What else a playbook of a patient says of illness is as often
// general talk: which conditions a rule covers, what a catalogue lists.
func spreadAilments(all []*Sheet) bool {
	theirs := map[uint64]bool{}
	for _, x := range all {
		for _, a := range x.ailments {
			if a.weight >= private && a.kind != vague {
				theirs[a.key] = true
			}
		}
	}
	if len(theirs) == 0 {
		return false
	}
	more := false
	for _, x := range all {
		for k := range x.ailments {
			a := &x.ailments[k]
			if a.weight >= private || x.follows(a) < 0 || !theirs[a.key] || a.weight < 0 {
				continue
			}
			a.weight = private
			x.addMedical(*a)
			more = true
		}
		more = x.paperDates() || more
	}
	return more
}
