package audio

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

// A copy is kept under its hash with its uploader; content that lies, or is too large,
// leaves nothing behind.
func TestCopy(t *testing.T) {
	dir := t.TempDir()
	s, _ := store(t, dir)
	content := example(t, "p0-grid-failure.vtt")
	sum := sha256.Sum256(content)
	sha, at := hex.EncodeToString(sum[:]), time.UnixMilli(1_700_000_000_123)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx     context.Context
		sha     string
		content string
		want    error
	}{
		"a lie":     {t.Context(), sha, "something else", ErrAltered},
		"no end":    {t.Context(), sha, strings.Repeat("a", 100_001), ErrTooLarge},
		"no name":   {t.Context(), "../" + sha, string(content), ErrNotFound},
		"given up":  {ended, sha, string(content), context.Canceled},
		"cut short": {t.Context(), sha, string(content[1:]), ErrAltered},
	} {
		if err := s.Copy(c.ctx, c.sha, "cora", at, strings.NewReader(c.content)); !errors.Is(err, c.want) || files(t, dir) != 0 {
			t.Errorf("%s: got %v and %d files, want %v and none", name, err, files(t, dir), c.want)
		}
	}
	if _, ok, err := s.Uploaded(sha, "cora"); ok || err != nil {
		t.Errorf("before: got %v, %v, want none", ok, err)
	}
	for _, by := range []string{"", "cora"} {
		if err := s.Copy(t.Context(), sha, by, at, bytes.NewReader(content)); err != nil {
			t.Fatal(err)
		}
		f, b, err := s.Open(sha)
		if err != nil || b.Type != TypeVTT {
			t.Fatalf("got %+v, %v", b, err)
		}
		f.Close()
		got, ok, err := s.Uploaded(sha, "cora")
		if want := by == "cora"; ok != want || err != nil || want && !got.Equal(at) {
			t.Errorf("copied for %q: got %v, %v, %v", by, got, ok, err)
		}
	}
	if _, release, err := s.Hold(sha, "cora"); err != nil {
		t.Error(err)
	} else {
		release()
	}
	// An altered file is replaced.
	if err := os.WriteFile(s.path(sha), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Open(sha); !errors.Is(err, ErrAltered) {
		t.Fatalf("got %v, want ErrAltered", err)
	}
	if err := s.Copy(t.Context(), sha, "", at, bytes.NewReader(content)); err != nil {
		t.Fatal(err)
	}
	f, _, err := s.Open(sha)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}
