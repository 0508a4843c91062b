package private

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A file is replaced as a whole, nobody else can read it, and nothing else is
// left in its folder.
func TestWriteFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	path := filepath.Join(dir, "token")
	for _, text := range []string{"first", "second"} {
		if err := WriteFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("got %q, %v, want %q", got, err, text)
		}
	}
	for name, want := range map[string]fs.FileMode{path: 0o600, dir: 0o700} {
		if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != want {
			t.Errorf("%s: got %v, %v, want %v", name, info.Mode(), err, want)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("got %v, %v, want one file", left, err)
	}
}

func TestRemove(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	if err := Remove(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want that there is no such file", err)
	}
	if err := errors.Join(WriteFile(path, nil), Remove(path)); err != nil {
		t.Error(err)
	}
}
