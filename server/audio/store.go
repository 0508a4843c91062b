package audio

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"
)

// DefaultMaxBytes is the limit of a recording unless Config says otherwise.
const DefaultMaxBytes = 50 << 20

var (
	// ErrTooLarge is content beyond the limit; nothing of it is kept.
	ErrTooLarge = errors.New("audio: content too large")
	// ErrAltered is a stored file whose content does not have the hash that it is
	// named by.
	ErrAltered = errors.New("audio: stored file was altered")
	// ErrNotFound is a name under which nothing is stored, or no name at all.
	ErrNotFound = errors.New("audio: not found")
)

// Config holds the settings of a store. Dir and Now are required.
type Config struct {
	Dir      string           // made if absent; only the store writes it
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
