package netclient_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/catalog"
)

// Each operation of Session says in its comment with which codes it refuses,
// besides those that any operation may refuse with. They are those of the
// catalogue, which the tests of the server hold against what is answered.
func TestOperationsSayHowTheyRefuse(t *testing.T) {
	sessions := methods(t, filepath.Join("..", "network"), "Session")
	checked := 0
	for name, calls := range methods(t, ".", "Client") {
		m := sessions[name]
		if m == nil {
			continue // of a server alone
		}
		checked++
		var codes []string
		ast.Inspect(calls.Body, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && fmt.Sprint(s.X) == "catalog" {
				if o := named(s.Sel.Name); o != nil {
					codes = append(codes, o.Refusals...)
				}
			}
			return true
		})
		slices.Sort(codes)
		codes = slices.Compact(codes)
		want := ""
		if len(codes) > 0 {
			want = "Refusals: " + strings.Join(codes, ", ") + "."
		}
		_, got, found := strings.Cut(strings.Join(strings.Fields(m.Doc.Text()), " "), "Refusals: ")
		if found {
			got = "Refusals: " + got
		}
		if got != want {
			t.Errorf("%s: got the comment %q, want it to end with %q", name, got, want)
		}
	}
	if checked < 60 {
		t.Errorf("got %d operations checked, want 60 at least", checked)
	}
}

// named finds an operation by the name of its variable.
func named(variable string) *catalog.Operation {
	return catalog.Find(strings.ToLower(variable[:1]) + variable[1:])
}

// methods are those of a type of the package in a folder.
func methods(t *testing.T, dir, typ string) map[string]*ast.FuncDecl {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*ast.FuncDecl{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			m, ok := d.(*ast.FuncDecl)
			if !ok || m.Recv == nil || !m.Name.IsExported() {
				continue
			}
			if star, ok := m.Recv.List[0].Type.(*ast.StarExpr); ok && fmt.Sprint(star.X) == typ {
				all[m.Name.Name] = m
			}
		}
	}
	if len(all) == 0 {
		t.Fatalf("no methods of %s in %s among %v", typ, dir, slices.Collect(maps.Keys(all)))
	}
	return all
}
