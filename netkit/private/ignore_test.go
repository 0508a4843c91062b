package private

import (
	"os"
	"path/filepath"
	"testing"
)

// A new folder gets a file that makes git ignore it; a folder with files of its
// owner does not.
func TestHideFromGit(t *testing.T) {
	for name, c := range map[string]struct {
		has  []string
		want string
	}{
		"new":         {nil, "*\n"},
		"locked":      {[]string{"lock"}, "*\n"},
		"own files":   {[]string{"lock", "main.go"}, ""},
		"own ignores": {[]string{GitIgnore}, "mine"},
	} {
		dir := t.TempDir()
		for _, file := range c.has {
			if err := os.WriteFile(filepath.Join(dir, file), []byte("mine"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := HideFromGit(dir, "lock"); err != nil {
			t.Fatal(err)
		}
		got, _ := os.ReadFile(filepath.Join(dir, GitIgnore))
		if string(got) != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
