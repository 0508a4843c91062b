package examples

import (
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

// rooms says which packages of ours a package may import; "all" is any. A
// prefix ending in "/" covers the folders below. The longest match counts.
var rooms = map[string][]string{
	"netkit":           {"netkit/journal", "netkit/internal/"},
	"netkit/internal/": {"netkit/journal"},
	"netkit/journal":   {},
	"netkit/journal/":  {"netkit/journal", "netkit/journal/journaltest"},
	"netkit/btdt":      {"netkit/btdt/"},
	"netkit/btdt/":     {"netkit/btdt", "netkit/btdt/"},
	"netkit/proof":     {"netkit/journal"},
	"netkit/netclient": {"netkit", "netkit/btdt", "netkit/proof"},
	"server":           {"netkit", "netkit/btdt", "netkit/proof", "netkit/journal", "server/"},
	"server/":          {"netkit", "netkit/btdt", "netkit/proof", "netkit/journal", "server/"},
	"plantclient":      {},
	"tui":              {"netkit", "tui/"},
	"tui/":             {"netkit", "tui", "tui/"},
	"cmd/netctl":       {"all"},
	"cmd/netctl/":      {"all"},
	"examples":         {"netkit", "netkit/journal", "netkit/journal/sqlite", "netkit/netclient", "netkit/btdt", "plantclient", "server"},
	"examples/":        {"netkit", "netkit/journal", "netkit/journal/sqlite", "netkit/netclient", "netkit/btdt", "plantclient", "server"},
}

// forbidden says what the rules may not reach for: they know no transport, no
// driver, no disk.
var forbidden = map[string][]string{
	"netkit":       {"net", "net/http", "database/sql", "os"},
	"netkit/btdt":  {"net", "net/http", "database/sql", "os"},
	"netkit/proof": {"net", "net/http", "database/sql", "os"},
}

// sources yields the Go files of the repository that are no tests, as slash
// paths from its root.
func sources(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir("..", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != ".." && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
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

// room returns the rule that a folder falls under.
func room(dir string) (string, bool) {
	best, found := "", false
	for r := range rooms {
		if (r == dir || strings.HasSuffix(r, "/") && strings.HasPrefix(dir+"/", r)) && len(r) >= len(best) {
			best, found = r, true
		}
	}
	return best, found
}

// violations lists what of a file's imports its room does not allow.
func violations(dir string, imports []string) []string {
	r, ok := room(dir)
	if !ok {
		return []string{dir + " stands in no room"}
	}
	var bad []string
	for _, imp := range imports {
		ours, inside := strings.CutPrefix(imp, module)
		if !inside {
			if slices.Contains(forbidden[r], imp) {
				bad = append(bad, imp)
			}
			continue
		}
		allowed := slices.ContainsFunc(rooms[r], func(a string) bool {
			return a == "all" || a == ours || strings.HasSuffix(a, "/") && strings.HasPrefix(ours, a)
		})
		if !allowed {
			bad = append(bad, imp)
		}
	}
	return bad
}

// The table above is read off the source files themselves, since a list that
// the build cache answers can stay green after the rule was broken.
func TestRooms(t *testing.T) {
	for _, file := range sources(t) {
		dir := path.Dir(file)
		src, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		var imports []string
		for _, i := range f.Imports {
			imports = append(imports, strings.Trim(i.Path.Value, `"`))
		}
		for _, bad := range violations(dir, imports) {
			t.Errorf("%s: room %s may not import %s", file, dir, bad)
		}
		if forbidden[dir] != nil && strings.Contains(string(src), "time.Now()") {
			t.Errorf("%s: the rules ask no clock; take the time from Config.Now", file)
		}
	}
}

func TestRoomsCanFail(t *testing.T) {
	for _, c := range []struct {
		dir, imp string
		bad      bool
	}{
		{"netkit", "net/http", true},
		{"netkit", "os", true},
		{"netkit", module + "server", true},
		{"netkit", module + "netkit/journal/sqlite", true},
		{"netkit", module + "netkit/internal/clerk", false},
		{"netkit/internal/clerk", module + "netkit", true},
		{"netkit/journal/sqlite", module + "netkit/journal", false},
		{"netkit/journal/sqlite", module + "netkit", true},
		{"netkit/btdt/internal/tagger", module + "netkit", true},
		{"netkit/proof", module + "netkit", true},
		{"netkit/proof", "net/http", true},
		{"netkit/proof", module + "netkit/journal", false},
		{"plantclient", module + "netkit", true},
		{"server/audio", module + "netkit/netclient", true},
		{"cmd/netctl", module + "server", false},
		{"elsewhere", "fmt", true},
	} {
		if got := len(violations(c.dir, []string{c.imp})) > 0; got != c.bad {
			t.Errorf("%s importing %s: got refused %v, want %v", c.dir, c.imp, got, c.bad)
		}
	}
}
