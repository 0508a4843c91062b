package code_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/code"
)

func TestTable(t *testing.T) {
	snake, seen := regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`), map[string]bool{}
	for title, r := range code.All() {
		switch {
		case !snake.MatchString(r.Code):
			t.Errorf("%q under %q is not snake case", r.Code, title)
		case seen[r.Code]:
			t.Errorf("%s is there twice", r.Code)
		case r.Status < 400 || r.Status > 599 || r.Also != 0 && r.Also < 400:
			t.Errorf("%s: got status %d and %d, want those of a refusal", r.Code, r.Status, r.Also)
		case r.Meaning == "" || strings.HasSuffix(r.Meaning, "."):
			t.Errorf("%s: got meaning %q, want one line without a full stop", r.Code, r.Meaning)
		}
		seen[r.Code] = true
	}
	if got, ok := code.Find(code.Blackout); !ok || got.Status != 403 {
		t.Errorf("got %+v, want the row of %s", got, code.Blackout)
	}
	if _, ok := code.Find("no_such_code"); ok {
		t.Error("got a row for a code that is not there")
	}
}

// Every refusal of the module takes its code from the table, and every code of
// the table is that of a refusal.
func TestRefusalsUseTheTable(t *testing.T) {
	files := parse(t, "../..")
	values := constants(t, files["../../netkit/code/names.go"])
	used := map[string]bool{}
	taking := takers(files)
	for path, f := range files {
		if strings.HasPrefix(path, "../../netkit/code/") {
			continue
		}
		inspect(f, taking, filepath.Dir(path), func(e ast.Expr) {
			switch e := e.(type) {
			case *ast.BinaryExpr:
				t.Errorf("%s puts a code together; choose among constants of netkit/code", path)
			case *ast.BasicLit:
				if text, _ := strconv.Unquote(e.Value); text != "" {
					t.Errorf("%s: the code %q is a literal; use its constant of netkit/code, and add a new one to names.go and table.go there", path, text)
				}
			}
		})
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "code" {
					used[s.Sel.Name] = true
				}
			}
			return true
		})
	}
	for name, value := range values {
		if _, ok := code.Find(value); !ok {
			t.Errorf("%s is a constant, but not in the table", name)
		}
		if !used[name] {
			t.Errorf("no refusal has the code %s: remove it", name)
		}
	}
	for _, r := range code.All() {
		if !contains(values, r.Code) {
			t.Errorf("%s is in the table, but no constant", r.Code)
		}
	}
	if len(used) < 200 {
		t.Errorf("got %d codes in use, that cannot be all", len(used))
	}
}

func contains(values map[string]string, code string) bool {
	for _, v := range values {
		if v == code {
			return true
		}
	}
	return false
}

// parse reads the module's code, without tests and what has no refusals.
func parse(t *testing.T, root string) map[string]*ast.File {
	files := map[string]*ast.File{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "btdt" || name == "journal" || name == "plantclient"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		files[filepath.ToSlash(path)], err = parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// constants reads names and values of the constants of a file.
func constants(t *testing.T, f *ast.File) map[string]string {
	values := map[string]string{}
	for _, d := range f.Decls {
		for _, s := range d.(*ast.GenDecl).Specs {
			v := s.(*ast.ValueSpec)
			value, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			values[v.Names[0].Name] = value
		}
	}
	return values
}

// takers finds the functions that have a parameter called code, and which one
// it is: by folder and name, and by name alone where it is exported.
func takers(files map[string]*ast.File) map[string]int {
	found := map[string]int{}
	for path, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			at := 0
			for _, p := range fn.Type.Params.List {
				for _, name := range p.Names {
					if id, ok := p.Type.(*ast.Ident); ok && name.Name == "code" && id.Name == "string" {
						found[filepath.Dir(path)+"."+fn.Name.Name] = at
						if fn.Name.IsExported() {
							found["."+fn.Name.Name] = at
						}
					}
					at++
				}
			}
		}
	}
	return found
}

// inspect calls check for each expression that stands for a code.
func inspect(f *ast.File, takers map[string]int, dir string, check func(ast.Expr)) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			name := ""
			switch fn := n.Fun.(type) {
			case *ast.Ident:
				name = dir + "." + fn.Name
			case *ast.SelectorExpr:
				if name = dir + "." + fn.Sel.Name; takers[name] == 0 {
					name = "." + fn.Sel.Name
				}
			}
			if at, ok := takers[name]; ok && at < len(n.Args) {
				check(n.Args[at])
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Code" {
				check(n.Value)
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if isCode(left) && len(n.Rhs) == len(n.Lhs) {
					check(n.Rhs[i])
				}
			}
		case *ast.BinaryExpr:
			if isCode(n.X) {
				check(n.Y)
			}
		}
		return true
	})
}

func isCode(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Code"
}
