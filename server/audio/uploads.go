package audio

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"strconv"
	"strings"
	"time"
)

// Beside each stored file stands another, its name with this suffix: who
// uploaded the content, a line each, as slug and milliseconds of the last time.
// Files of earlier releases have none: they are served, but belong to nobody.
const uploadsSuffix = ".uploads"

// uploaders holds when each party last uploaded one content.
type uploaders map[string]time.Time

func (s *Store) uploadsPath(sha string) string { return s.path(sha) + uploadsSuffix }

// readUploaders reads who uploaded a file; nobody if it does not say.
func readUploaders(path string) (uploaders, error) {
	all := uploaders{}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		by, at, _ := strings.Cut(lines.Text(), " ")
		ms, err := strconv.ParseInt(at, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s has a line that is not an upload; restore the file from a backup, or remove it and have the recording uploaded again", path)
		}
		all[by] = time.UnixMilli(ms)
	}
	return all, lines.Err()
}

// signUpload adds parties to the uploaders of a file; the caller holds place
// and syncs the folder.
func (s *Store) signUpload(sha string, more uploaders) error {
	if len(more) == 0 {
		return nil
	}
	all, err := readUploaders(s.uploadsPath(sha))
	if err != nil {
		return err
	}
	maps.Copy(all, more)
	f, err := os.CreateTemp(s.temporary(), "uploads-*")
	if err != nil {
		return err
	}
	now := s.now()
	w := bufio.NewWriter(f)
	for by, at := range all {
		fmt.Fprintln(w, by, at.UnixMilli())
	}
	err = errors.Join(w.Flush(), f.Sync(), os.Chtimes(f.Name(), now, now), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), s.uploadsPath(sha))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// Hold returns what a party uploaded under a SHA-256, so that a dispatch may
// name it: until release nothing removes the file. Its age goes on, so that a
// dispatch which is refused again and again keeps no file for ever.
// What others alone have uploaded is not found.
func (s *Store) Hold(sha, by string) (b Blob, release func(), err error) {
	if !nameForm.MatchString(sha) {
		return Blob{}, nil, fmt.Errorf("%w: a name is 64 lower-case hex digits", ErrNotFound)
	}
	if err := s.hold(sha, by); err != nil {
		return Blob{}, nil, err
	}
	release = func() { s.release(sha) }
	f, b, err := s.Open(sha)
	if err != nil {
		release()
		return Blob{}, nil, err
	}
	return b, release, f.Close()
}

func (s *Store) hold(sha, by string) error {
	s.place.Lock()
	defer s.place.Unlock()
	all, err := readUploaders(s.uploadsPath(sha))
	if err != nil {
		return fmt.Errorf("audio: hold: %w", err)
	}
	if _, ok := all[by]; !ok {
		return fmt.Errorf("%w: %s is not an upload of this party", ErrNotFound, sha)
	}
	s.held[sha]++
	return nil
}

func (s *Store) release(sha string) {
	s.place.Lock()
	defer s.place.Unlock()
	if s.held[sha]--; s.held[sha] == 0 {
		delete(s.held, sha)
	}
}
