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
		if !s.owns(path) {
			return nil
		}
		gone, err := s.removeOld(path, limit, keep)
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

// removeOld removes a file that nothing needs. It asks while no Put can renew
// the file and no Hold can begin, so that keep knows of every dispatch that was
// published with it.
func (s *Store) removeOld(path string, limit time.Time, keep func(sha string) bool) (bool, error) {
	s.place.Lock()
	defer s.place.Unlock()
	name := filepath.Base(path)
	if s.writing[path] || s.held[name] > 0 || nameForm.MatchString(name) && keep(name) {
		return false, nil
	}
	st, err := os.Stat(path)
	if err != nil || !st.ModTime().Before(limit) {
		return false, ignoreGone(err)
	}
	return true, s.remove(path)
}

// Remove removes a stored file whatever its age, unless keep claims it or a
// dispatch is being published with it: it then waits for Sweep. One that is not
// there is no error.
func (s *Store) Remove(sha string, keep func(sha string) bool) error {
	s.place.Lock()
	defer s.place.Unlock()
	if !nameForm.MatchString(sha) || s.held[sha] > 0 || keep(sha) {
		return nil
	}
	if err := s.remove(s.path(sha)); err != nil {
		return fmt.Errorf("audio: remove: %w", err)
	}
	return nil
}

// Names returns the names of all stored files.
func (s *Store) Names(ctx context.Context) (names []string, err error) {
	err = filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && nameForm.MatchString(d.Name()) && s.owns(path) {
			names = append(names, d.Name())
		}
		return errors.Join(ctx.Err(), ignoreGone(err))
	})
	if err != nil {
		return nil, fmt.Errorf("audio: list: %w", err)
	}
	return names, nil
}

// remove removes a file, and its uploaders first: they must not outlive it. The
// caller holds place.
func (s *Store) remove(path string) error {
	s.known.Delete(filepath.Base(path))
	s.quotas.forget(filepath.Base(path))
	if err := ignoreGone(os.Remove(path + uploadsSuffix)); err != nil {
		return err
	}
	return ignoreGone(os.Remove(path))
}

// ignoreGone lets a file vanish under the walk: an upload that was settled.
func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
