package web_test

import (
	"encoding/json"
	"go/format"
	"go/parser"
	"go/token"
	"html"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/agentnet/netctl/server"
)

// snippet cuts a program out of a page, as a reader would copy it.
func snippet(t *testing.T, page, name string) string {
	t.Helper()
	_, rest, is := strings.Cut(page, `<code id="`+name+`">`)
	text, _, ends := strings.Cut(rest, "</code>")
	if !is || !ends {
		t.Fatalf("the page has no %s", name)
	}
	return html.UnescapeString(text)
}

// TestEverySnippet copies curl and Go from the page of each operation: a shell
// and a compiler read them, and they ask for what the operation is.
func TestEverySnippet(t *testing.T) {
	w := found(t)
	v := w.visitor()
	var doc struct {
		Paths map[string]map[string]struct{ OperationID string }
	}
	if err := json.Unmarshal([]byte(v.get("/openapi.json").text), &doc); err != nil {
		t.Fatal(err)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell that could read commands")
	}
	for path, ops := range doc.Paths {
		for method, op := range ops {
			page := v.get("/docs/" + op.OperationID).text
			program, command := snippet(t, page, "go"), snippet(t, page, "curl")
			name := strings.ToUpper(method) + " " + path
			if _, err := parser.ParseFile(token.NewFileSet(), "main.go", program, parser.AllErrors); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if tidy, err := format.Source([]byte(program)); err != nil || string(tidy) != program {
				t.Errorf("%s: %v, not as gofmt writes it:\n%s", name, err, program)
			}
			if !strings.Contains(program, `http.NewRequest("`+strings.ToUpper(method)+`", "`+w.url) {
				t.Errorf("%s: the program asks for something else:\n%s", name, program)
			}
			if out, err := exec.Command(sh, "-n", "-c", command).CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s\n%s", name, err, out, command)
			}
			if method != "get" && !strings.Contains(command, "-X "+strings.ToUpper(method)) || strings.Contains(command, "{slug}") || strings.Contains(command, "{id}") {
				t.Errorf("%s: got %s", name, command)
			}
			if _, body, has := strings.Cut(command, "-d '"); has && !json.Valid([]byte(strings.ReplaceAll(strings.TrimSuffix(body, "'"), `'\''`, "'"))) {
				t.Errorf("%s: the body is not JSON: %s", name, body)
			}
		}
	}
}

// TestSnippetAddress writes the address under which the network was reached,
// and never one that a command would trip over.
func TestSnippetAddress(t *testing.T) {
	w := found(t)
	const fallback = "http://127.0.0.1:8787"
	for _, c := range []struct{ base, host, want string }{
		{"", "net.example", "http://net.example"},
		{"", "net.example:8080", "http://net.example:8080"},
		{"https://net.example", "net.example", "https://net.example"},
		{"", "[::1]:8787", "http://[::1]:8787"},
		{"", "a'; rm -rf ~; '", fallback},
		{"", "a\"b", fallback},
		{"", "a`id`", fallback},
		{"", "$(id)", fallback},
		{"", "user@evil.example", fallback},
		{"", "evil.example/path", fallback},
		{"", "evil.example?x", fallback},
	} {
		s := w.again(func(cfg *server.Config) { cfg.BaseURL = c.base })
		r := httptest.NewRequest("GET", "/docs/getMe", nil)
		r.Host = c.host
		got := httptest.NewRecorder()
		s.Handler().ServeHTTP(got, r)
		if curl := snippet(t, got.Body.String(), "curl"); !strings.HasPrefix(curl, "curl '"+c.want+"/api/agent/me'") {
			t.Errorf("host %q: got %s, want %s", c.host, curl, c.want)
		}
	}
}
