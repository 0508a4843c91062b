package btdt

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Equal numbers get equal placeholders and different ones different, however
// they are grouped and wherever they stand.
func TestEqualNumbersShareAPlaceholder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) string {
			return rapid.StringMatching(`[3-9][0-9]{3} [0-9]{4} [1-9][0-9]`).Draw(t, name)
		}
		a, b := draw("one"), draw("two")
		p := good()
		p.Steps = []string{"account number " + a, "account number " + b, "account number " + strings.ReplaceAll(a, " ", "-")}
		clean, _ := Scrub(p)
		mark := regexp.MustCompile(`\[[A-Z_]+_\d+\]`)
		one, two, again := mark.FindString(clean.Steps[0]), mark.FindString(clean.Steps[1]), mark.FindString(clean.Steps[2])
		if one == "" || one != again || (one == two) != (a == b) {
			t.Fatalf("%q: got %q", p.Steps, clean.Steps)
		}
	})
}

// Two people with one surname stay apart, and either keeps one number.
func TestPeopleStayApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		given := rapid.Permutation([]string{"Maria", "Thomas", "Jennifer", "Michael", "Susan"}).Draw(t, "given")
		surname := rapid.SampledFrom([]string{"Gonzalez", "Whitfield", "Kowalski"}).Draw(t, "surname")
		p := good()
		p.Steps = []string{fmt.Sprintf("Mr. %s %s called.", given[0], surname), fmt.Sprintf("Mrs. %s %s wrote.", given[1], surname), fmt.Sprintf("Mr. %s %s paid.", given[0], surname)}
		clean, _ := Scrub(p)
		who := regexp.MustCompile(`\[NAME_\d+\]`)
		a, b, c := who.FindString(clean.Steps[0]), who.FindString(clean.Steps[1]), who.FindString(clean.Steps[2])
		if a == "" || a == b || a != c {
			t.Fatalf("%q: got %q", p.Steps, clean.Steps)
		}
	})
}

// Scrubbing what was scrubbed finds nothing, on every tenth of the labelled lines.
func TestScrubTwiceChangesNothing(t *testing.T) {
	files, err := filepath.Glob("internal/train/data/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("got no lines (%v)", err)
	}
	marks := regexp.MustCompile(`\[\[[A-Z_]+\||\{\{[A-Z_]+\||\]\]|\}\}`)
	for _, name := range files {
		for n, row := range strings.Split(string(read(t, name)), "\n") {
			_, text, ok := strings.Cut(marks.ReplaceAllString(row, ""), ": ")
			if !ok || n%10 != 0 || row[0] == '#' {
				continue
			}
			p := good()
			p.Steps = []string{text}
			clean, _ := Scrub(p)
			if left := Check(clean); len(left) > 0 {
				t.Errorf("%s:%d: the second look found %+v in %q", filepath.Base(name), n+1, left, clean.Steps)
			}
		}
	}
}
