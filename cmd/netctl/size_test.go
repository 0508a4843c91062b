package main

import (
	"archive/zip"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
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

// zipped returns the size of a module's zip: its tracked files without those of
// nested modules. Files that git does not track, such as a program built by the
// README's line, are not part of a module.
func zipped(t *testing.T, root string) int64 {
	t.Helper()
	var size counter
	z := zip.NewWriter(&size)
	for _, path := range tracked(t, root) {
		b, err := os.ReadFile(filepath.Join(root, path))
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, and not yet committed
		}
		out, zipErr := z.Create(path)
		if err = errors.Join(err, zipErr); err == nil {
			_, err = out.Write(b)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return int64(size)
}

// tracked lists the files of a module that git tracks, without those of nested
// modules and git's own.
func tracked(t *testing.T, root string) (files []string) {
	t.Helper()
	out, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Skip("not a git checkout: ", err)
	}
	all := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	nested := func(file string) bool {
		return slices.ContainsFunc(all, func(mod string) bool {
			return mod != "go.mod" && path.Base(mod) == "go.mod" && strings.HasPrefix(file, path.Dir(mod)+"/")
		})
	}
	for _, file := range all {
		if !nested(file) && !strings.HasPrefix(path.Base(file), ".git") {
			files = append(files, file)
		}
	}
	return files
}
