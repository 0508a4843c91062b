package examples

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// phrases are words that a reader stumbles over, each with what to write. They
// are looked for in strings and comments of Go, in pages, scripts and texts.
var phrases = []struct {
	bad  *regexp.Regexp
	good string
}{
	{phrase(`unless said`), "default: …"},
	{phrase(`tells? (whether|if)`), "reports whether"},
	{phrase(`lack(s|ing) credits`), "insufficient credits"},
	{phrase(`anew`), "again"},
	{phrase(`is not a slug`), "what a slug may hold"},
	{phrase(`there are none`), "what is missing, and the next command"},
	{phrase(`(so|already so|are so) already|already so`), "what is the case already"},
	{phrase(`has less left than`), "the remaining budget is below one payout"},
	{phrase(`(what )?issuance owes`), "credits were issued"},
	{phrase(`night goes on`), "night, next step"},
	{phrase(`rows stand by`), "sorted by"},
	{phrase(`how much there is of what`), "network totals"},
	{phrase(`a struct a kind`), "one struct per kind"},
	{phrase(`live in it:`), "Agent commands:"},
	{phrase(`(this|that|it|which|who) (is|was) no (public|private|agent|credential|regular|upload|operator|party|checkpoint|journal|hash|path|channel|text|file|key)`), "is not a …"},
	{phrase(`1 (times|dispatches|entries|agents|files|days|badges|contracts|executions|logs|places)`), "plural.Count"},
	{phrase(`(hitherto|thereof|whereupon|forthwith|betwixt|nought|naught|thither|whence|thence|thereupon|heretofore)`), "a word in use today"},
}

// identifiers are names that a reader would not search for.
var identifiers = []struct {
	bad  *regexp.Regexp
	good string
}{
	{regexp.MustCompile(`^most[A-Z]`), "maxX"},
	{regexp.MustCompile(`^(page|scan|token|entries|session|sources|notices|recent|invite|idem)s?Most$`), "maxX"},
}

// phrase matches whole words in any case, and over the end of a line.
func phrase(words string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|[^\pL\d.,])(` + strings.ReplaceAll(words, " ", `\s+(?://\s*)?`) + `)($|[^\pL\d])`)
}

// stumbles lists what in a file is to be said otherwise. Of Go, strings,
// comments and names count.
func stumbles(name, text string) (bad []string) {
	look := func(s string) {
		for _, p := range phrases {
			if m := p.bad.FindStringSubmatch(s); m != nil {
				bad = append(bad, strings.Join(strings.Fields(m[2]), " ")+"; write: "+p.good)
			}
		}
	}
	if !strings.HasSuffix(name, ".go") {
		look(text)
		return bad
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return []string{err.Error()}
	}
	for _, c := range f.Comments {
		look(c.Text())
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				look(n.Value)
			}
		case *ast.Ident:
			for _, p := range identifiers {
				if p.bad.MatchString(n.Name) {
					bad = append(bad, n.Name+"; write: "+p.good)
				}
			}
		}
		return true
	})
	return bad
}

// texts returns the files that people read, as slash paths from the root of
// the module. The scrubber is left out: its word tables and texts are data.
func texts(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir("..", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		p = strings.TrimPrefix(filepath.ToSlash(p), "../")
		if d.IsDir() && (p == "netkit/btdt" || strings.HasPrefix(d.Name(), ".") && p != "..") {
			return filepath.SkipDir
		}
		switch filepath.Ext(p) {
		case ".go", ".html", ".md", ".txt", ".js", ".css", ".sh", ".py":
			if p != "examples/words_test.go" && p != "CHANGELOG.md" && p != "CONTRIBUTING.md" {
				files = append(files, p)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 300 {
		t.Fatalf("found %d files, that cannot be all", len(files))
	}
	return files
}

func TestWords(t *testing.T) {
	for _, file := range texts(t) {
		text, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range stumbles(file, string(text)) {
			t.Errorf("%s: %s", file, bad)
		}
	}
}

// Each phrase is found where it can stand, and what only looks like it is not.
func TestWordsCanFail(t *testing.T) {
	for _, c := range []struct {
		name, text string
		bad        bool
	}{
		{"a.md", "The page has 50 rows unless said otherwise.", true},
		{"a.md", "The page has 50 rows, unless\nsaid otherwise.", true},
		{"a.md", "Unless you said so, it has 50 rows.", false},
		{"a.go", "package a\n// open tells whether it is open.\nfunc open() bool", true},
		{"a.go", "package a\n// open tells\n// whether it is open.\nfunc open() bool", true},
		{"a.go", "package a\n// open reports whether it is open.\nfunc open() bool", false},
		{"a.go", "package a\nvar s = \"lacking credits\"", true},
		{"a.go", "package a\nvar s = `is not a slug`", true},
		{"a.html", "<p>There are none.</p>", true},
		{"a.html", "<p>There are nonesuch.</p>", false},
		{"a.txt", "stderr 'already so'", true},
		{"a.txt", "the roles are so already", true},
		{"a.txt", "the contract has less left than a payout", true},
		{"a.html", "What issuance owes is what all others hold.", true},
		{"a.html", "Night goes on", true},
		{"a.md", "rows stand by day", true},
		{"a.md", "how much there is of what", true},
		{"a.go", "package a\n// A struct a kind.\nvar x int", true},
		{"a.go", "package a\nvar s = \"Live in it:\"", true},
		{"a.go", "package a\nvar s = \"this is no public key\"", true},
		{"a.go", "package a\nvar s = \"it is no longer a key\"", false},
		{"a.txt", "wrote 1 entries", true},
		{"a.txt", "wrote 11 entries", false},
		{"a.txt", "0.1 entries", false},
		{"a.md", "whence it came", true},
		{"a.go", "package a\nconst mostRows = 3", true},
		{"a.go", "package a\nconst pageMost = 3", true},
		{"a.go", "package a\nvar most, almostX = 1, 2", false},
	} {
		if got := stumbles(c.name, c.text); len(got) > 0 != c.bad {
			t.Errorf("%s %q: got %q, want some: %v", c.name, c.text, got, c.bad)
		}
	}
}
