package examples

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The root of netkit is read as a whole by whoever begins with it.
const (
	maxRootFiles = 65
	maxRootNames = 330 // without the tables of kinds, events and scopes
)

func TestRootOfNetkitStaysSmall(t *testing.T) {
	var names, files int
	for _, file := range sources(t) {
		if dir, _ := filepath.Split(file); dir != "netkit/" {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", file), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files, names = files+1, names+len(exported(f))
	}
	if files == 0 || files > maxRootFiles {
		t.Errorf("got %d files, want at most %d: put what belongs together into one", files, maxRootFiles)
	}
	if names == 0 || names > maxRootNames {
		t.Errorf("got %d exported names, want at most %d: export what a user needs", names, maxRootNames)
	}
}

// exported lists the names that a file adds to its package.
func exported(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				names = append(names, declared(s)...)
			}
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return !ast.IsExported(name) })
}

// declared lists the names of a declaration, without those of the tables of
// kinds, events and scopes.
func declared(s ast.Spec) (names []string) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		names = append(names, s.Name.Name)
	case *ast.ValueSpec:
		for _, id := range s.Names {
			if len(s.Values) > 0 && hasAnyPrefix(id.Name, "Kind", "Event", "Scope") {
				continue
			}
			names = append(names, id.Name)
		}
	}
	return names
}

func hasAnyPrefix(name string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

func TestExportedNames(t *testing.T) {
	const src = "package p\n\nconst (\n\tKindA Kind = \"a\"\n\tScopeB = \"b\"\n\tC, d = 1, 2\n)\n\nconst (\n\tE T = iota\n\tF\n)\n\ntype G int\n\nvar H int\n\nfunc I() {}\n\nfunc (G) J() {}\n\nfunc k() {}\n"
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := exported(f), []string{"C", "E", "F", "G", "H", "I"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
