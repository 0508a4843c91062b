package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/btdt/evaluate"
)

// What is written is what netctl btdt eval reads, with the marks on the same letters.
func TestConvert(t *testing.T) {
	for name, c := range map[string]struct{ text, gold, keep string }{
		"a.json":  {`[{"full_text":"é Zora Quill of Vexco","spans":[{"entity_type":"PERSON","start_position":2,"end_position":12},{"entity_type":"ORGANIZATION","start_position":16,"end_position":21},{"entity_type":"TITLE","start_position":0,"end_position":1}]}]`, "NAME:Zora Quill", "Vexco"},
		"a.conll": {"-DOCSTART- O\n\né O\nZora I-PER\nQuill I-PER\nof O\nVexco I-ORG\n\n", "NAME:Zora Quill", "Vexco"},
		"b.conll": {"Zora\tB-person\nQuill\tB-person\nVexco\tB-corporation\nAG\tI-corporation\n", "NAME:Zora NAME:Quill", "Vexco AG"},
		"a.txt":   {"Nothing here.\n\n", "", ""},
	} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := convert([]string{file}, 0, &out); err != nil {
			t.Fatal(err)
		}
		examples, err := evaluate.Read(&out)
		if err != nil || len(examples) != 1 {
			t.Fatalf("%s: got %d examples and %v, want 1", name, len(examples), err)
		}
		var gold, keep []string
		for _, m := range examples[0].Gold {
			gold = append(gold, m.Type+":"+m.Text)
		}
		for _, m := range examples[0].Keep {
			keep = append(keep, m.Text)
		}
		if g, k := strings.Join(gold, " "), strings.Join(keep, " "); g != c.gold || k != c.keep {
			t.Errorf("%s: got %q and %q, want %q and %q", name, g, k, c.gold, c.keep)
		}
	}
}

func TestConvertRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.pdf": "x", "a.json": "x", "a.conll": "word\n"} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := convert([]string{file}, 0, &bytes.Buffer{}); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}
