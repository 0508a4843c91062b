package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func formsIn(t *testing.T, name string) string {
	t.Helper()
	var forms []string
	if err := eachForm(name, func(w string) { forms = append(forms, w) }); err != nil {
		t.Fatal(err)
	}
	slices.Sort(forms)
	return strings.Join(forms, " ")
}

func TestEachForm(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"plain":           "tree\nleaf\n",
		"short.dic":       "2\ncat/S\nbox/S\n",
		"short.aff":       "SFX S Y 2\nSFX S 0 s [^x]\nSFX S 0 es x\n",
		"long.dic":        "1\nchanter/aBcD po:v\n",
		"long.aff":        "FLAG long\nSFX aB N 1\nSFX aB er ons er\nPFX cD N 1\nPFX cD 0 d' .\n",
		"pages/a/b.html":  "<p>Ventil zu<script>kein</script></p> <b>Ventil</b> Ventil auf",
		"pages/other.txt": "nichts nichts nichts",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"plain": "leaf tree", "short.dic": "2 box boxes cat cats", "long.dic": "1 chanter chantons", "pages": "Ventil",
	} {
		if got := formsIn(t, filepath.Join(dir, name)); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if err := eachForm(filepath.Join(dir, "missing"), func(string) {}); err == nil {
		t.Error("got no error for a missing list")
	}
}
