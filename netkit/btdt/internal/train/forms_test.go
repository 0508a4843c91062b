package main

import (
	"slices"
	"testing"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

func TestForms(t *testing.T) {
	for _, c := range []struct {
		lang, term string
		want       []string
		not        string
	}{
		{"en", "riluzole", []string{"riluzole", "riluzol", "riluzolo"}, "riluzolee"},
		{"en", "clopidogrel", []string{"klopidogrel", "clopidogrelo"}, ""},
		{"en", "metoprolol", []string{"metoprolol", "metoprololo"}, ""},
		{"en", "knee brace", []string{"knee brace"}, "knee braces"},
		{"de", "multiple sklerose", []string{"multiple sklerose", "multiplen sklerose", "multipler sklerose"}, "multiple sklerosen"},
		{"de", "blutung", []string{"blutung", "blutungen"}, ""},
		{"fr", "migraine", []string{"migraine", "migraines"}, ""},
		{"pl", "astma", []string{"astma", "astmy", "astmę", "astmą"}, ""},
		{"pl", "zapalenie płuc", []string{"zapalenie płuc", "zapalenia płuc", "zapaleniem płuc"}, ""},
		{"pl", "niewydolność serca", []string{"niewydolności serca", "niewydolnością serca"}, ""},
		{"pl", "udar", []string{"udar", "udaru", "udarem", "udarze"}, ""},
		{"pl", "rak", []string{"rak"}, "raka"},
		{"*", "astma", []string{"astma"}, "astmas"},
	} {
		got := formsOf(c.lang, lex.Ill)(c.term)
		for _, w := range c.want {
			if !slices.Contains(got, w) {
				t.Errorf("%s, %s: got %q, want %q among them", c.lang, c.term, got, w)
			}
		}
		if c.not != "" && slices.Contains(got, c.not) {
			t.Errorf("%s, %s: got %q, want no %q", c.lang, c.term, got, c.not)
		}
	}
}
