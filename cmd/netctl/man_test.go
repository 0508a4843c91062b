package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentnet/netctl/server/guide"
)

func TestManualPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "man")
	t.Setenv("SOURCE_DATE_EPOCH", "1771545600")
	newSession(t).must("man", dir)
	read := func(name string) string {
		t.Helper()
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, want := range []string{"Feb 2026", "netctl-market-fund - Add", "as acme market fund $CONTRACT 5"} {
		if got := strings.ReplaceAll(read("netctl-market-fund.1"), `\&`, ""); !strings.Contains(got, want) {
			t.Errorf("got %q, want %s", got, want)
		}
	}
	for _, topic := range guide.Topics() {
		if got := read("netctl-" + topic.Name + ".7"); !strings.Contains(got, `"7"`) {
			t.Errorf("%s: got %.80q, want a page of section 7", topic.Name, got)
		}
	}
}
