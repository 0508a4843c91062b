package audio

import (
	"bytes"
	"errors"
	"os"
	"testing"
	"time"
)

func putFor(t *testing.T, s *Store, by, name string) Blob {
	t.Helper()
	b, err := s.Put(t.Context(), Upload{By: by}, bytes.NewReader(example(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// An upload belongs to whoever made it, after a restart too.
func TestHoldTakesOwnUploadsOnly(t *testing.T) {
	dir := t.TempDir()
	s, _ := store(t, dir)
	want := putFor(t, s, "cora", "p0-grid-resolved.wav")
	for _, s := range []*Store{s, reopened(t, dir)} {
		got, release, err := s.Hold(want.SHA256, "cora")
		if err != nil || got != want {
			t.Fatalf("own upload: got %+v, %v, want %+v", got, err, want)
		}
		release()
		if _, _, err := s.Hold(want.SHA256, "dora"); !errors.Is(err, ErrNotFound) {
			t.Errorf("upload of another: got %v, want ErrNotFound", err)
		}
	}
	putFor(t, s, "dora", "p0-grid-resolved.wav")
	for _, by := range []string{"cora", "dora"} {
		_, release, err := reopened(t, dir).Hold(want.SHA256, by)
		if err != nil {
			t.Fatalf("%s: got %v, want the file that both uploaded", by, err)
		}
		release()
	}
}

func reopened(t *testing.T, dir string) *Store {
	t.Helper()
	s, _ := store(t, dir)
	return s
}

// A file of an earlier release is served, and nobody's upload.
func TestFileWithoutUploaders(t *testing.T) {
	s, _ := store(t, t.TempDir())
	b := putFor(t, s, "cora", "p0-grid-resolved.wav")
	if err := os.Remove(s.uploadsPath(b.SHA256)); err != nil {
		t.Fatal(err)
	}
	f, _, err := s.Open(b.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, _, err := s.Hold(b.SHA256, "cora"); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
}

// What is about to be published is not swept, however old it is.
func TestHeldFileIsNotSwept(t *testing.T) {
	s, c := store(t, t.TempDir())
	b := putFor(t, s, "cora", "p0-grid-resolved.wav")
	nothing := func(string) bool { return false }
	c.t = c.t.Add(48 * time.Hour)
	_, release, err := s.Hold(b.SHA256, "cora")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.Sweep(t.Context(), nothing, 24*time.Hour); n != 0 || err != nil {
		t.Fatalf("held: got %d, %v, want nothing removed", n, err)
	}
	release()
	if n, err := s.Sweep(t.Context(), nothing, 24*time.Hour); n != 1 || err != nil {
		t.Errorf("released: got %d, %v, want it removed", n, err)
	}
	if _, err := os.Stat(s.uploadsPath(b.SHA256)); !os.IsNotExist(err) {
		t.Errorf("its uploaders: got %v, want them gone too", err)
	}
}
