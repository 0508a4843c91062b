package main

import (
	"archive/zip"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The README says how large the program and the module are at most. What it
// says is measured here.
func TestReadmeSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	build := regexp.MustCompile(`(?m)^    CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o netctl \./cmd/netctl$`)
	if !build.Match(text) {
		t.Fatal("the README builds the program in another way than is measured here")
	}
	program := filepath.Join(t.TempDir(), "netctl")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what, limit string
		got         int64
	}{
		{"the program", `static and has at most (\d+) MB`, info.Size()},
		{"the module", `downloads a module of at most (\d+) MB`, zipped(t, "../..")},
	} {
		m := regexp.MustCompile(c.limit).FindSubmatch(text)
		if m == nil {
			t.Errorf("the README does not say how large %s is at most", c.what)
			continue
		}
		limit, _ := strconv.ParseInt(string(m[1]), 10, 64)
		t.Logf("%s has %.1f MB", c.what, float64(c.got)/1e6)
		if c.got > limit*1e6 || c.got < 1e6 {
			t.Errorf("%s has %d bytes, the README says at most %d MB", c.what, c.got, limit)
		}
	}
}

// counter counts what is written.
type counter int64

func (c *counter) Write(b []byte) (int, error) { *c += counter(len(b)); return len(b), nil }

// zipped returns the size of a module's zip: its files without those of nested
// modules.
func zipped(t *testing.T, root string) int64 {
	t.Helper()
	var size counter
	z := zip.NewWriter(&size)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, nested := os.Stat(filepath.Join(path, "go.mod"))
			if path != root && (d.Name() == ".git" || nested == nil) {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || strings.HasPrefix(d.Name(), ".git") {
			return nil
		}
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		defer in.Close()
		out, err := z.Create(path)
		if err == nil {
			_, err = io.Copy(out, in)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return int64(size)
}
