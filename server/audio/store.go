package audio

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	// DefaultMaxBytes is the limit of a recording unless Config says otherwise.
	DefaultMaxBytes = 50 << 20
	// MaxTextBytes is the limit of a transcript.
	MaxTextBytes = 1 << 20
)

var (
	// ErrTooLarge is content beyond the limit; nothing of it is kept.
	ErrTooLarge = errors.New("audio: content too large")
	// ErrAltered is a stored file whose content does not have the hash that it is
	// named by.
	ErrAltered = errors.New("audio: stored file was altered")
	// ErrNotFound is a name under which nothing is stored, or no name at all.
	ErrNotFound = errors.New("audio: not found")
)

// Config says where and how much to store.
type Config struct {
	Dir      string           // made if absent; owned by the store alone
	MaxBytes int64            // of a recording; 0 means DefaultMaxBytes
	Now      func() time.Time // dates files for Sweep; required
	Room     func() error     // refuses an upload for which there is no room; nil refuses none
}

// Blob describes stored content.
type Blob struct {
	SHA256   string // 64 lower-case hex digits; its name
	Type     string
	Bytes    int64
	Duration time.Duration // 0 for a transcript
}

// Store is a folder of files named by their SHA-256, spread over 256 folders by
// the first two digits. It is safe for concurrent use.
type Store struct {
	dir      string
	maxBytes int64
	now      func() time.Time
	room     func() error // never nil
	known    sync.Map     // name → checked
	checking sync.Mutex   // one file is hashed at a time

	place   sync.Mutex      // a file is put in place or swept away, never both at once
	writing map[string]bool // paths of uploads under way, guarded by place
	held    map[string]int  // names that Hold gave out, guarded by place

	quotas quotas
}

// New opens the folder of a store, and makes it if need be.
func New(c Config) (*Store, error) {
	if c.Dir == "" || c.Now == nil || c.MaxBytes < 0 {
		return nil, errors.New("audio: config needs Dir, Now and a MaxBytes that is not negative")
	}
	s := &Store{dir: c.Dir, maxBytes: c.MaxBytes, now: c.Now, room: c.Room, writing: map[string]bool{}, held: map[string]int{}, quotas: quotas{shares: map[string]*share{}}}
	if s.room == nil {
		s.room = func() error { return nil }
	}
	if s.maxBytes == 0 {
		s.maxBytes = DefaultMaxBytes
	}
	if err := os.MkdirAll(s.temporary(), 0o700); err != nil {
		return nil, fmt.Errorf("audio: make the store: %w", err)
	}
	return s, nil
}

// temporary holds what is still being written; a rename out of it stays on one
// file system.
func (s *Store) temporary() string { return filepath.Join(s.dir, "tmp") }

func (s *Store) path(sha string) string { return filepath.Join(s.dir, sha[:2], sha) }

// Put stores a recording for a party and returns once it is durable. The same
// content again is the same file, and belongs to each party that stored it.
func (s *Store) Put(ctx context.Context, u Upload, r io.Reader) (Blob, error) {
	return s.put(ctx, &u, r, s.maxBytes, probeFile)
}

// PutText stores a transcript: WebVTT if it starts as such, else plain text.
func (s *Store) PutText(ctx context.Context, u Upload, r io.Reader) (Blob, error) {
	return s.put(ctx, &u, r, MaxTextBytes, probeText)
}

type prober func(*os.File, int64) (Info, error)

func (s *Store) put(ctx context.Context, u *Upload, r io.Reader, limit int64, probe prober) (blob Blob, err error) {
	m, err := s.meter(u)
	if err != nil {
		return Blob{}, fmt.Errorf("audio: store: %w", err)
	}
	defer func() { m.end(blob, s.now()) }()
	f, err := s.begin()
	if err != nil {
		return Blob{}, fmt.Errorf("audio: store: %w", err)
	}
	defer s.end(f)
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(m, f, hash), io.LimitReader(&reader{ctx, r}, limit+1))
	if err != nil {
		return Blob{}, fmt.Errorf("audio: store: %w", err)
	}
	if n > limit {
		return Blob{}, fmt.Errorf("%w: more than %d bytes; shorten it or choose a lower bit rate", ErrTooLarge, limit)
	}
	found, err := probe(f, n)
	if err != nil {
		return Blob{}, err
	}
	kept := Blob{hex.EncodeToString(hash.Sum(nil)), found.Type, n, found.Duration}
	if err := s.settle(f, kept.SHA256, uploadBy(u.By, s.now())); err != nil {
		return Blob{}, fmt.Errorf("audio: store: %w", err)
	}
	return kept, nil
}

// begin opens a file for an upload, which Sweep leaves alone until end.
func (s *Store) begin() (*os.File, error) {
	if err := s.room(); err != nil {
		return nil, err
	}
	s.place.Lock()
	defer s.place.Unlock()
	f, err := os.CreateTemp(s.temporary(), "put-*")
	if err == nil {
		s.writing[f.Name()] = true
	}
	return f, err
}

// end clears up: after settle the file is closed and has moved, so that both
// calls fail and change nothing.
func (s *Store) end(f *os.File) {
	f.Close()
	os.Remove(f.Name())
	s.place.Lock()
	defer s.place.Unlock()
	delete(s.writing, f.Name())
}

// settle makes the content durable, then the name: file, rename, folder. A name
// that exists is replaced by the same content with a new date, so that Sweep
// leaves it alone until its entry is written.
func (s *Store) settle(f *os.File, sha string, by uploaders) error {
	now := s.now()
	if err := errors.Join(f.Sync(), os.Chtimes(f.Name(), now, now), f.Close()); err != nil {
		return err
	}
	folder := filepath.Dir(s.path(sha))
	s.place.Lock()
	defer s.place.Unlock()
	if err := os.Mkdir(folder, 0o700); err == nil {
		if err := syncFolder(s.dir); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := os.Rename(f.Name(), s.path(sha)); err != nil {
		return err
	}
	if err := s.signUpload(sha, by); err != nil {
		return err
	}
	return syncFolder(folder)
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

var nameForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// Open returns stored content; the caller closes the file. Any name but a
// SHA-256 in lower-case hex is not found.
func (s *Store) Open(sha string) (*os.File, Blob, error) {
	if !nameForm.MatchString(sha) {
		return nil, Blob{}, fmt.Errorf("%w: a name is 64 lower-case hex digits", ErrNotFound)
	}
	f, err := os.Open(s.path(sha))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, Blob{}, fmt.Errorf("%w: %s", ErrNotFound, sha)
	}
	if err != nil {
		return nil, Blob{}, fmt.Errorf("audio: open: %w", err)
	}
	blob, err := s.describe(f, sha)
	if err != nil {
		f.Close()
		return nil, Blob{}, err
	}
	return f, blob, nil
}

// checked is what was found in a stored file, true as long as the file looks the
// same.
type checked struct {
	blob Blob
	err  error
	of   os.FileInfo
}

// same reports whether a file is the one that was looked at: same inode, size
// and date.
func same(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// describe hashes and probes a file, once for as long as it looks the same.
func (s *Store) describe(f *os.File, sha string) (Blob, error) {
	st, err := f.Stat()
	if err != nil {
		return Blob{}, fmt.Errorf("audio: open: %w", err)
	}
	if c, ok := s.known.Load(sha); ok && same(c.(*checked).of, st) {
		return c.(*checked).blob, c.(*checked).err
	}
	s.checking.Lock()
	defer s.checking.Unlock()
	if c, ok := s.known.Load(sha); ok && same(c.(*checked).of, st) {
		return c.(*checked).blob, c.(*checked).err
	}
	c := &checked{of: st}
	if c.blob, c.err = check(f, sha, st.Size()); c.err == nil || errors.Is(c.err, ErrAltered) {
		s.known.Store(sha, c)
	}
	return c.blob, c.err
}

// check reads a whole file, leaving it at its beginning.
func check(f *os.File, sha string, size int64) (Blob, error) {
	hash := sha256.New()
	if _, err := io.Copy(hash, io.NewSectionReader(f, 0, size)); err != nil {
		return Blob{}, fmt.Errorf("audio: read: %w", err)
	}
	if hex.EncodeToString(hash.Sum(nil)) != sha {
		return Blob{}, fmt.Errorf("%w: %s; restore it from a backup", ErrAltered, sha)
	}
	found, err := probeFile(f, size)
	if err != nil {
		// A transcript may start like a recording ("ID3 …"), so text has its say.
		var textErr error
		if found, textErr = probeText(f, size); textErr != nil {
			return Blob{}, fmt.Errorf("audio: %s on disk: %w", sha, err)
		}
	}
	return Blob{sha, found.Type, size, found.Duration}, nil
}

func probeFile(f *os.File, size int64) (Info, error) { return Probe(f, size) }

// probeText tells WebVTT from plain text and refuses what is neither.
func probeText(f *os.File, size int64) (Info, error) {
	if size > MaxTextBytes {
		return Info{}, fmt.Errorf("%w: a transcript has at most %d bytes", ErrTooLarge, MaxTextBytes)
	}
	text, err := io.ReadAll(io.NewSectionReader(f, 0, size))
	if err != nil {
		return Info{}, fmt.Errorf("audio: read: %w", err)
	}
	if len(bytes.TrimSpace(text)) == 0 || !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return Info{}, fmt.Errorf("%w: a transcript is WebVTT or plain text in UTF-8, and not empty", ErrUnsupported)
	}
	if isVTT(text) {
		return Info{Type: TypeVTT}, nil
	}
	return Info{Type: TypePlain}, nil
}

// isVTT follows the WebVTT standard §4.1: the word, then a space, tab, line end
// or nothing.
func isVTT(text []byte) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), []byte("WEBVTT"))
	return ok && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0)
}

// reader stops a copy when its caller gives up.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
