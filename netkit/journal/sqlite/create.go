package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal"
)

// newSuffix marks a database that is being made. Nothing reads it before it is
// whole, synced and renamed, so that the journal always is an old one or a new
// one. A database that grew under its final name could be empty after a power cut
// while its log holds commits, and SQLite deletes such a log.
const newSuffix = ".new"

// createIfMissing makes an empty journal where the folder has none.
func (s *Store) createIfMissing() error {
	size, err := s.databaseSize()
	if err != nil || size > 0 {
		return err
	}
	if !s.create {
		return fmt.Errorf("%w: %s is empty", journal.ErrNotFound, s.path)
	}
	return s.makeDatabase(func(*sqlite3.Conn) error { return nil }, nil)
}

// databaseSize returns the length of the database, 0 without a database.
func (s *Store) databaseSize() (int64, error) {
	info, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	if info.Size() > 0 {
		return info.Size(), nil
	}
	// The engine would delete the log of an empty database.
	log, err := os.Stat(s.path + "-wal")
	if err == nil && log.Size() > logHeader {
		return 0, fmt.Errorf("%w: %s is empty and %s-wal is not; restore both from a backup", journal.ErrNotJournal, s.path, filepath.Base(s.path))
	}
	return 0, nil
}

// makeDatabase makes a database of the newest schema, has fill insert its rows,
// syncs it and gives it its name. Ready, where it is not nil, is called when the
// new file is whole and durable and has not taken its place yet.
func (s *Store) makeDatabase(fill func(*sqlite3.Conn) error, ready func() error) error {
	path := s.path + newSuffix
	err := s.fillDatabase(fill)
	if err == nil {
		err = s.disk.SyncFile(path)
	}
	if err == nil && ready != nil {
		err = ready()
	}
	if err == nil {
		err = s.disk.Rename(path, s.path)
	}
	if err != nil {
		return errors.Join(err, s.removeNew()) // a full disk needs the room
	}
	return s.disk.SyncDir(s.dir)
}

// removeNew removes a database that was not finished.
func (s *Store) removeNew() error {
	for _, suffix := range []string{"", "-journal", "-wal", "-shm"} {
		if err := s.disk.Remove(s.path + newSuffix + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return folderError(s.dir, err)
		}
	}
	return nil
}

// fillDatabase writes the new file. It needs no protection against a crash, which
// leaves a file that the next start removes.
func (s *Store) fillDatabase(fill func(*sqlite3.Conn) error) (err error) {
	if err := s.removeNew(); err != nil {
		return err
	}
	c, err := s.dial(s.fresh, sqlite3.OPEN_READWRITE|sqlite3.OPEN_CREATE, fmt.Sprintf(`
		PRAGMA page_size = %d;
		PRAGMA journal_mode = OFF;
		PRAGMA synchronous = OFF;
		PRAGMA temp_store = MEMORY;`, s.tune.pageBytes))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeConn(c)) }()
	if err := c.Exec("BEGIN;" + schema3 + "COMMIT"); err != nil {
		return err
	}
	if err := fill(c); err != nil {
		return err
	}
	return c.Exec("PRAGMA journal_mode = WAL")
}
