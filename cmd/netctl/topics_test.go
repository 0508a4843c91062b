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
