package audio

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// clock is a time that tests move by hand.
type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

func store(t *testing.T, dir string) (*Store, *clock) {
	t.Helper()
	c := &clock{time.Unix(1_800_000_000, 0)}
	s, err := New(Config{Dir: dir, MaxBytes: 100_000, Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

// files counts the regular files under dir.
func files(t *testing.T, dir string) int {
	t.Helper()
	n := 0
	err := filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			n++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestStoreKeepsRecordings(t *testing.T) {
	dir := t.TempDir()
	s, _ := store(t, dir)
	for _, c := range examples {
		content := example(t, c.name)
		sum := sha256.Sum256(content)
		want := Blob{hex.EncodeToString(sum[:]), c.kind, int64(len(content)), playtime(c.samples, c.rate)}
		for range 2 { // the same content again is the same file
			if got, err := s.Put(t.Context(), Upload{By: "cora"}, bytes.NewReader(content)); err != nil || got != want {
				t.Fatalf("%s: got %+v, %v, want %+v", c.name, got, err, want)
			}
		}
		// Another store on the same folder has to find out again.
		fresh, _ := store(t, dir)
		for _, s := range []*Store{s, fresh} {
			f, got, err := s.Open(want.SHA256)
			if err != nil || got != want {
				t.Fatalf("%s: got %+v, %v, want %+v", c.name, got, err, want)
			}
			back, err := io.ReadAll(f)
			if f.Close(); err != nil || !bytes.Equal(back, content) {
				t.Errorf("%s: content differs (%v)", c.name, err)
			}
		}
	}
	if got := files(t, dir); got != 2*len(examples) {
		t.Errorf("got %d files, want each recording with its uploaders, %d", got, 2*len(examples))
	}
}

func TestStoreKeepsTranscripts(t *testing.T) {
	dir := t.TempDir()
	s, _ := store(t, dir)
	for text, want := range map[string]string{
		string(example(t, "p0-grid-failure.vtt")): TypeVTT,
		"WEBVTT":             TypeVTT,
		"\xef\xbb\xbfWEBVTT": TypeVTT,
		"WEBVTTX":            TypePlain,
		"Good evening.":      TypePlain,
		"ID3 tags are not what this text starts with.": TypePlain,
	} {
		blob, err := s.PutText(t.Context(), Upload{By: "cora"}, strings.NewReader(text))
		if err != nil || blob.Type != want || blob.Duration != 0 {
			t.Errorf("%.20q: got %+v, %v, want %s", text, blob, err, want)
			continue
		}
		fresh, _ := store(t, dir)
		f, got, err := fresh.Open(blob.SHA256)
		if err != nil || got != blob {
			t.Errorf("%.20q: opened %+v, %v, want %+v", text, got, err, blob)
			continue
		}
		f.Close()
	}
	for name, text := range map[string]string{"empty": "", "blank": " \n", "binary": "a\x00b", "Latin-1": "caf\xe9"} {
		if _, err := s.PutText(t.Context(), Upload{By: "cora"}, strings.NewReader(text)); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: got %v, want ErrUnsupported", name, err)
		}
	}
	if _, err := s.PutText(t.Context(), Upload{By: "cora"}, strings.NewReader(strings.Repeat("a", MaxTextBytes+1))); !errors.Is(err, ErrTooLarge) {
		t.Errorf("got %v, want ErrTooLarge", err)
	}
}

// What is refused leaves nothing behind.
func TestStoreRefuses(t *testing.T) {
	dir := t.TempDir()
	s, _ := store(t, dir)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	wav := example(t, "p0-grid-resolved.wav")
	for name, c := range map[string]struct {
		ctx  context.Context
		r    io.Reader
		want error
	}{
		"too large":   {t.Context(), bytes.NewReader(make([]byte, 100_001)), ErrTooLarge},
		"endless":     {t.Context(), endless{}, ErrTooLarge},
		"no audio":    {t.Context(), strings.NewReader("hello, world"), ErrUnsupported},
		"cut off":     {t.Context(), bytes.NewReader(wav[:500]), ErrDamaged},
		"gave up":     {gone, bytes.NewReader(wav), context.Canceled},
		"broken pipe": {t.Context(), io.MultiReader(bytes.NewReader(wav), failing{}), io.ErrClosedPipe},
	} {
		if _, err := s.Put(c.ctx, Upload{By: "cora"}, c.r); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
	if got := files(t, dir); got != 0 {
		t.Errorf("got %d files left behind, want 0", got)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestOpenTakesNamesOnly(t *testing.T) {
	dir := t.TempDir()
	s, _ := store(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "secret"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "a", "../secret", "../../etc/passwd", strings.Repeat("a", 63), strings.Repeat("A", 64),
		strings.Repeat("a", 64), strings.Repeat("a", 64) + "\n", "tmp/" + strings.Repeat("a", 60), strings.Repeat("a", 61) + "/.."} {
		if _, _, err := s.Open(name); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: got %v, want ErrNotFound", name, err)
		}
	}
}

func TestOpenRefusesWhatWasAltered(t *testing.T) {
	dir := t.TempDir()
	s, c := store(t, dir)
	blob, err := s.Put(t.Context(), Upload{By: "cora"}, bytes.NewReader(example(t, "p0-grid-resolved.wav")))
	if err != nil {
		t.Fatal(err)
	}
	path := s.path(blob.SHA256)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)-1] ^= 1 // a sample: the file is a sound one still
	alter := map[string]func() error{
		"replaced": func() error {
			return errors.Join(os.Remove(path), os.WriteFile(path, content, 0o600), os.Chtimes(path, c.t, c.t))
		},
		"written to": func() error { return os.WriteFile(path, content, 0o600) },
		"cut off":    func() error { return os.Truncate(path, 1000) },
	}
	for how, alter := range alter {
		if _, err := s.Put(t.Context(), Upload{By: "cora"}, bytes.NewReader(example(t, "p0-grid-resolved.wav"))); err != nil {
			t.Fatal(err)
		}
		if err := alter(); err != nil {
			t.Fatal(err)
		}
		fresh, _ := store(t, dir)
		for range 2 { // the second time from memory
			for _, s := range []*Store{s, fresh} {
				if _, _, err := s.Open(blob.SHA256); !errors.Is(err, ErrAltered) {
					t.Errorf("%s: got %v, want ErrAltered", how, err)
				}
			}
		}
	}
	fresh, _ := store(t, dir)
	// Storing it again heals it.
	if _, err := fresh.Put(t.Context(), Upload{By: "cora"}, bytes.NewReader(example(t, "p0-grid-resolved.wav"))); err != nil {
		t.Fatal(err)
	}
	f, got, err := fresh.Open(blob.SHA256)
	if err != nil || got != blob {
		t.Fatalf("got %+v, %v, want %+v", got, err, blob)
	}
	f.Close()
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	s, c := store(t, dir)
	put := func(name string) string {
		b, err := s.Put(t.Context(), Upload{By: "cora"}, bytes.NewReader(example(t, name)))
		if err != nil {
			t.Fatal(err)
		}
		return b.SHA256
	}
	kept, orphan, renewed := put("p0-grid-resolved.wav"), put("p0-grid-failure.mp3"), put("p1-silicon-supply.mp3")
	upload := filepath.Join(s.temporary(), "put-1")
	stranger := filepath.Join(dir, "README")
	for _, path := range []string{upload, stranger} {
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, c.t, c.t); err != nil {
			t.Fatal(err)
		}
	}
	keep := func(sha string) bool { return sha == kept }

	c.t = c.t.Add(24 * time.Hour)
	if n, err := s.Sweep(t.Context(), keep, 24*time.Hour); n != 0 || err != nil {
		t.Errorf("at a day: got %d, %v, want nothing removed", n, err)
	}
	put("p1-silicon-supply.mp3") // stored again: its day begins again
	c.t = c.t.Add(time.Second)
	if n, err := s.Sweep(t.Context(), keep, 24*time.Hour); n != 2 || err != nil {
		t.Errorf("got %d, %v, want the orphan and the upload removed", n, err)
	}
	for _, sha := range []string{kept, renewed} {
		f, _, err := s.Open(sha)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	if _, _, err := s.Open(orphan); !errors.Is(err, ErrNotFound) {
		t.Errorf("orphan: got %v, want ErrNotFound", err)
	}
	if _, err := os.Stat(stranger); err != nil {
		t.Errorf("a file of somebody else: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Sweep(gone, keep, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// Many callers storing the same while a sweep runs: none loses what it was told
// is stored.
func TestPutWhileSweeping(t *testing.T) {
	s, _ := store(t, t.TempDir())
	content := example(t, "p0-grid-resolved.wav")
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			blob, err := s.Put(t.Context(), Upload{By: "cora"}, bytes.NewReader(content))
			if err != nil {
				t.Error(err)
				return
			}
			f, _, err := s.Open(blob.SHA256)
			if err != nil {
				t.Error(err)
				return
			}
			f.Close()
		})
		callers.Go(func() {
			if _, err := s.Sweep(t.Context(), func(string) bool { return false }, time.Hour); err != nil {
				t.Error(err)
			}
		})
	}
	callers.Wait()
}

func TestNewRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]Config{
		"no folder":      {Now: time.Now},
		"no clock":       {Dir: t.TempDir()},
		"negative limit": {Dir: t.TempDir(), Now: time.Now, MaxBytes: -1},
		"a file":         {Dir: file, Now: time.Now},
	} {
		if _, err := New(c); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
	s, err := New(Config{Dir: t.TempDir(), Now: time.Now})
	if err != nil || s.maxBytes != DefaultMaxBytes {
		t.Errorf("got %v, %v, want the default limit", s, err)
	}
}
