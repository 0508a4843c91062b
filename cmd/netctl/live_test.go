package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/agentnet/netctl/cmd/netctl/sandbox"
)

// A shell completes what the network has, each with what it is.
func TestCompletionAsksTheNetwork(t *testing.T) {
	p := newPlay(t)
	for line, want := range map[string]string{
		"agent show ":              "ada\tUNVERIFIED",
		"market show ":             "\tSILICON watch",
		"market open --sponsor ":   "acme\tAcme research",
		"agent token revoke ":      "\t*, expires never",
		"badges revoke ada ":       "FIELD_AGENT",
		"agent subscribe SILICON ": "LEGAL",
		"ledger statement ":        "wallet:ada\tUNVERIFIED",
		"--context ":               sandbox.Operator,
	} {
		words := strings.Split(line, " ")
		got := p.must(append([]string{"--context", "ada", "__complete"}, words...)...)
		if !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

// What a network offered is kept for its owner alone and offered again while the
// network does not answer; without either nothing is.
func TestCompletionIsKeptForAWhile(t *testing.T) {
	p := newPlay(t)
	hangs := make(chan struct{})
	var asked atomic.Int32
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) > 1 {
			<-hangs
			return
		}
		_, _ = w.Write([]byte(`{"items":[{"slug":"dora"}]}`))
	}))
	t.Cleanup(slow.Close)
	t.Cleanup(func() { close(hangs) })
	show := func() string { return p.must("--url", slow.URL, "__complete", "agent", "show", "") }
	if first, second := show(), show(); !strings.Contains(first, "dora\t") || second != first || asked.Load() != 1 {
		t.Errorf("got %q, then %q with %d requests, want both from one", first, second, asked.Load())
	}
	files, err := filepath.Glob(filepath.Join(p.env["XDG_CACHE_HOME"], "netctl", "complete", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("got %v, %v, want one file", files, err)
	}
	st, err := os.Stat(files[0])
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Fatalf("got %v, %v, want a file for its owner alone", st, err)
	}
	long := st.ModTime().Add(-2 * offerTime)
	if err := os.Chtimes(files[0], long, long); err != nil {
		t.Fatal(err)
	}
	if got := show(); !strings.Contains(got, "dora\t") || asked.Load() != 2 {
		t.Errorf("got %q after %d requests, want what is kept, as the network hangs", got, asked.Load())
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	if got := show(); strings.Contains(got, "dora") {
		t.Errorf("got %q, want nothing", got)
	}
}
