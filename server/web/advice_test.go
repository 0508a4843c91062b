package web

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// TestAdviceHasWordsOfPages renders each text of the packages that refuse as a page
// without a form does. Texts of one or two words are names.
func TestAdviceHasWordsOfPages(t *testing.T) {
	spelled := regexp.MustCompile(`=(true|false)\b|\b(GET|POST|PUT|DELETE) /|/api/|\b[a-z]+_[a-z]|\[[0-9]\]|\bsignal\.|L[1-7] forbids|\{[a-z]+[A-Z]`)
	tag := regexp.MustCompile(`<[^>]*>`)
	seen := 0
	for _, folder := range []string{"netkit", "netkit/rules", "netkit/network"} {
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(folder), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, text := range textsOf(t, file) {
				seen++
				p := netkit.Problem{Next: text}
				if !strings.Contains(text, "{") { // else it is advice only
					p.Detail = text
				}
				r := showRefusal(&p, nil)
				if found := spelled.FindString(tag.ReplaceAllString(r.Text+" "+string(r.Do), "")); found != "" {
					t.Errorf("%s: got %q in %q, want words of pages", file, found, text)
				}
			}
		}
	}
	if seen < 300 {
		t.Errorf("got %d texts, that cannot be all", seen)
	}
}

// textsOf returns the string literals of a file that have at least three words.
func textsOf(t *testing.T, file string) (found []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && lit.Value[0] == '"' {
			if s, err := strconv.Unquote(lit.Value); err == nil && strings.Count(s, " ") > 1 {
				found = append(found, s)
			}
		}
		return true
	})
	return found
}
