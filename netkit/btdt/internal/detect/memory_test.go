package detect

import "testing"

// recalled gives what the memory of the names in one text finds in another.
func recalled(told, text string) (got []string) {
	m, a, b := NewMemory(), read(told), NewSheet("steps", text)
	m.Meet(a)
	m.Learn(a)
	b.Find(0)
	m.Recall(b)
	for _, s := range b.Spans() {
		if s.Type == Name {
			got = append(got, b.s[s.From:s.To])
		}
	}
	return got
}

func TestRecall(t *testing.T) {
	const told = "Mrs Marta Quillfeather signed."
	for text, want := range map[string]bool{
		"quillfeather rang": true, "QUILLFEATHER": true, "the Quillfeathers": true, "mquillfeather7": true, "marta-quillfeather": true,
		"a quill and a feather": false, "the form": false,
	} {
		if got := recalled(told, text); (len(got) > 0) != want {
			t.Errorf("%q: got %q, want found %v", text, got, want)
		}
	}
}

// A name that is an ordinary word does not take the word.
func TestRecallLeavesWords(t *testing.T) {
	if got := recalled("Mr Mark Church signed.", "They mark the form at the church."); got != nil {
		t.Errorf("got %q, want nothing", got)
	}
	if got := recalled("Mr Mark Church signed.", "Later Church rang again."); len(got) != 1 || got[0] != "Church" {
		t.Errorf("got %q, want the surname", got)
	}
}
