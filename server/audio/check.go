package audio

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
)

// prober finds out the type and duration of content, or refuses it.
type prober func(*os.File, int64) (Info, error)

// checked is the result of a check of a stored file. It holds while the file has the
// same inode, size and date.
type checked struct {
	blob Blob
	err  error
	of   os.FileInfo
}

// same reports whether two files have the same inode, size and date.
func same(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// describe hashes and probes a file, once while it stays the same.
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
