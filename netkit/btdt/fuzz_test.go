package btdt

import (
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// FuzzScrub: whatever the texts hold, a valid playbook stays valid, findings lie
// in order on runes of the original, and scrubbing again changes nothing.
func FuzzScrub(f *testing.F) {
	for _, s := range []string{"Spoke with Maria Gonzalez, ref AP-2024-118273", "ja\u200bne@mail.org", "１２３４５６７ é 😀",
		"e\u0301 J. Müller [NAME_1] +1 312 555 0187", "My son has autism (K85.9), born 03/14/1958", "22 Rosebery Gardens, London N8 8SH", "a [at] b [dot] co"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, step, contact string) {
		p := good()
		p.Steps = append(p.Steps, step)
		p.KeyContacts = []string{contact}
		if p.Validate() != nil {
			p.KeyContacts = nil
		}
		if p.Validate() != nil {
			p.Steps, p.Title = good().Steps, "A "+contact
		}
		if p.Validate() != nil {
			return
		}
		clean, found := Scrub(p)
		if err := clean.Validate(); err != nil {
			t.Fatalf("%q, %q: got %v", step, contact, err)
		}
		last := map[string]int{}
		for _, x := range found {
			if n := utf8.RuneCountInString(textAt(p, x.Path)); x.Start < last[x.Path] || x.End <= x.Start || x.End > n {
				t.Fatalf("finding %+v overlaps or lies outside of %d characters", x, n)
			}
			last[x.Path] = x.End
		}
		again, more := Scrub(clean)
		if len(more) > 0 {
			t.Fatalf("%q, %q: the second scrub found %+v in %q", step, contact, more, textAt(clean, more[0].Path))
		}
		if diff := cmp.Diff(clean, again); diff != "" {
			t.Fatalf("the second scrub changed something:\n%s", diff)
		}
	})
}

// textAt is the text at a path.
func textAt(p Playbook, path string) string {
	for _, f := range textFields {
		if f.name == path {
			return *f.at(&p)
		}
	}
	for _, f := range listFields {
		for i, s := range *f.at(&p) {
			if itemPath(f.name, i) == path {
				return s
			}
		}
	}
	return ""
}
