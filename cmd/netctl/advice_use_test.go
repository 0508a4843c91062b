package main

import (
	"strings"
	"testing"

	"github.com/agentnet/netctl/cmd/netctl/sandbox"
)

// An empty list, an acceptance of nothing and a refused contract advise what their
// reader can do next, and --url names the sandbox that is moved.
func TestAdviceCanBeFollowed(t *testing.T) {
	p := newPlay(t)
	for _, c := range []struct{ line, want string }{
		{"--context ada market ls --state closed", "netctl market ls --any-state"},
		{"--context ada market ls --matched --channel LEGAL --kind operational", "no contract pays you now: netctl market ls"},
		{"--context ada feed ls --priority P0,P1,P2 --yes", "netctl feed ls --channel"},
		{"--url " + p.url + " sandbox forward 1h", ""},
	} {
		code, out, talk := p.run("", strings.Fields(c.line)...)
		if code != 0 || !strings.Contains(talk, c.want) {
			t.Errorf("%s: got %d %q %q, want %q", c.line, code, out, talk, c.want)
		}
	}
	const nowhere = "127.0.0.1:1"
	for _, flags := range []string{"--addr " + nowhere, "--url http://" + nowhere} {
		code, _, talk := p.run("", strings.Fields("sandbox forward 1h "+flags)...)
		if code == 0 || !strings.Contains(talk, nowhere+": netctl sandbox starts one") || strings.Contains(talk, "dial") {
			t.Errorf("%s: got %d %q, want the address and the next step in words", flags, code, talk)
		}
	}
	p.must("--context", sandbox.Operator, "sponsor", "deposit", sandbox.Sponsor, "100", "--reference", "r", "--yes")
	contract := p.must("--context", "acme", "market", "open", "--title", "t", "--brief", "b", "--channel", "SILICON", "--budget", "20", "--per-agent", "9", "--yes", "--jq", ".campaign_id")
	if code, _, talk := p.run("", "--context", "acme", "market", "accept", "--all", strings.TrimSpace(contract), "--yes"); code != 0 || !strings.Contains(talk, "nothing was accepted: every execution") {
		t.Errorf("got %d %q, want the reason why nothing was accepted", code, talk)
	}
	p.must("--context", "ada", "intent", "execute", strings.TrimSpace(contract), "--headline", "h", "--body", "b", "--source", "https://example.org/a")
	if got := p.must("--context", "acme", "market", "results", strings.TrimSpace(contract)); !strings.Contains(got, "CLEARS") {
		t.Errorf("got %q, want a column of clearing times", got)
	}
}
