package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// medical are the headings of words of medicine.
const medical = lex.Ill | lex.Care | lex.Act | lex.Hurt | lex.Lab | lex.Part | lex.Mark

// auxiliaries and pronouns that would make a finding longer than the condition.
var auxiliaries = []string{
	"i", "he", "she", "they", "his", "her", "is", "was", "has", "had", "been",
	"il", "elle", "ai", "avait", "est", "était", "s'est", "lui", "ho", "aveva", "è", "era",
	"ich", "er", "sie", "hat", "hatte", "wurde", "hij", "zij", "heeft", "werd",
	"él", "ella", "tiene", "ele", "ela", "teve", "tem", "miał", "miała",
}

// A medical term of the later lists is the condition alone.
func TestConditionsAlone(t *testing.T) {
	eachTerm(t, wholeNames, func(file, term, section string) {
		first, _, more := strings.Cut(strings.ToLower(term), " ")
		if more && sections[section]&medical != 0 && slices.Contains(auxiliaries, first) && term != "lui oog" {
			t.Errorf("%s: [%s] %q starts with %q; list what follows it", file, section, term, first)
		}
	})
}

// A given name alone is a person, also where a firm bears it.
func TestGivenNamesAlone(t *testing.T) {
	given := givenNames(t)
	for _, name := range []string{"Oscar", "Hugo", "Brigitte", "Jared", "Joann", "Roland", "Bruna", "Dino", "Mercedes"} {
		for _, file := range []string{"firms.txt", "brands.txt"} {
			eachTerm(t, file, func(file, term, section string) {
				if term == name {
					t.Errorf("%s: [%s] %q hides a person; write the firm's whole name", file, section, term)
				}
			})
		}
	}
	eachTerm(t, wholeNames, func(file, term, section string) {
		capital := strings.ToLower(term) != term && strings.ToUpper(term) != term
		if (section == "org" || section == "seen") && capital && !strings.ContainsAny(term, " -'.") && given[term] {
			t.Errorf("%s: [%s] %q is a given name alone; write the whole name", file, section, term)
		}
	})
}

// No list holds an empty term or a mark that belongs to labelled lines or to a conflict.
func TestListsWellFormed(t *testing.T) {
	for _, pattern := range []string{wholeNames, "medical*.txt", "firms.txt", "brands.txt", "world.txt", "terms.txt"} {
		eachTerm(t, pattern, func(file, term, section string) {
			if term == "" || strings.ContainsAny(term, "<>|{}[]") {
				t.Errorf("%s: [%s] broken term %q", file, section, term)
			}
		})
	}
}

// givenNames are the names of all lists of given names.
func givenNames(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("lists/given*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("given names: %v", err)
	}
	names := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for row := range strings.Lines(string(data)) {
			names[strings.TrimSpace(row)] = true
		}
	}
	return names
}

// eachTerm gives every term of the lists of a pattern.
func eachTerm(t *testing.T, pattern string, use func(file, term, section string)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("lists", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("lists %s: %v", pattern, err)
	}
	for _, file := range files {
		if err := readTerms(file, func(term, section string) error {
			use(filepath.Base(file), term, section)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
}
