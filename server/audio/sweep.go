package audio

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Sweep removes what nothing refers to: stored files that keep does not claim
// and uploads that were broken off, both older than olderThan. The age leaves
// time between storing a file and writing the entry that names it. It returns
// how many files went.
func (s *Store) Sweep(ctx context.Context, keep func(sha string) bool, olderThan time.Duration) (removed int, err error) {
	limit := s.now().Add(-olderThan)
	err = filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return errors.Join(ctx.Err(), ignoreGone(err))
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if !s.owns(path) || nameForm.MatchString(d.Name()) && keep(d.Name()) {
			return nil
		}
		gone, err := s.removeOld(path, limit)
		if gone {
			removed++
		}
		return err
	})
	if err != nil {
		return removed, fmt.Errorf("audio: sweep: %w", err)
	}
	return removed, nil
}

// owns tells files that the store made from any that a person put beside them.
func (s *Store) owns(path string) bool {
	name := filepath.Base(path)
	return filepath.Dir(path) == s.temporary() || nameForm.MatchString(name) && path == s.path(name)
}

// removeOld looks at the date again while no Put can renew it.
func (s *Store) removeOld(path string, limit time.Time) (bool, error) {
	s.place.Lock()
	defer s.place.Unlock()
	if s.writing[path] {
		return false, nil
	}
	st, err := os.Stat(path)
	if err != nil || !st.ModTime().Before(limit) {
		return false, ignoreGone(err)
	}
	s.known.Delete(filepath.Base(path))
	if err := os.Remove(path); err != nil {
		return false, ignoreGone(err)
	}
	return true, nil
}

// ignoreGone lets a file vanish under the walk: an upload that was settled.
func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
