package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/spf13/viper"
	yaml "go.yaml.in/yaml/v3"
)

// What commands a terminal is escaped in every form of output, and still there
// for a program that reads it.
func TestOutputNeverCommandsTheTerminal(t *testing.T) {
	hostile := "a\u009b2Jb\u202ec\u200fd\x7fe\u2066f\U000e0041g\x1bh é"
	value := map[string]any{"text": hostile, "list": []string{hostile}}
	for _, form := range []string{"json", "yaml", "table"} {
		for _, jq := range []string{"", ".", ".list", ".text"} {
			var out bytes.Buffer
			a := &app{out: &out, jq: jq, set: &settings{v: viper.New()}}
			a.set.v.Set("output", form)
			if err := a.show(value, nil); err != nil {
				t.Fatal(err)
			}
			if i := strings.IndexFunc(out.String(), func(r rune) bool { return r != '\n' && commands(r) }); i >= 0 {
				t.Errorf("-o %s --jq %q: got %q, with a command at %d", form, jq, out.String(), i)
			}
			if form != "yaml" && !strings.Contains(out.String(), "é") {
				t.Errorf("-o %s --jq %q: got %q, want other letters as they are", form, jq, out.String())
			}
			var back map[string]any
			switch {
			case form == "json" && jq == "":
				if json.Unmarshal(out.Bytes(), &back) != nil || back["text"] != hostile {
					t.Errorf("got %q back from %s, want what was put in", back["text"], out.String())
				}
			case form == "yaml" && jq == "":
				if yaml.Unmarshal(out.Bytes(), &back) != nil || back["text"] != hostile {
					t.Errorf("got %q back from %s, want what was put in", back["text"], out.String())
				}
			}
		}
	}
}
