package detect

import (
	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// ailmentAt finds an ailment whose naming word is token i, and widens it to the
// words that belong to it.
func (x *Sheet) ailmentAt(i int) (ailment, bool) {
	a, ok := x.namedAt(i)
	a.core = [2]int{a.from, a.to}
	return a, ok
}

func (x *Sheet) namedAt(i int) (ailment, bool) {
	if x.cure(i) {
		return ailment{from: i, to: i + 1, kind: plain, rule: "therapy", score: 0.7, key: x.tok[i].Key}, true
	}
	if x.firm(i) && x.tok[i].Flags&lex.Lab == 0 || x.sumAt(i) {
		return ailment{}, false
	}
	a := ailment{from: i, rule: "condition", score: 0.85}
	if b, ok := x.figureAt(i); ok {
		return b, true
	}
	to, kind := x.phraseAt(i)
	if to <= i+1 {
		if broken, ok := x.brokenPart(i); ok || to == i {
			return broken, ok
		}
	}
	a.kind, a.key = kind, x.keyOf(i, to)
	a.from = x.treatedFor(x.growLeft(i))
	a.to = x.growRight(to)
	if kind == plain && x.measured(a.from, a.to) {
		a.kind = marked // nobody but one has a cyst of 3 cm
	}
	if dosed := x.dose(a.to); dosed > a.to {
		a.to, a.kind, a.rule = dosed, marked, "medicine"
	}
	return a, true
}

// figures are what is read by its own form, in this order, and how much it tells.
var figures = []struct {
	end  func(*Sheet, int) int // where it ends, the token itself for none
	kind ailmentKind
	rule string
}{
	{(*Sheet).toothAt, plain, "tooth"},
	{(*Sheet).billedCode, plain, procedureCode},
	{(*Sheet).pregnancyWeek, plain, "gestation"},
	{(*Sheet).bodyWeight, plain, "body_weight"},
	{(*Sheet).fever, plain, "test_result"},
	{(*Sheet).rated, marked, "test_result"},
	{(*Sheet).degreeOf, marked, "test_result"},
	{(*Sheet).hearingLoss, marked, "test_result"},
	{(*Sheet).germ, plain, "condition"},
	{(*Sheet).bornAtWeek, plain, "gestation"},
}

// figureAt reads a code, a result or a figure of medicine at token i.
func (x *Sheet) figureAt(i int) (ailment, bool) {
	a := ailment{from: i, score: 0.85}
	if to := x.codeAt(i); to > i {
		a.to, a.kind, a.rule, a.key = to, marked, "diagnosis_code", x.keyOf(i, to)
		if x.wordsBefore(i, 1, "cpt hcpcs drg") {
			a.kind, a.rule = plain, procedureCode
		}
		if oneOf(x.wordOr(i-1), procedures) {
			a.from--
		}
		return a, true
	}
	if to := x.resultAt(i); to > i {
		a.to, a.kind, a.rule, a.key = to, marked, "test_result", x.keyOf(i, to)
		a.from = x.growLeft(i)
		if x.scale(i) && oneOf(x.wordOr(i-1), "de di van of") && oneOf(x.wordOr(i-2), "escala échelle scala schaal score scale índice indice") {
			a.from = i - 2
		}
		if x.careLevel(i) {
			a.kind = vague
		}
		return a, true
	}
	for _, f := range figures {
		if to := f.end(x, i); to > i {
			a.to, a.kind, a.rule, a.key = to, f.kind, f.rule, x.keyOf(i, to)
			return a, true
		}
	}
	return a, false
}

// firm tells whether token i is held as the name of something. What the tagger
// reads as medicine is none, unless an organisation has the same name: Dexcom is a
// firm and a sensor.
func (x *Sheet) firm(i int) bool {
	t := x.tok[i]
	if !x.held[i] || t.Case == lex.Lower {
		return false
	}
	if t.Flags&lex.Care != 0 && t.Flags&(lex.Org|lex.OrgWord|lex.Given|lex.Surname|lex.Place) == 0 {
		return false // Ozempic is a name of nothing else
	}
	if t.Flags&lex.Care != 0 && t.Flags&lex.Org == 0 && tag.Kind(x.labels[i]) != tag.NameFirst {
		return false
	}
	if x.labels[i] != tag.MedicalFirst && x.labels[i] != tag.MedicalNext {
		return true
	}
	return t.Flags&lex.Org != 0 && (t.Flags&(lex.Care|lex.Ill|lex.Lab) == 0 || t.Case != lex.Caps && x.hints(i-1)&possessive == 0 && !x.is(i-2, "'") && x.dose(i+1) == i+1)
}

// brokenPart reads what happened to a part of the body behind it: "two of my toes
// were amputated", "sa hanche est cassée". The word of harm is token i.
func (x *Sheet) brokenPart(i int) (ailment, bool) {
	if i > 1 && oneOf(x.word(i), "done fixed sorted") && x.has(i-1, lex.Part) && x.hints(i-2)&possessive != 0 {
		return ailment{from: i - 1, to: i + 1, key: x.keyOf(i-1, i+1), kind: plain, rule: "injury", score: 0.8}, true // got his hip done
	}
	if f, n := x.classAt(i); n != 1 || f&(lex.Hurt|lex.Act) == 0 {
		return ailment{}, false
	}
	j := i - 1
	for hops := 0; hops < 3 && j > 0 && !x.tok[j+1].Line && (x.hints(j)&(has|told) != 0 || oneOf(x.word(j), "be been badly nearly almost being left remained stayed resté restée restés rimasto rimasta quedó quedado ficou gebleven bleef geblieben blieb jest są")); hops++ {
		j--
	}
	if n := len(x.ailments); n > 0 && x.ailments[n-1].to == j+1 && x.ailments[n-1].kind != vague && (j < i-1 || x.romance()) {
		from := x.ailments[n-1].from
		return ailment{from: from, to: i + 1, key: x.keyOf(from, i+1), kind: plain, rule: "injury", score: 0.8}, true
	}
	if j == i-1 && x.tongue() != german && x.tongue() != dutch || j < 0 || !x.has(j, lex.Part) || x.hints(j-1)&(possessive|joining) == 0 && !x.has(j-1, lex.Mark) && !(x.wordOr(j-1) == "s" && x.personAt(j-3)) {
		return ailment{}, false
	}
	return ailment{from: x.growLeft(j), to: i + 1, key: x.keyOf(j, i+1), kind: plain, rule: "injury", score: 0.8}, true
}

// classAt is what the longest phrase of medicine at token i is, and its length in
// tokens; 0 where there is none.
func (x *Sheet) classAt(i int) (lex.Flags, int) {
	if i >= len(x.tok) || x.firm(i) {
		return 0, 0
	}
	if f, n := lex.Phrase(x.tok, i); n > 0 && f&lex.Medicine != 0 {
		return f & lex.Medicine, n
	}
	t := x.tok[i]
	if t.Kind == lex.Sign || t.Kind == lex.Placeholder {
		return 0, 0
	}
	f := t.Flags & lex.Medicine
	if t.Flags&lex.Month != 0 && f&(lex.Ill|lex.Care) == 0 {
		return 0, 0 // it stood in the date of a treatment
	}
	if f == 0 && t.To-t.From < 6 || x.otherwise(i, f) {
		return 0, 0
	}
	if f&^(lex.Sick|lex.Mark) == 0 && f&lex.Sick != 0 && t.Flags&lex.Clinical == 0 {
		f ^= lex.Sick | lex.Act // learned from a line, where it stood beside other words
	}
	if t.To-t.From <= 4 && t.Case != lex.Caps && t.Flags&(lex.Word|lex.Foreign) != 0 && f&(lex.Part|lex.Mark|lex.Hurt) == 0 {
		return 0, 0 // als and add are words, ALS and ADD conditions
	}
	if t.Kind == lex.Letters && f&(lex.Ill|lex.Care|lex.Sick|lex.Act|lex.Hurt) == 0 && (medicalEnd(x.word(i)) || medicalCompound(x.word(i))) {
		f |= lex.Ill
	}
	if f == 0 {
		f = x.hyphened(i)
	}
	return f, min(int(f), 1)
}

// otherwise weeds out words that are medical in one language and something else
// in others.
func (x *Sheet) otherwise(i int, f lex.Flags) bool {
	w, t := x.word(i), x.tok[i]
	switch {
	case f&(lex.Ill|lex.Care) != 0 && t.To-t.From <= 3 && t.Case != lex.Caps:
		return !oneOf(w, "hiv vih rak zez lit")
	case oneOf(w, "back") && oneOf(x.wordOr(i-1), "came come comes coming go gone goes got get went going sent send brought bring gave give put pushed called call paid pay wrote write held hold roll rolled cut set bounced turned turn took take moved"):
		return true
	case weekdayKeys()[t.Key], x.hints(i)&pronoun != 0 && t.Case != lex.Caps:
		return true
	case oneOf(w, "autista autisti") && x.tongue() == italian:
		return !x.ofChild(i) // or a driver
	case f&lex.Medicine == lex.Sick && !x.is(i-1, ",:") && x.labels[i] != tag.MedicalFirst && x.labels[i] != tag.MedicalNext:
		return t.Flags&(lex.Word|lex.Foreign|lex.Languages) != 0 // learned from a line that it stood in
	case oneOf(w, "zimmer"):
		return x.tongue() == german // a room, where it is a maker of joints elsewhere
	case w == "MS" && x.tongue() == portuguese && x.is(i-1, ","):
		return true // Mato Grosso do Sul behind its town
	case f&lex.Sick != 0 && oneOf(w, polishMonths):
		return true // it stood in the date of a treatment
	case oneOf(w, "fissure fissures") && x.tongue() == french:
		return !oneOf(x.wordOr(i+1), "anale anales") // a crack in a wall
	case w == "rąk" || w == "Rąk":
		return true // hands, not cancer
	case f&lex.Part != 0 && oneOf(w, "been long teen lies rug main sein dos rein reins rate kin pet bras"):
		return x.tongue() != dutch && x.tongue() != french
	}
	return false
}

// phraseAt reads a chain of medical words from token i on: "removal of a kidney
// stone", "fracture of the left wrist", "prothèse totale de hanche". It returns
// where the chain ends, i for none, and how much it tells.
func (x *Sheet) phraseAt(i int) (int, ailmentKind) {
	var seen lex.Flags
	end, bridge := i, 0
	for j := i; j < len(x.tok) && j < i+16; {
		f, n := x.classAt(j)
		switch {
		case n > 0 && (f&^lex.Mark != 0 || end > i && x.timesAWeek(j) == j):
			if bridge > 0 && f&^lex.Lab == 0 {
				return end, kindOf(seen)
			}
			if f&^(lex.Mark|lex.Lab) == 0 && bridge > 0 {
				j += n // an adjective behind a preposition waits for its noun
				continue
			}
			seen |= f
			j += n
			end, bridge = j, 0
			if seen&^lex.Part == 0 && seen&lex.Part != 0 {
				continue
			}
		case end > i && seen&^(lex.Part|lex.Mark) != 0 && x.sized(j) > j:
			j = x.sized(j)
			end, bridge = j, 0
		case end > i && seen&^lex.Part != 0 && bridge < 3 && x.bridges(j):
			bridge++
			j++
		default:
			j = len(x.tok)
		}
	}
	kind := kindOf(seen)
	if to := x.syndrome(i); kind != plain && to > i {
		return max(to, end), plain
	}
	if kind == 0 {
		return i, 0
	}
	return end, kind
}

// ofChild tells whether a child stands among the two tokens before token i.
func (x *Sheet) ofChild(i int) bool {
	for j := max(0, i-2); j < i; j++ {
		if oneOf(x.word(j), "figlio figlia figli bambino bambina bambini nipote nipotino nipotina ragazzo ragazza fratellino sorellina") {
			return true
		}
	}
	return false
}

// kindOf tells how much words of some classes tell together, 0 for nothing.
func kindOf(seen lex.Flags) ailmentKind {
	switch {
	case seen&(lex.Ill|lex.Care|lex.Sick) != 0, seen&(lex.Act|lex.Hurt) != 0 && seen&lex.Part != 0:
		return plain
	case seen&lex.Act != 0:
		return vague
	}
	return 0
}

// bridges tells whether token i may stand between a treatment and a part of the
// body.
func (x *Sheet) bridges(i int) bool {
	if oneOf(x.word(i), "as") && x.tongue() == english {
		return false // dyslexia as a disability
	}
	return !x.tok[i].Line && (x.hints(i)&(joining|possessive) != 0 || x.is(i, "'"))
}
