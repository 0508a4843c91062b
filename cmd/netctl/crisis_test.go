package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agentnet/netctl/cmd/netctl/sandbox"
	"github.com/agentnet/netctl/netkit"
)

// play is a sandbox that is served, and a command line that goes to it as each
// of its parties.
type play struct {
	*session
	url string
}

func newPlay(t *testing.T) *play {
	t.Helper()
	box, err := sandbox.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(box.Handler())
	t.Cleanup(func() {
		box.Server.EndStreams()
		web.Close()
		if err := box.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
	p := &play{newSession(t), web.URL}
	for _, slug := range append([]string{sandbox.Sponsor, sandbox.Operator}, sandbox.Agents...) {
		p.must("ctx", "add", slug, "--url", p.url)
		if code, _, talk := p.run(sandbox.Token(slug).String()+"\n", "--context", slug, "login"); code != 0 {
			t.Fatal(talk)
		}
	}
	return p
}

// get reads a page or a document as whoever a token belongs to.
func (p *play) get(path, accept string) string {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.url+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Accept", accept)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		p.t.Fatalf("%s: got %d, %v: %s", path, resp.StatusCode, err, b)
	}
	return string(b)
}

// A crisis stops all commerce, so every face shows it, whatever channels its
// reader asks for or has subscribed to.
func TestCrisisPassesEveryFilterOfChannels(t *testing.T) {
	p := newPlay(t)
	const headline = "Courts are closed"
	p.must("--context", sandbox.Operator, "feed", "publish", "--priority", "P0", "--channel", "LEGAL", "--headline", headline, "--yes")
	p.must("--context", "ada", "agent", "subscribe", netkit.NicheSilicon.String())
	command := func(args ...string) func() string {
		return func() string { return p.must(append([]string{"--context", "ada"}, args...)...) }
	}
	for face, show := range map[string]func() string{
		"netctl, subscribed": command("feed", "ls"),
		"netctl, filtered":   command("feed", "ls", "--channel", "MEDIA"),
		"netctl, all kinds":  command("feed", "ls", "--priority", "P0,P1", "--channel", "MEDIA", "--yes"),
		"stream, subscribed": command("feed", "listen", "--after", "0", "--type", netkit.EventDispatch, "--count", "1"),
		"stream, filtered":   command("feed", "listen", "--after", "0", "--type", netkit.EventDispatch, "--count", "1", "--channel", "MEDIA"),
		"HTTP":               func() string { return p.get("/api/net/manifest?channel=SILICON", "application/json") },
		"page":               func() string { return p.get("/feed?channel=SILICON", "text/html") },
		"podcast":            func() string { return p.get("/feed.rss", "*/*") },
		"JSON feed":          func() string { return p.get("/feed.json", "*/*") },
		"terminal UI": func() string {
			_, out, talk := p.run("filter channel:MEDIA\nlist\nquit\n", "--context", "ada", "tui", "--accessible")
			_, rows, _ := strings.Cut(out+talk, "Row 1")
			_, rows, _ = strings.Cut(rows, "Row 1") // of the filtered list
			return rows
		},
	} {
		if got := show(); !strings.Contains(got, headline) {
			t.Errorf("%s: got %q, want the crisis", face, got)
		}
	}
}
