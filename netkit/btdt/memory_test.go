package btdt

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A name that was found once goes from every field, however it is written there.
func TestNamesGoEverywhere(t *testing.T) {
	p := good()
	p.Title = "What quillfeather achieved"
	p.SubCategory = "quillfeather-appeal"
	p.Steps = []string{"Mrs Marta Quillfeather signed the form.", "then quillfeather rang again, and MARTA too", "Saved as marta_quillfeather_2.pdf by mquillfeather and marta.quillfeather99.", "The quillfeathers moved."}
	clean, _ := Scrub(p)
	for _, text := range append(clean.Steps, clean.Title, clean.SubCategory) {
		if low := strings.ToLower(text); strings.Contains(low, "quill") || strings.Contains(low, "marta") {
			t.Errorf("got %q, want no part of the name", text)
		}
	}
	if err := clean.Validate(); err != nil {
		t.Errorf("got %v, want a valid playbook", err)
	}
}

// Nothing that stays is ever cut off, however long a text is or becomes.
func TestNothingIsCut(t *testing.T) {
	p := good()
	p.Steps = []string{strings.Repeat("They asked again and waited. ", 200) + "Wrote to a@b.co at last."}
	p.Title = strings.Repeat("a@b.co ", 27) + "the end"
	clean, _ := Scrub(p)
	if want := strings.Replace(p.Steps[0], "a@b.co", "[EMAIL_1]", 1); clean.Steps[0] != want {
		t.Errorf("got a step of %d bytes, want %d with nothing but the address replaced", len(clean.Steps[0]), len(want))
	}
	if !strings.HasSuffix(clean.Title, "the end") || strings.Contains(clean.Title, "@") || len([]rune(clean.Title)) > MaxTitle {
		t.Errorf("got %q, want the end of the title kept and within its limit", clean.Title)
	}
}

// A registry refuses a description that names a person.
func TestMetadataOfAPerson(t *testing.T) {
	for title, want := range map[string]bool{"Refund for John Smith": true, "refund for maria gonzalez": true, "Refund after a delayed flight": false} {
		p := good()
		p.Title = title
		if got := len(CheckMetadata(p.Metadata())) > 0; got != want {
			t.Errorf("%q: got refused %v, want %v", title, got, want)
		}
	}
}

// The languages that the texts tell change as parts of them go. A text that is too
// short to tell its own is read again then, and not only by a second scrub. Long
// numbers of placeholders are no telephone numbers, and a contact's role takes no part
// of what stands behind the name.
func TestSecondScrubFindsNothing(t *testing.T) {
	for _, p := range []Playbook{
		{SubCategory: "x", Steps: []string{"@ aaaaaaaaaaaaaaaaaaa1@b.-"}, Title: "(7) has cystic f-", Outcome: "ａｎｅ-", KeyContacts: []string{"ａｎｅ-"}},
		{SubCategory: "x", Steps: []string{"Tel. 0049(0)30/123-45 and [NAME_99999999999] met Sophie Ravensberg"}, Outcome: "[NAME_1048576] rang"},
		{SubCategory: "x", Steps: []string{"A"}, KeyContacts: []string{`Jane\r-t;no&gt; &CAQ8A -----END--`}},
	} {
		clean, found := Scrub(p)
		again, more := Scrub(clean)
		if diff := cmp.Diff(clean, again); diff != "" || len(more) > 0 {
			t.Errorf("%+v: the second scrub changed something:\n%s", p, diff)
		}
		for i, f := range found {
			if f.Rule == "whole_text" || i > 0 && f.Path == found[i-1].Path && f.Start < found[i-1].End {
				t.Errorf("%+v: got %+v after %+v, want parts apart from each other", p, f, found[max(0, i-1)])
			}
		}
	}
}
