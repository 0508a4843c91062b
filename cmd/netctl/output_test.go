package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"
	yaml "go.yaml.in/yaml/v3"

	"github.com/agentnet/netctl/netkit"
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

// Errors reach standard error by another way than results, and hold texts of
// others as well.
func TestErrorsNeverCommandTheTerminal(t *testing.T) {
	hostile := "a\u009b2Jb\u202ec\u200fd\x7fe\u2066f\U000e0041g\x1bh\u2028é"
	for _, form := range []string{"json", "yaml", "table"} {
		var out bytes.Buffer
		a := &app{err: harmlessWriter{&out}, set: &settings{v: viper.New()}, terminal: true}
		a.set.v.Set("output", form)
		a.complain(&cobra.Command{Use: "x"}, &netkit.Refusal{Kind: netkit.ErrConflict, What: hostile, Next: hostile})
		a.complain(&cobra.Command{Use: "x"}, errors.New(hostile))
		a.talk("a server said %s", hostile)
		fmt.Fprint(a.err, hostile)
		if i := strings.IndexFunc(out.String(), func(r rune) bool { return r != '\n' && commands(r) }); i >= 0 {
			t.Errorf("-o %s: got %q, with a command at %d", form, out.String(), i)
		}
		var back struct{ Error struct{ Message string } }
		line, _, _ := strings.Cut(out.String(), "\n")
		if form == "json" && (json.Unmarshal([]byte(line), &back) != nil || !strings.Contains(back.Error.Message, hostile)) {
			t.Errorf("got %q back from %s, want what was put in", back.Error.Message, line)
		}
		if form == "table" && strings.Contains(line, "\u2028") {
			t.Errorf("got %q, want one line", line)
		}
	}
}
