package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// acts tells whether a verb that has a person as its subject follows token i:
// Paz durmió, Le Gall n'a rien signé.
func (x *Sheet) acts(i int) bool {
	j, aux := x.verbAfter(i)
	if j == 0 {
		return false
	}
	const other = lex.Org | lex.Seen | lex.OrgWord | lex.Role | lex.Law | lex.LawWord // firms say and sign as well
	t, w := x.tok[i], x.word(j)
	switch {
	case t.Flags&other != 0 && !(t.Flags&other == lex.Seen && x.lead[i] > 300), t.Flags&lex.Word != 0 && oneOf(w, manyOrDoing), x.speech == lex.Other && oneOf(w, "met"):
		return false
	case (x.has(i, lex.Given|lex.Surname) || t.Flags == 0) && !x.has(i, lex.Foreign) && humanDeedKeys()[x.tok[j].Key]:
		return true
	}
	if x.speaksWith(i) {
		return true
	}
	return x.tok[j].Flags&lex.Say != 0 || x.speech == lex.Other && pastForm(w, x.tok[j].Flags) || participle(aux, w)
}

// speaksWith tells whether the given name at token i speaks with somebody, as people
// alone do: Els sprak met de huisarts.
func (x *Sheet) speaksWith(i int) bool {
	return x.has(i, lex.Given) && i+2 < len(x.tok) && x.tok[i+1].Case == lex.Lower && oneOf(x.word(i+1), "sprak sprach spoke talked telefonierte belde habló falou parlò rozmawiał rozmawiała") && towardsKeys()[x.tok[i+2].Key]
}

// verbAfter is the word in small letters behind token i and a few that may stand
// before its verb, with the auxiliary among these; or 0.
func (x *Sheet) verbAfter(i int) (j int, aux string) {
	j = i + 1
	if x.is(j, `"`) {
		j++
	}
	for j < len(x.tok) && j < i+5 && x.tok[j].Kind == lex.Letters && x.tok[j].Case == lex.Lower && betweenKeys()[x.tok[j].Key] {
		if w := x.word(j); w == "a" || oneOf(w, "avait ha aveva") {
			aux = w
		}
		j++
	}
	if j >= len(x.tok) || x.tok[j].Kind != lex.Letters || x.tok[j].Case != lex.Lower || x.tok[j].Line {
		return 0, ""
	}
	return j, aux
}

// participle tells whether a word is a past participle behind its auxiliary.
func participle(aux, w string) bool {
	ends := ""
	switch aux {
	case "a", "avait":
		ends = "é it is u"
	case "ha", "aveva":
		ends = "ato uto ito so to"
	}
	for end := range strings.FieldsSeq(ends) {
		if len(w) > len(end)+1 && strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}

// humanDeeds are further verbs in the past that a given name is the subject of.
const humanDeeds = "came went rang picked hung spoke read knew let put stood sat ran sorted fixed booked waived credited did didn't kam kamen ging gab nahm fand sprach sprak blieb stand saß las ließ brachte kannte wusste wollte konnte nannte zog trug kwam ging gaf nam zag wist kende stond bleef las liet bracht wilde kon stuurde vond"

var humanDeedKeys = sync.OnceValue(func() map[uint64]bool { return keySet(humanDeeds) })

// manyOrDoing are verbs that are things in the plural too: pat answers, bill calls.
const manyOrDoing = "answers calls claims signs needs uses fights offers works promises replies chases waits"

// betweens stand between a subject and its verb.
const betweens = "no se me nos le lo les la não nie się ne n ' y en già ya também też non mi ci ni lhe também jamais jamás nunca also then later just never finally dann auch nur erst niet ook toen al a ha hat has had hatte heeft had avait aveva había zich sich tout tous rien bien déjà toujours encore tutto subito sempre ya siempre"

var betweenKeys = sync.OnceValue(func() map[uint64]bool { return keySet(betweens) })

// pastForm tells whether a word is a past tense by its form: firmó, assinou,
// podpisał, studierte.
func pastForm(w string, f lex.Flags) bool {
	has := func(of lex.Flags, ends ...string) bool {
		for _, end := range ends {
			if f&of != 0 && len(w) > len(end)+2 && strings.HasSuffix(w, end) {
				return true
			}
		}
		return false
	}
	return has(lex.Spanish, "ó") || has(lex.Portuguese, "ou", "eu", "iu") && f&lex.French == 0 || has(lex.Polish, "ł", "ła") ||
		(has(lex.German, "te") || has(lex.Dutch, "de", "te")) && !strings.HasPrefix(w, "ge") && !oneOf(w, adjectivesLikePast)
}

// adjectivesLikePast end as a German or Dutch past tense does.
const adjectivesLikePast = "letzte zweite dritte vierte fünfte sechste nächste erste beste meiste heute könnte möchte bitte mitte alte weite breite harte echte rechte schlechte leichte schlichte bekannte verwandte private konkrete bunte bereite zarte kalte dichte feuchte beide tweede derde vierde vijfde zesde eerste laatste goede beste meeste slechte vaste juiste vreemde volgende lopende lange totale"

// doesIt tells whether, in English, a past tense with its object follows a name:
// Grant granted the extension. Without it the verb may be a participle.
func (x *Sheet) doesIt(i int) bool {
	if x.speech != lex.English || i+2 >= len(x.tok) || x.tok[i+1].Case != lex.Lower || x.tok[i+2].Kind == lex.Sign && !x.is(i+2, "£$€") {
		return false
	}
	w := x.word(i + 1)
	return strings.HasSuffix(w, "ed") && !oneOf(w, "covered included showed listed allowed saved required stated described mentioned applied needed expired") && (oneOf(x.word(i+2), objects) || x.word(i+2) == "a" || x.is(i+2, "£$€"))
}
