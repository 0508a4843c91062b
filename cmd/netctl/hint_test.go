package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Every request that a refusal of the rules advises has a command.
func TestAdviceNamesCommands(t *testing.T) {
	request := regexp.MustCompile(`\b(GET|POST|PUT|DELETE) /`)
	files, err := filepath.Glob(filepath.Join("..", "..", "netkit", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, text := range texts(t, file) {
			if !request.MatchString(text) {
				continue
			}
			seen++
			if got := inCommands(text); request.MatchString(got) {
				t.Errorf("%s: got %q, want no request in it", file, got)
			}
		}
	}
	if seen < 20 {
		t.Errorf("got %d texts with a request, want those of all refusals", seen)
	}
}

// texts are the texts in quotation marks of a Go file.
func texts(t *testing.T, file string) (out []string) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && lit.Value[0] == '"' {
			if s, err := strconv.Unquote(lit.Value); err == nil {
				out = append(out, s)
			}
		}
		return true
	})
	return out
}
