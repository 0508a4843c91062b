package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/vault"
	"github.com/agentnet/netctl/server/guide"
)

// The document on the environment holds every setting with its default.
func TestEnvironmentTopicIsComplete(t *testing.T) {
	topic, ok := guide.Find("environment")
	if !ok {
		t.Fatal("there is no document on the environment")
	}
	for _, k := range settingKeys {
		fallback := fmt.Sprint(k.fallback)
		if fallback == "" {
			fallback = "none"
		}
		if row := fmt.Sprintf("| `%s` | %s | %s |", k.env(), k.about, fallback); !strings.Contains(topic.Text, row) {
			t.Errorf("the document lacks the row %s", row)
		}
	}
	others := []string{vault.StoreEnv, vault.PassphraseEnv, vault.PassphraseEnv + "_CMD"}
	for _, name := range vault.Names() {
		others = append(others, name.Env(), name.Env()+"_CMD")
	}
	for _, name := range others {
		if !strings.Contains(topic.Text, "| `"+name+"` | ") {
			t.Errorf("the document lacks %s", name)
		}
	}
}

// Each exit code stands in its document, and netctl help prints documents.
func TestTopics(t *testing.T) {
	exits, _ := guide.Find("exit-codes")
	for code := range exitUnreachable + 1 {
		if !strings.Contains(exits.Text, fmt.Sprintf("\n| %d | ", code)) {
			t.Errorf("the document lacks exit code %d", code)
		}
	}
	if out := newSession(t).must("help", "concepts"); !strings.Contains(out, "Credits and the ledger") {
		t.Errorf("got %q, want the document", out)
	}
}

// A word that is neither a command nor a document is a wrong command line, which
// names those that it is like.
func TestHelpRefusesUnknownTopics(t *testing.T) {
	s := newSession(t)
	for line, want := range map[string]string{
		"nosuchtopic": `unknown help topic "nosuchtopic"`,
		"concept":     "did you mean concepts?",
		"agnet":       "did you mean agent?",
		"agent list":  `for "netctl agent"; did you mean ls?`,
		"agent ls x":  `unknown help topic "x"`,
	} {
		code, out, talk := s.run("", append([]string{"help"}, strings.Fields(line)...)...)
		if code != exitUsage || out != "" || !strings.Contains(talk, want) {
			t.Errorf("%s: got exit code %d, %q and %q, want %q", line, code, out, talk, want)
		}
	}
	if out := s.must("help", "agent", "ls"); !strings.Contains(out, "netctl agent ls [flags]") {
		t.Errorf("got %q, want the help of the verb", out)
	}
	if out := s.must("help"); !strings.Contains(out, "Settings and help:") {
		t.Errorf("got %q, want the help of the program", out)
	}
}

// A shell is offered commands and documents.
func TestHelpCompletes(t *testing.T) {
	s := newSession(t)
	for line, want := range map[string][]string{"": {"agent\t", "concepts\t", "exit-codes\t"}, "agent": {"ls\t"}, "concepts": {":"}} {
		out := s.must(append(append([]string{"__complete", "help"}, strings.Fields(line)...), "")...)
		for _, word := range want {
			if !strings.Contains("\n"+out, "\n"+word) {
				t.Errorf("help %s: got %q, want %q", line, out, word)
			}
		}
	}
}
