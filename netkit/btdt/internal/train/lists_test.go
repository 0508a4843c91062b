package main

import (
	"testing"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// A word that the lists know as a part of the body or of a treatment stays that,
// though a labelled line marks it alone.
func TestSickLeavesPartsAlone(t *testing.T) {
	l := &lexicon{flags: map[uint64]lex.Flags{lex.Key("back"): lex.Part, lex.Key("repair"): lex.Hurt, lex.Key("hearing"): lex.Word}}
	for text, want := range map[string]lex.Flags{"back": lex.Part, "repair": lex.Hurt, "hearing": lex.Word, "porphyria": lex.Sick} {
		l.sick(text)
		if got := l.flags[lex.Key(text)]; got != want {
			t.Errorf("%s: got flags %b, want %b", text, got, want)
		}
	}
}
