package catalog

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestOperationsAreSound(t *testing.T) {
	verb := regexp.MustCompile(`^(accept|add|adopt|admit|answer|appeal|book|call|close|commit|confirm|create|decide|declare|decline|erase|execute|explain|fund|get|give|invite|issue|list|open|preview|prove|publish|read|recover|register|reinstate|renew|replay|report|resend|resolve|return|revoke|rotate|send|set|settle|spawn|stop|stream|test|upload)[A-Z]`)
	routes, names := map[string]bool{}, map[string]bool{}
	for o := range All() {
		switch {
		case !verb.MatchString(o.Name):
			t.Errorf("%s does not begin with a verb", o.Name)
		case names[o.Name]:
			t.Errorf("%s is there twice", o.Name)
		case routes[o.Route()]:
			t.Errorf("%s is there twice", o.Route())
		case o.Scope == "":
			t.Errorf("%s declares no scope; use Public if it needs none", o.Name)
		case o.Summary == "" || strings.HasSuffix(o.Summary, "."):
			t.Errorf("%s: got summary %q, want one line without a full stop", o.Name, o.Summary)
		case o.Tag == "" && !o.Hidden:
			t.Errorf("%s is in no group of the document", o.Name)
		}
		names[o.Name], routes[o.Route()] = true, true
	}
	if len(names) < 70 {
		t.Errorf("got %d operations, that cannot be all", len(names))
	}
}

func TestAt(t *testing.T) {
	for _, c := range []struct {
		op     *Operation
		params []string
		want   string
	}{
		{GetHealth, nil, "/api/health"},
		{GetAgent, []string{"a/b?c"}, "/agent/a%2Fb%3Fc"},
		{GetAgent, []string{".."}, "/agent/-"},
		{GetAgent, []string{""}, "/agent/-"},
		{ProveEntry, []string{"7"}, "/api/ledger/entries/7/proof"},
		{GetTile, []string{"0/x001/067"}, "/tile/0/x001/067"},
	} {
		if got := c.op.At(c.params...); got != c.want {
			t.Errorf("%s: got %s, want %s", c.op.Name, got, c.want)
		}
	}
	for _, params := range [][]string{nil, {"a", "b"}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%d parameters for one: got no panic", len(params))
				}
			}()
			GetAgent.At(params...)
		}()
	}
}

func TestAdvise(t *testing.T) {
	for _, c := range []struct{ text, http, command, pages string }{
		{"nothing to name", "nothing to name", "nothing to name", "nothing to name"},
		{"{listAgents} lists them", "GET /directory lists them", "netctl agent ls lists them", "the directory lists them"},
		{"{asAgent}, or {quote}", "use an agent's token, or with quote=true", "act as an agent: with --as AGENT on this machine, with its token elsewhere, or with --dry-run", "sign in as an agent, or the price first"},
		{"{\"id\":7} and {noSuch} and {", "{\"id\":7} and {noSuch} and {", "{\"id\":7} and {noSuch} and {", "{\"id\":7} and {noSuch} and {"},
		{"{{listAgents}}", "{GET /directory}", "{netctl agent ls}", "{the directory}"},
		{"{uploadAudio}", "POST /api/net/audio", "netctl feed publish --audio FILE", "the operation “Store a recording: WAV, MP3 or Ogg Opus”"},
	} {
		if got := Advise(c.text, HTTP); got != c.http {
			t.Errorf("over HTTP: got %q, want %q", got, c.http)
		}
		if got := Advise(c.text, CommandLine); got != c.command {
			t.Errorf("as command: got %q, want %q", got, c.command)
		}
		if got := Advise(c.text, Pages); got != c.pages {
			t.Errorf("on pages: got %q, want %q", got, c.pages)
		}
	}
}

// The rules know no transport: they name operations, all of which exist, and
// neither paths nor methods.
func TestRulesAdviseOperations(t *testing.T) {
	named, path := regexp.MustCompile(`\{([a-z]+[A-Z][A-Za-z]*|quote)\}`), regexp.MustCompile(`\b(GET|POST|PUT|DELETE) /|(^|[ "])/api/`)
	files, err := filepath.Glob(filepath.Join("..", "*.go"))
	for _, folder := range []string{"rules", "network"} {
		more, globErr := filepath.Glob(filepath.Join("..", folder, "*.go"))
		files, err = append(files, more...), errors.Join(err, globErr)
	}
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, text := range texts(t, file) {
			if path.MatchString(text) {
				t.Errorf("%s: %q names a path; name the operation in braces", file, text)
			}
			for _, m := range named.FindAllStringSubmatch(text, -1) {
				seen++
				if _, ok := CommandLine(m[1]); !ok {
					t.Errorf("%s: %q names no operation", file, text)
				}
				if words, ok := Pages(m[1]); !ok || path.MatchString(words) {
					t.Errorf("%s: %q has %q in it for pages, want words of pages", file, text, words)
				}
			}
		}
	}
	if seen < 30 {
		t.Errorf("got %d pieces of advice, that cannot be all", seen)
	}
}

// texts returns the string literals in quotation marks of a Go file.
func texts(t *testing.T, file string) (found []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && lit.Value[0] == '"' {
			if s, err := strconv.Unquote(lit.Value); err == nil {
				found = append(found, s)
			}
		}
		return true
	})
	return found
}
