package detect

import "testing"

func TestUnlabelled(t *testing.T) {
	for value, want := range map[string]string{
		"number 4297-0000-10": "4297-0000-10",
		"4297 0000 10":        "4297 0000 10",
		"AB 4297":             "AB 4297",
		"apt 12 b":            "apt 12 b",
		"a1b2":                "a1b2",
		"number":              "number",
	} {
		if got := unlabelled(value); got != want {
			t.Errorf("%q: got %q, want %q", value, got, want)
		}
	}
}
