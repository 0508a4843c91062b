package examples

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/catalog"
)

// twin reports whether pages have a path too.
func twin(path string) bool {
	return path == catalog.ListAgents.Path || strings.HasPrefix(catalog.GetAgent.Path, path)
}

// spelled lists the string literals of a file that spell where an operation is
// reached.
func spelled(name, source string) (found []string) {
	f, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(lit.Value)
		for o := range catalog.All() {
			path, _, _ := strings.Cut(o.Path, "{")
			if err == nil && !twin(path) && (strings.HasPrefix(text, path) || strings.HasPrefix(path, "/api/") && strings.Contains(text, path)) {
				found = append(found, text)
				break
			}
		}
		return true
	})
	return found
}

// Where an operation is reached stands in the catalogue alone.
func TestPathsStandInTheCatalogue(t *testing.T) {
	for _, file := range sources(t) {
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(filepath.ToSlash(file), "netkit/catalog/") ||
			filepath.ToSlash(file) == "plantclient/client.go" { // a client of any plant store
			continue
		}
		text, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range spelled(file, string(text)) {
			t.Errorf("%s spells %q; take the path from netkit/catalog", file, text)
		}
	}
}

func TestSpelledPathsAreFound(t *testing.T) {
	for text, want := range map[string]int{
		"/api/intent": 1, "send it to /api/net/audio": 1, "/plants": 1, "/checkpoint": 1, "/audio/": 1, "/api/agent/": 0,
		"/directory": 0, "/agent/ada": 0, "/market": 0, "no path": 0,
	} {
		if got := spelled("p.go", "package p\n\nvar s = "+strconv.Quote(text)); len(got) != want {
			t.Errorf("%q: got %d, want %d", text, len(got), want)
		}
	}
}
