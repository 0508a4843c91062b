package examples

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/agentnet/netctl/"

// room says what the code of a folder may do.
type room struct {
	// imports are the packages of this module that it may import; "all" is
	// any, and a name that ends in "/" stands for the folders below it.
	imports []string
	// pure code takes the network, disk, randomness and clock from its caller.
	pure bool
	// timed code is pure but for the clock.
	timed bool
	// exact code decides or applies what is recorded, and so holds no float:
	// its results must be the same bits on every machine.
	exact bool
	// plain code has no context and no lock, starts no goroutine and knows of none.
	plain bool
}

// rooms are found by the longest name that fits a folder. A name that ends in
// "/" covers the folders below it.
var rooms = map[string]room{
	"netkit/dataschema":          {imports: []string{"netkit/strictjson"}, pure: true, exact: true},
	"netkit/spelling":            {pure: true, exact: true},
	"netkit/plural":              {pure: true, exact: true},
	"netkit/chart":               {pure: true},
	"netkit/timespan":            {pure: true, timed: true, exact: true},
	"netkit/strictjson":          {pure: true, exact: true},
	"netkit/code":                {pure: true, exact: true},
	"netkit/neardup":             {pure: true, exact: true},
	"netkit/didkey":              {pure: true, exact: true},
	"netkit":                     {imports: []string{"netkit/plural", "netkit/code", "netkit/internal/wire"}, pure: true, exact: true},
	"netkit/rules":               {imports: []string{"netkit", "netkit/plural", "netkit/code", "netkit/didkey", "netkit/journal", "netkit/internal/access", "netkit/internal/score", "netkit/internal/undo", "netkit/internal/wire"}, pure: true, exact: true, plain: true},
	"netkit/network":             {imports: []string{"netkit", "netkit/rules", "netkit/plural", "netkit/code", "netkit/dataschema", "netkit/didkey", "netkit/neardup", "netkit/journal", "netkit/webhook", "netkit/internal/"}, pure: true, exact: true},
	"netkit/internal/":           {imports: []string{"netkit/journal"}, pure: true, exact: true},
	"netkit/internal/rulestest":  {imports: []string{"netkit"}, pure: true, exact: true},
	"netkit/internal/clerk":      {imports: []string{"netkit/journal"}, pure: true, timed: true, exact: true}, // it times its batches
	"netkit/internal/pace":       {pure: true, timed: true, exact: true},                                      // it times turns and rests
	"netkit/internal/wire":       {pure: true, exact: true},
	"netkit/internal/access":     {imports: []string{"netkit/internal/undo", "netkit/internal/wire"}, pure: true, exact: true},
	"netkit/internal/undo":       {pure: true, exact: true},
	"netkit/journal":             {imports: []string{"netkit/journal/seal"}, pure: true, exact: true},
	"netkit/journal/":            {imports: []string{"netkit/private", "netkit/timespan", "netkit/journal", "netkit/journal/journaltest", "netkit/journal/seal"}},
	"netkit/journal/seal":        {pure: true, exact: true},
	"netkit/replica":             {imports: []string{"netkit", "netkit/journal", "netkit/journal/seal", "netkit/rules", "netkit/timespan"}, pure: true, timed: true, exact: true},
	"netkit/cluster":             {imports: []string{"netkit/journal", "netkit/journal/seal", "netkit/journal/sqlite", "netkit/private", "netkit/replica", "netkit/timespan"}},
	"netkit/btdt":                {imports: []string{"netkit", "netkit/spelling", "netkit/strictjson", "netkit/btdt/"}, pure: true},
	"netkit/btdt/":               {imports: []string{"netkit/btdt", "netkit/btdt/"}, pure: true},
	"netkit/btdt/detector":       {imports: []string{"netkit/btdt"}},                 // it reaches servers and programs
	"netkit/btdt/internal/train": {imports: []string{"netkit/btdt", "netkit/btdt/"}}, // a program that reads and writes files
	"netkit/proof":               {imports: []string{"netkit/journal"}, pure: true, exact: true},
	"netkit/netkittest":          {imports: []string{"netkit/network", "netkit", "netkit/journal"}, pure: true, timed: true, exact: true}, // its Until waits
	"netkit/catalog":             {imports: []string{"netkit/code", "netkit"}, pure: true, exact: true},
	"netkit/webhook":             {imports: []string{"netkit"}, pure: true, exact: true},
	"netkit/mcp":                 {imports: []string{"netkit/strictjson", "netkit/plural", "netkit/code", "netkit", "netkit/btdt", "netkit/catalog"}},
	"netkit/netclient":           {imports: []string{"netkit/private", "netkit/timespan", "netkit/code", "netkit", "netkit/btdt", "netkit/catalog", "netkit/proof", "netkit/webhook"}},
	"netkit/simulate":            {imports: []string{"netkit/chart", "netkit/rules", "netkit/network", "netkit/internal/fanout", "netkit/plural", "netkit/didkey", "netkit/code", "netkit", "netkit/journal"}, pure: true},
	"netkit/export":              {imports: []string{"netkit/chart", "netkit/rules", "netkit", "netkit/journal"}},
	"netkit/backup":              {imports: []string{"netkit", "netkit/journal", "netkit/journal/sqlite", "netkit/timespan"}},
	"netkit/archive":             {imports: []string{"netkit", "netkit/backup", "netkit/journal", "netkit/journal/sqlite", "netkit/private", "netkit/timespan"}},
	"netkit/archive/s3":          {imports: []string{"netkit/archive"}},
	"netkit/archive/s3/s3test":   {},
	"netkit/audit":               {imports: []string{"netkit/rules", "netkit/network", "netkit", "netkit/journal", "netkit/proof", "netkit/private"}},
	"netkit/private":             {},
	"netkit/publicnet":           {},
	"netkit/vault":               {imports: []string{"netkit/private"}},
	"server/host":                {imports: []string{"netkit/archive", "netkit/archive/s3", "netkit/archive/s3/s3test", "netkit/code", "netkit/timespan", "netkit/backup", "netkit/audit", "netkit/rules", "netkit/network", "netkit/plural", "netkit", "netkit/private", "netkit/journal", "netkit/journal/journaltest", "netkit/journal/sqlite", "netkit/proof", "netkit/replica", "server", "server/audio", "server/hooks"}},
	"netkit/witness":             {imports: []string{"netkit/private", "netkit/proof", "netkit/journal/sqlite"}},
	"server":                     {imports: []string{"netkit/timespan", "netkit/rules", "netkit/network", "netkit/mcp", "netkit/netclient", "netkit/spelling", "netkit/strictjson", "netkit/plural", "netkit/code", "netkit", "netkit/btdt", "netkit/catalog", "netkit/proof", "netkit/journal", "netkit/export", "netkit/webhook", "server/"}},
	"server/":                    {imports: []string{"netkit/private", "netkit/timespan", "netkit/rules", "netkit/network", "netkit/spelling", "netkit/plural", "netkit/code", "netkit", "netkit/btdt", "netkit/catalog", "netkit/proof", "netkit/journal", "netkit/export", "netkit/webhook", "netkit/publicnet", "server/"}},
	"server/monitor":             {imports: []string{"netkit", "netkit/network", "server"}},
	"server/guide":               {imports: []string{"netkit/simulate"}},
	"plantclient":                {imports: []string{"netkit/timespan"}},
	"tui":                        {imports: []string{"netkit/plural", "netkit/code", "netkit", "netkit/catalog", "netkit/webhook", "tui/"}},
	"tui/":                       {imports: []string{"netkit/plural", "netkit/timespan", "netkit/code", "netkit", "tui", "tui/"}},
	"cmd/netctl":                 {imports: []string{"all"}},
	"cmd/netctl/":                {imports: []string{"all"}},
	"examples":                   {imports: public},
	"examples/":                  {imports: public},
}

// public are the packages that a stranger's program would use.
var public = []string{"netkit", "netkit/rules", "netkit/network", "netkit/didkey", "server/host", "netkit/audit", "netkit/netkittest", "netkit/simulate", "netkit/journal", "netkit/journal/sqlite", "netkit/netclient", "netkit/private", "netkit/publicnet", "netkit/vault", "netkit/btdt", "netkit/btdt/detector", "plantclient", "server", "server/certs/testca"}

// impure are the packages that reach outside the program, with all below them.
var impure = []string{"C", "net", "os", "io/ioutil", "database/sql", "syscall", "log", "plugin", "unsafe", "golang.org/x/sys"}

// parsers are those of them that only read text.
var parsers = []string{"net/url", "net/netip", "net/mail"}

// floats are the types whose results may differ between machines.
var floats = []string{"float32", "float64", "complex64", "complex128"}

// clock are the functions of package time that ask or wait for it.
var clock = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

// roomOf returns the rule for a folder.
func roomOf(dir string) (r room, ok bool) {
	best := ""
	for name, rule := range rooms {
		fits := name == dir || strings.HasSuffix(name, "/") && strings.HasPrefix(dir, name)
		if fits && len(name) >= len(best) {
			best, r, ok = name, rule, true
		}
	}
	return r, ok
}

// below reports whether a package is one of list, or inside one of them.
func below(imp string, list []string) bool {
	return slices.ContainsFunc(list, func(p string) bool { return imp == p || strings.HasPrefix(imp, p+"/") })
}

// allows reports whether code in the room may import a package.
func (r room) allows(imp string) bool {
	ours, inside := strings.CutPrefix(imp, module)
	if !inside {
		return !r.pure || !below(imp, impure) || slices.Contains(parsers, imp)
	}
	return slices.ContainsFunc(r.imports, func(a string) bool {
		return a == "all" || a == ours || strings.HasSuffix(a, "/") && strings.HasPrefix(ours, a)
	})
}

// violations lists what in a file its room does not allow.
func violations(dir string, f *ast.File) (bad []string) {
	r, ok := roomOf(dir)
	if !ok {
		return []string{"the folder " + dir + " is in no room"}
	}
	names := map[string]string{} // of what is imported
	for _, i := range f.Imports {
		imp := strings.Trim(i.Path.Value, `"`)
		names[path.Base(strings.TrimSuffix(imp, "/v2"))] = imp
		if i.Name != nil {
			names[i.Name.Name] = imp
		}
		if r.pure && i.Name != nil && i.Name.Name == "." {
			bad = append(bad, "import of all names of "+imp)
		}
		if !r.allows(imp) || r.plain && below(imp, []string{"context", "sync", "runtime"}) {
			bad = append(bad, "import of "+imp)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			if r.plain {
				bad = append(bad, "a go statement")
			}
		case *ast.CallExpr:
			called := impureCall(n, names)
			if r.pure && called != "" && !(r.timed && strings.HasPrefix(called, "time.")) {
				bad = append(bad, "call of "+called)
			}
		case *ast.BasicLit:
			if r.exact && (n.Kind == token.FLOAT || n.Kind == token.IMAG) {
				bad = append(bad, "float "+n.Value)
			}
		case *ast.Ident:
			if r.exact && slices.Contains(floats, n.Name) {
				bad = append(bad, n.Name)
			}
		}
		return true
	})
	return bad
}

// impureCall names a call that asks the clock or a source of randomness, ""
// when it is none. Such a function may be handed on as a default.
func impureCall(call *ast.CallExpr, names map[string]string) string {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	pkg, ok := sel.X.(*ast.Ident)
	if !ok {
		return ""
	}
	switch imp := names[pkg.Name]; {
	case imp == "time" && slices.Contains(clock, sel.Sel.Name),
		imp == "crypto/rand",
		strings.HasPrefix(imp, "math/rand") && !strings.HasPrefix(sel.Sel.Name, "New"):
		return imp + "." + sel.Sel.Name
	}
	return ""
}

// sources returns the Go files of this module that are not tests, as slash
// paths from its root.
func sources(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir("..", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != ".." {
			_, nested := os.Stat(filepath.Join(p, "go.mod"))
			if nested == nil || strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
		}
		if strings.HasSuffix(p, ".go") && !strings.HasSuffix(p, "_test.go") {
			files = append(files, strings.TrimPrefix(filepath.ToSlash(p), "../"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 50 {
		t.Fatalf("found %d source files, that cannot be all", len(files))
	}
	return files
}

// The rules are checked on the source files themselves, since a list that the
// build cache answers can stay green after a rule was broken.
func TestRooms(t *testing.T) {
	for _, file := range sources(t) {
		src, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range violations(path.Dir(file), f) {
			t.Errorf("%s: %s is not allowed here; see the rooms in examples/rooms_test.go", file, bad)
		}
	}
}

// Every hole that a rule closes is tried.
func TestRoomsCanFail(t *testing.T) {
	imports := func(imp string) string { return fmt.Sprintf("package p\nimport _ %q\n", imp) }
	for _, c := range []struct {
		dir, src string
		bad      bool
	}{
		{"netkit", imports("net/http"), true},
		{"netkit", imports("net/url"), false},
		{"netkit", imports("os"), true},
		{"netkit", imports("os/exec"), true},
		{"netkit", imports("golang.org/x/sys/unix"), true},
		{"netkit", imports(module + "server"), true},
		{"netkit", imports(module + "netkit/journal/sqlite"), true},
		{"netkit", imports(module + "netkit/internal/clerk"), true},
		{"netkit", imports(module + "netkit/internal/score"), true},
		{"netkit", imports(module + "netkit/rules"), true},
		{"netkit", imports(module + "netkit/network"), true},
		{"netkit", imports("context"), false},
		{"netkit/rules", imports(module + "netkit"), false},
		{"netkit/rules", imports(module + "netkit/network"), true},
		{"netkit/rules", imports(module + "netkit/internal/clerk"), true},
		{"netkit/rules", imports(module + "netkit/internal/fanout"), true},
		{"netkit/rules", imports("context"), true},
		{"netkit/rules", imports("sync"), true},
		{"netkit/rules", imports("sync/atomic"), true},
		{"netkit/rules", imports("runtime"), true},
		{"netkit/network", imports("runtime"), false},
		{"netkit/rules", "package p\nfunc f() { go f() }", true},
		{"netkit/rules", "package p\nimport \"time\"\nvar t = time.Now()", true},
		{"netkit/rules", "package p\nvar half = 0.5", true},
		{"netkit/network", imports("sync"), false},
		{"netkit/network", "package p\nfunc f() { go f() }", false},
		{"netkit/network", imports(module + "server"), true},
		{"netkit/netclient", imports(module + "netkit/rules"), true},
		{"netkit/mcp", imports(module + "netkit/network"), true},
		{"server", imports(module + "netkit/btdt/detector"), true},
		{"netkit/catalog", imports(module + "netkit/rules"), true},
		{"tui", imports(module + "netkit/network"), true},
		{"netkit", "package p\nimport \"time\"\nvar t = time.Now()", true},
		{"netkit", "package p\nimport \"time\"\nvar t = time.Since(x)", true},
		{"netkit", "package p\nimport clock \"time\"\nvar t = clock.Now()", true},
		{"netkit", "package p\nimport \"time\"\nvar now = time.Now", false},
		{"netkit", "package p\nimport \"math/rand/v2\"\nvar n = rand.IntN(3)", true},
		{"netkit", "package p\nimport \"crypto/rand\"\nvar n, _ = rand.Read(b)", true},
		{"netkit", "package p\nimport . \"time\"\nvar t = Now()", true},
		{"netkit", "package p\nimport \"C\"", true},
		{"netkit", "package p\nvar half = 0.5", true},
		{"netkit", "package p\nvar i = 1i", true},
		{"netkit", "package p\nfunc f(x complex128) {}", true},
		{"netkit/internal/clerk", "package p\nimport \"math/rand\"\nvar n = rand.Int()", true},
		{"netkit", "package p\nfunc f(x float64) {}", true},
		{"netkit/internal/score", "package p\nvar half = 0.5", true},
		{"netkit/internal/score", imports("net"), true},
		{"netkit/internal/clerk", imports(module + "netkit"), true},
		{"netkit/internal/clerk", "package p\nimport \"time\"\nvar t = time.Now()", false},
		{"netkit/internal/clerk", imports("os"), true},
		{"netkit/internal/wire", imports(module + "netkit/journal"), true},
		{"netkit/internal/undo", imports(module + "netkit/internal/wire"), true},
		{"netkit/internal/access", imports(module + "netkit/internal/undo"), false},
		{"netkit/internal/access", imports(module + "netkit"), true},
		{"netkit/internal/access", "package p\nvar half float64", true},
		{"netkit/internal/another", imports("os"), true},
		{"netkit/internal/another", "package p\nimport \"time\"\nvar t = time.Now()", true},
		{"netkit/internal/another/below", imports("net"), true},
		{"netkit/netkittest", imports("os"), true},
		{"netkit/netkittest", imports(module + "server"), true},
		{"netkit/audit", imports(module + "netkit"), false},
		{"netkit/audit", imports(module + "cmd/netctl"), true},
		{"netkit/audit", imports(module + "server"), true},
		{"netkit/audit", imports(module + "server/host"), true},
		{"netkit/witness", imports(module + "server/host"), true},
		{"server/host", imports(module + "server"), false},
		{"server/host", imports(module + "cmd/netctl"), true},
		{"server/host", imports(module + "tui"), true},
		{"netkit/journal", imports("os"), true},
		{"netkit/journal", "package p\nimport \"time\"\nvar t = time.Now()", true},
		{"netkit/journal/sqlite", imports("os"), false},
		{"netkit/journal/sqlite", imports(module + "netkit/journal"), false},
		{"netkit/journal/sqlite", imports(module + "netkit"), true},
		{"netkit/btdt", imports("os"), true},
		{"netkit/btdt/internal/detect", imports("net/http"), true},
		{"netkit/btdt/internal/detect", imports("os"), true},
		{"netkit/btdt/internal/detect", "package p\nimport \"time\"\nvar t = time.Now()", true},
		{"netkit/btdt/internal/detect", imports(module + "netkit"), true},
		{"netkit/proof", imports(module + "netkit"), true},
		{"netkit/proof", imports("net/http"), true},
		{"netkit/proof", imports(module + "netkit/journal"), false},
		{"plantclient", imports(module + "netkit"), true},
		{"server/audio", imports(module + "netkit/netclient"), true},
		{"cmd/netctl", imports(module + "server"), false},
		{"elsewhere", imports("fmt"), true},
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "p.go", c.src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(violations(c.dir, f)) > 0; got != c.bad {
			t.Errorf("%s in %s: got refused %v, want %v", c.src, c.dir, got, c.bad)
		}
	}
}

// Clients of a network link none of its engine: neither the writer's queue nor the
// tables that undo, nor the arithmetic of scores.
func TestClientsLinkNoEngine(t *testing.T) {
	imports := map[string][]string{} // of the packages of this module
	for _, file := range sources(t) {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", file), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if ours, inside := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), module); inside {
				imports[path.Dir(file)] = append(imports[path.Dir(file)], ours)
			}
		}
	}
	engine := []string{"netkit/rules", "netkit/network", "netkit/internal/clerk", "netkit/internal/undo", "netkit/internal/score"}
	if !links(imports, "netkit/network", "netkit/internal/clerk", map[string]bool{}) {
		t.Error("the network does not link its clerk: the imports were not read")
	}
	for _, client := range []string{"tui", "netkit/netclient", "netkit/mcp", "netkit/catalog"} {
		for _, part := range engine {
			if links(imports, client, part, map[string]bool{}) {
				t.Errorf("%s links %s", client, part)
			}
		}
	}
	for _, reader := range []string{"netkit/audit", "netkit/witness"} {
		if links(imports, reader, "server", map[string]bool{}) {
			t.Errorf("%s links the server", reader)
		}
	}
}

// links reports whether a package imports another one, or a package that does.
func links(imports map[string][]string, from, to string, seen map[string]bool) bool {
	if seen[from] {
		return false
	}
	seen[from] = true
	return slices.ContainsFunc(imports[from], func(next string) bool { return next == to || links(imports, next, to, seen) })
}
