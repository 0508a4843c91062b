package audio

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"time"
)

// Copy stores content that another store has under a SHA-256, and returns once it is
// durable. Content with another hash, or that is larger than a recording may be, is
// refused, and nothing of it is kept. By is the party that uploaded it at a time, ""
// where that does not matter. No quota counts a copy.
func (s *Store) Copy(ctx context.Context, sha, by string, at time.Time, r io.Reader) error {
	if !nameForm.MatchString(sha) {
		return fmt.Errorf("%w: a name is 64 lower-case hex digits", ErrNotFound)
	}
	f, err := s.openUpload()
	if err != nil {
		return fmt.Errorf("audio: copy: %w", err)
	}
	defer s.closeUpload(f)
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, hash), io.LimitReader(&reader{ctx, r}, s.maxBytes+1))
	if err == nil && n > s.maxBytes {
		err = fmt.Errorf("%w: more than %d bytes", ErrTooLarge, s.maxBytes)
	}
	if got := hex.EncodeToString(hash.Sum(nil)); err == nil && got != sha {
		err = fmt.Errorf("%w: a copy of %s has the hash %s", ErrAltered, sha, got)
	}
	if err == nil {
		err = s.keepUpload(f, sha, uploadBy(by, at))
	}
	if err != nil {
		return fmt.Errorf("audio: copy: %w", err)
	}
	return nil
}

// RemoveCopy is Remove for a file that no party uploaded to this store.
func (s *Store) RemoveCopy(sha string, keep func(sha string) bool) error {
	return s.Remove(sha, func(sha string) bool {
		all, err := readUploaders(s.uploadsPath(sha))
		return err != nil || len(all) > 0 || keep(sha)
	})
}

// uploadBy returns one upload, none for the party "".
func uploadBy(by string, at time.Time) uploaders {
	if by == "" {
		return nil
	}
	return uploaders{by: at}
}

// Uploaded returns when a party uploaded a file last, and whether it did and the file
// is there.
func (s *Store) Uploaded(sha, by string) (at time.Time, ok bool, err error) {
	if !nameForm.MatchString(sha) {
		return at, false, nil
	}
	s.place.Lock()
	defer s.place.Unlock()
	all, err := readUploaders(s.uploadsPath(sha))
	if at, ok = all[by]; !ok || err != nil {
		return at, false, err
	}
	_, err = os.Stat(s.path(sha))
	return at, err == nil, ignoreGone(err)
}
