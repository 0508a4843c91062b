package sqlite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
)

// KeepOld is how long the copy of a journal of an older version is kept. An
// erasure removes it at once, since it still holds the text.
const KeepOld = 35 * 24 * time.Hour

// keptPrefix begins the name of that copy, and the schema version ends it.
const keptPrefix = "journal.db.schema-"

// KeptCopy returns the path of the copy of a folder's journal from before its
// schema was changed, and when it is removed; the path is empty without a copy. The
// program that wrote it reads it in the place of journal.db, once the files
// journal.db-wal and journal.db-shm are removed; entries written since are lost then.
func KeptCopy(dir string) (path string, until time.Time, err error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", time.Time{}, nil
	}
	for _, f := range files {
		if !strings.HasPrefix(f.Name(), keptPrefix) {
			continue
		}
		info, err := f.Info()
		if err != nil {
			return "", time.Time{}, err
		}
		return filepath.Join(dir, f.Name()), info.ModTime().Add(KeepOld), nil
	}
	return "", time.Time{}, err
}

// keepOld keeps the file under another name, where a new one is to take its place.
func (s *Store) keepOld(version int) error {
	name := fmt.Sprintf("%s%d", filepath.Join(s.dir, keptPrefix), version)
	if err := s.removeKept(); err != nil { // of a start that was interrupted
		return err
	}
	err := s.disk.Link(s.path, name)
	if err != nil { // not every file system can
		err = s.writeWhole(name, func(w io.Writer) error {
			f, err := os.Open(s.path)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = io.Copy(w, f)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("journal: keeping a copy of %s: %w", s.path, diskError(err))
	}
	// Its days are counted from now, not from the last entry.
	now := s.clock()
	if err := os.Chtimes(name, now, now); err != nil {
		return fmt.Errorf("journal: dating the copy of %s: %w", s.path, diskError(err))
	}
	return s.disk.SyncDir(s.dir)
}

// removeKept removes the copy of an older version, if there is one.
func (s *Store) removeKept() error {
	for {
		path, _, err := KeptCopy(s.dir)
		if err != nil || path == "" {
			return err
		}
		if err := s.disk.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w: %s still holds the text and cannot be removed; remove it: %w", journal.ErrNotWritable, path, err)
		}
		if err := s.disk.SyncDir(s.dir); err != nil {
			return err
		}
	}
}

// removeExpired removes the copy once it is old enough.
func (s *Store) removeExpired() error {
	path, until, err := KeptCopy(s.dir)
	if err != nil || path == "" || s.clock().Before(until) {
		return err
	}
	return s.removeKept()
}
