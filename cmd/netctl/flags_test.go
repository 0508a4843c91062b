package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A device or a film named by mistake must not be read into memory.
func TestSmallFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "film")
	for size, want := range map[int]string{maxText: "", maxText + 1: "has more than 1048576 bytes"} {
		if err := os.WriteFile(path, bytes.Repeat([]byte("x"), size), 0o600); err != nil {
			t.Fatal(err)
		}
		b, err := smallFile(path)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || err == nil && len(b) != size {
			t.Errorf("%d bytes: got %d bytes and %v, want %q", size, len(b), err, want)
		}
	}
}
