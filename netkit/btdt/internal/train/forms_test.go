package main

import (
	"slices"
	"testing"
)

func TestForms(t *testing.T) {
	for _, c := range []struct {
		file, term string
		want       []string
		not        string
	}{
		{"medical-en.txt", "riluzole", []string{"riluzole", "riluzol", "riluzolo"}, "riluzolee"},
		{"medical-en.txt", "clopidogrel", []string{"klopidogrel", "clopidogrelo"}, ""},
		{"medical.txt", "metoprolol", []string{"metoprolol", "metoprololo"}, ""},
		{"medical-en.txt", "knee brace", []string{"knee brace"}, "knee braces"},
		{"medical-de.txt", "multiple sklerose", []string{"multiple sklerose", "multiplen sklerose", "multipler sklerose"}, "multiple sklerosen"},
		{"medical-de.txt", "blutung", []string{"blutung", "blutungen"}, ""},
		{"medical-fr.txt", "migraine", []string{"migraine", "migraines"}, ""},
		{"medical-pl.txt", "astma", []string{"astma", "astmy", "astmę", "astmą"}, ""},
		{"medical-pl.txt", "zapalenie płuc", []string{"zapalenie płuc", "zapalenia płuc", "zapaleniem płuc"}, ""},
		{"medical-pl.txt", "niewydolność serca", []string{"niewydolności serca", "niewydolnością serca"}, ""},
		{"medical-pl.txt", "udar", []string{"udar", "udaru", "udarem", "udarze"}, ""},
		{"medical-pl.txt", "rak", []string{"rak"}, "raka"},
		{"terms.txt", "astma", []string{"astma"}, "astmas"},
	} {
		got := formsOf(c.file)(c.term)
		for _, w := range c.want {
			if !slices.Contains(got, w) {
				t.Errorf("%s, %s: got %q, want %q among them", c.file, c.term, got, w)
			}
		}
		if c.not != "" && slices.Contains(got, c.not) {
			t.Errorf("%s, %s: got %q, want no %q", c.file, c.term, got, c.not)
		}
	}
}
