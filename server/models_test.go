package server

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// Each address that the guide for models names answers, and the guide is short.
func TestModelGuide(t *testing.T) {
	f := start(t)
	a := f.ask("GET", "/llms.txt", "", nil)
	guide := a.Body.String()
	if a.Code != 200 || len(guide) > 2048 || !strings.HasPrefix(guide, "# ") || !strings.HasPrefix(a.Header().Get("Content-Type"), "text/plain") {
		t.Errorf("got %d with %d bytes of %s, want at most 2048 of text", a.Code, len(guide), a.Header().Get("Content-Type"))
	}
	links := regexp.MustCompile(`\]\((/[^)]*)\)`).FindAllStringSubmatch(guide, -1)
	if len(links) < 6 {
		t.Fatalf("got %d links, that cannot be all", len(links))
	}
	for _, m := range links {
		method := "GET"
		switch m[1] {
		case "/mcp":
			method = "POST"
		case "/api/net/stream":
			method = "HEAD"
		}
		if a := f.ask(method, m[1], "", nil, "Accept", "text/html"); a.Code == 404 || a.Code == 405 {
			t.Errorf("%s: got %d", m[1], a.Code)
		}
	}
	for _, m := range regexp.MustCompile(`(GET|POST|PUT) (/[a-z/]+)`).FindAllStringSubmatch(guide, -1) {
		if a := f.ask(m[1], m[2], "", nil); a.Code == 404 || a.Code == 405 {
			t.Errorf("%s: got %d", m[0], a.Code)
		}
	}
}

// The definitions for function calling are those of the tools themselves.
func TestToolDefinitions(t *testing.T) {
	f := start(t)
	var got functionTools
	f.ask("GET", "/tools.json", "", nil).into(200, &got)
	m := f.model(f.spawn("ada"), nil)
	if len(got.OpenAI) != len(m.tools) || len(got.Anthropic) != len(m.tools) {
		t.Fatalf("got %d and %d definitions, want %d", len(got.OpenAI), len(got.Anthropic), len(m.tools))
	}
	for i, o := range got.OpenAI {
		tool, a := m.tools[o.Function.Name], got.Anthropic[i]
		if tool == nil || o.Type != "function" || a.Name != tool.Name || o.Function.Description != tool.Description || a.Description != tool.Description {
			t.Fatalf("got %+v and %+v, want a tool that is called", o, a)
		}
		for _, schema := range []any{o.Function.Parameters, a.InputSchema} {
			want, _ := json.Marshal(tool.InputSchema) // which came as JSON
			if b, err := json.Marshal(schema); err != nil || string(b) != string(want) {
				t.Errorf("%s: got schema %s, %v, want %s", tool.Name, b, err, want)
			}
		}
	}
}

func TestRobots(t *testing.T) {
	a := start(t).ask("GET", "/robots.txt", "", nil)
	if a.Code != 200 || !strings.Contains(a.Body.String(), "Disallow: /api\n") {
		t.Errorf("got %d %s, want robots kept from the interface", a.Code, a.Body)
	}
}
