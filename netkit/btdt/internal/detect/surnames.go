package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// nameParticles are written with a capital where a surname stands alone.
const nameParticles = "van de le la lo li di da dal dalla del della degli dello d des du el ben bin abu al ter ten von zur mac"

var nameParticleKeys = sync.OnceValue(func() map[uint64]bool { return keySet(nameParticles) })

// particled is the token behind a surname of several words that starts at i: Le
// Gall, Van der Meulen, Degli Esposti; or 0.
func (x *Sheet) particled(i int) int {
	if x.tok[i].Case != lex.Capital || !nameParticleKeys()[x.tok[i].Key] || x.capital(i-1) && !x.sentenceStart(i) {
		return 0
	}
	j := i + 1
	for j < len(x.tok) && j < i+3 && (particle(x.word(j)) && x.tok[j].Case == lex.Lower || x.is(j, "'")) {
		j++
	}
	const other = lex.OrgWord | lex.LawWord | lex.Role | lex.Org | lex.Seen | lex.Law | lex.Street | lex.Title | lex.Kin | lex.Place | lex.Month
	if !x.capital(j) || x.tok[j].Line || x.tok[j].Case == lex.Caps || x.held[j] || honorificKeys()[x.tok[j].Key] || x.tok[j].Flags&other != 0 || x.capital(j+1) && !x.tok[j+1].Line || x.is(j+1, "&") {
		return 0
	}
	t := x.tok[j]
	switch e := x.evidence(j); {
	case t.Flags&lex.Surname != 0 && t.Flags&(lex.Word|lex.Foreign) == 0 && x.lead[j]+e > -300:
	case (t.Flags&lex.Surname != 0 || t.Flags == 0) && x.lead[j]+e > 0:
	default:
		return 0
	}
	return j + 1
}

// genitive tells whether a word with the s of the German genitive stands before the
// noun that belongs to it: Feddersens Aufmaß. Firms, places and things have an s
// too; they are known without it.
func (x *Sheet) genitive(i int) bool {
	t := x.tok[i]
	w, s := strings.CutSuffix(x.word(i), "s")
	const other = lex.Word | lex.Foreign | lex.Place | lex.Org | lex.Seen | lex.OrgWord | lex.LawWord | lex.Role | lex.Month | lex.Street | lex.Noun | lex.Keep
	if !s || len(w) < 4 || t.Case != lex.Capital || t.Flags&other != 0 || x.speech == lex.English || x.speech == lex.Other && x.tongue() != german || x.capital(i-1) && !t.Line || !x.germanNoun(i+1) || compoundThing(x.word(i)) {
		return false
	}
	_, last, _ := cutLast("-"+w, '-')
	f := lex.Of(lex.Key(last))
	if f&(lex.Given|lex.Surname) != 0 {
		return f&(other&^lex.Foreign) == 0 && x.lead[i] > -450
	}
	return f == 0 && x.lead[i] > -200
}

// firmsOwn tells whether a word is a firm with the s of the German genitive.
func (x *Sheet) firmsOwn(i int) bool {
	w, s := strings.CutSuffix(x.word(i), "s")
	return s && x.speech != lex.English && x.tok[i].Flags&(lex.Given|lex.Surname) == 0 && lex.Of(lex.Key(w))&(lex.Org|lex.Seen) != 0
}

// germanNoun tells whether token i is an ordinary noun with its capital, perhaps
// behind an adjective.
func (x *Sheet) germanNoun(i int) bool {
	if i < len(x.tok) && x.tok[i].Case == lex.Lower && x.has(i, lex.Foreign) && x.capital(i+1) && (strings.HasSuffix(x.word(i), "e") || strings.HasSuffix(x.word(i), "er") || strings.HasSuffix(x.word(i), "es") || strings.HasSuffix(x.word(i), "en")) {
		i++
	}
	return x.capital(i) && !x.tok[i].Line && x.has(i, lex.Noun|lex.German|lex.Foreign) && x.tok[i].Flags&(lex.Given|lex.Org|lex.OrgWord) == 0
}
