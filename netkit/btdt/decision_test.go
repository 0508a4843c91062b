package btdt

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A kept word stays in every field and leaves the memory; what else was found goes.
func TestKeep(t *testing.T) {
	p := good()
	p.Steps = []string{"Mrs Marta Quillfeather signed.", "Then quillfeather rang, and wrote to a@b.co."}
	p.KeyContacts = []string{"Quillfeather, claims manager"}
	before := mustScrub(&Scrubber{}, p)
	r := mustScrub(&Scrubber{Keep: []string{"quillfeather"}}, p)
	want := []string{"Mrs [NAME_1] Quillfeather signed.", "Then quillfeather rang, and wrote to [EMAIL_1]."}
	if strings.HasPrefix(r.Playbook.Steps[0], "[NAME_1]") {
		want[0] = "[NAME_1] Quillfeather signed."
	}
	if diff := cmp.Diff(want, r.Playbook.Steps); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(before.Kept) != 0 || len(r.Kept) == 0 || r.Playbook.KeyContacts[0] != p.KeyContacts[0] {
		t.Errorf("got %d and %d kept and %q, want none, some and the contact as it was", len(before.Kept), len(r.Kept), r.Playbook.KeyContacts[0])
	}
	for _, f := range r.Kept {
		if !strings.Contains(strings.ToLower(string(p.texts()[f.Path][f.Start:f.End])), "quillfeather") {
			t.Errorf("got %+v kept, want a place of the word", f)
		}
	}
	again := mustScrub(&Scrubber{Keep: []string{"quillfeather"}}, r.Playbook)
	if len(again.Findings) > 0 || len(again.Kept) != len(r.Kept) {
		t.Errorf("got %+v and %d kept, want a second look to find nothing new", again.Findings, len(again.Kept))
	}
}

// Forms can be kept too: a public line is one.
func TestKeepForm(t *testing.T) {
	p := good()
	p.Steps = []string{"Call 312-555-0187 or write to jane@example.org."}
	r := mustScrub(&Scrubber{Keep: []string{"312-555-0187"}}, p)
	if got := r.Playbook.Steps[0]; got != "Call 312-555-0187 or write to [EMAIL_1]." {
		t.Errorf("got %q", got)
	}
	if len(r.Kept) != 1 || !r.Kept[0].Sure || r.Kept[0].Type != TypePhone {
		t.Errorf("got %+v kept, want a sure number", r.Kept)
	}
}

// A marked word goes from every field and enters the memory of names.
func TestMark(t *testing.T) {
	p := good()
	p.Title = "What the window achieved"
	p.SubCategory = "window-appeal"
	p.Steps = []string{"The window signed as janewindow_2.", "Then Window Seat left."}
	r := mustScrub(&Scrubber{Mark: []Mark{{Text: "window"}, {Text: "seat", Type: TypeOtherID, Path: "steps[1]"}}}, p)
	for _, text := range append(r.Playbook.Steps[1:], r.Playbook.Title, r.Playbook.SubCategory) {
		if strings.Contains(strings.ToLower(text), "window") || strings.Contains(text, "Seat") {
			t.Errorf("got %q, want nothing of what was marked", text)
		}
	}
	for _, f := range r.Findings {
		if f.Rule == "author" && !f.Sure {
			t.Errorf("got %+v, want what the author marked to be sure", f)
		}
	}
	if err := r.Playbook.Validate(); err != nil {
		t.Error(err)
	}
}

// A text that is marked in one field is stripped there only.
func TestMarkHere(t *testing.T) {
	p := good()
	p.Steps = []string{"A heron came.", "A heron left."}
	r := mustScrub(&Scrubber{Mark: []Mark{{Text: "heron", Path: "steps[1]", Type: TypeOtherID}}}, p)
	if diff := cmp.Diff([]string{"A heron came.", "A [OTHER_ID_1] left."}, r.Playbook.Steps); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A question is one text with all of its places; what is decided is none.
func TestQuestions(t *testing.T) {
	p := good()
	p.Steps = []string{"Gruvelock said no.", "We asked Gruvelock again, and a@b.co."}
	r := mustScrub(&Scrubber{}, p)
	var texts []string
	places := 0
	for _, q := range r.Questions(p) {
		texts = append(texts, q.Text)
		places += len(q.Places)
	}
	if diff := cmp.Diff([]string{"Gruvelock"}, texts); diff != "" || places != 2 {
		t.Fatalf("got %d places (-want +got):\n%s", places, diff)
	}
	for _, s := range []Scrubber{{Keep: texts}, {Mark: []Mark{{Text: "Gruvelock"}}}} {
		if r := mustScrub(&s, p); len(r.Questions(p)) > 0 {
			t.Errorf("%+v: got %+v, want no question about what is decided", s, r.Questions(p))
		}
	}
	if !p.Holds("gruvelock SAID") || p.Holds("grave") {
		t.Error("got a text that is not held, or none that is")
	}
}
