package main

import (
	"context"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/netkittest"
)

// A watched list shows what comes, clears a terminal first, and ends with the
// interrupt as if all were well.
func TestWatchedListShowsWhatComes(t *testing.T) {
	p := newPlay(t)
	s := new(netkittest.Output)
	ctx, interrupt := context.WithCancel(t.Context())
	code := make(chan int, 1)
	go func() {
		a := p.app("", s, s)
		code <- a.main(ctx, []string{"--context", "ada", "feed", "ls", "--watch"})
	}()
	first := s.Wait(t, "no dispatches found")
	p.must("--context", "operator", "feed", "publish", "--priority", "P0", "--channel", "LEGAL", "--headline", "Courts are closed", "--yes")
	second := s.Wait(t, "Courts are closed")
	if n := strings.Count(second, clearScreen); !strings.HasPrefix(first, clearScreen) || n != 2 {
		t.Errorf("got a screen cleared %d times, want twice: %q", n, second)
	}
	interrupt()
	if got := <-code; got != 0 {
		t.Errorf("got exit code %d, want 0", got)
	}
}

func TestWatchRefusesToPayAndToWatchNobody(t *testing.T) {
	p := newPlay(t)
	if code, _, talk := p.run("", "--context", "ada", "feed", "ls", "--watch", "--priority", "P1", "--yes"); code != exitUsage || !strings.Contains(talk, "pay again and again") {
		t.Errorf("got %d %q, want a refusal to pay", code, talk)
	}
	p.must("init")
	if code, _, talk := p.run("", "agent", "ls", "--watch"); code != exitError || !strings.Contains(talk, "nobody serves this network") {
		t.Errorf("got %d %q, want that nobody serves", code, talk)
	}
}

// Every page that --web names is there, and without a browser its address is
// printed.
func TestWebPrintsPagesThatExist(t *testing.T) {
	p := newPlay(t)
	args := map[string]string{"agent show": "ada", "ledger balance": "treasury", "ledger show": "1", "ledger statement": "treasury", "market results": "11", "market show": "11", "review show": "1", "sponsor contracts": "acme"}
	for command, page := range pages {
		line := append([]string{"--context", "ada"}, strings.Fields(command)...)
		if arg := args[command]; arg != "" {
			line = append(line, arg)
		}
		got := strings.TrimSpace(p.must(append(line, "--web")...))
		if want := p.url + strings.ReplaceAll(page, "{}", args[command]); got != want {
			t.Errorf("%s: got %s, want %s", command, got, want)
		}
		if page == "/desk" || strings.HasPrefix(page, "/review") {
			continue // behind a sign-in
		}
		p.get(strings.TrimPrefix(got, p.url), "text/html")
	}
}
