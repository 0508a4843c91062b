package sqlite

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/private"
)

// Open opens the journal of cfg.Dir, making an empty one where it is missing.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	tune := measured
	if cfg.Copied {
		tune.synchronous = "NORMAL"
	}
	return open(ctx, cfg, tune)
}

func open(ctx context.Context, cfg Config, tune tuning) (*Store, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(cfg.Dir)
	if err != nil || cfg.Dir == "" {
		return nil, fmt.Errorf("%w: the configuration names no folder", journal.ErrNotFound)
	}
	s := &Store{dir: dir, path: filepath.Join(dir, "journal.db"), tune: tune, create: !cfg.ReadOnly && !cfg.Existing,
		disk: cfg.disk, random: cfg.Rand, later: cfg.ErasedLater, clock: cfg.Now, report: cfg.Progress}
	s.fillDefaults()
	s.readers.dial, s.readers.places = s.dialReader, make(chan struct{}, maxReaders)
	if cfg.ReadOnly {
		err = s.openReading(ctx, cfg)
	} else {
		err = s.openWriting(ctx, cfg)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Store) fillDefaults() {
	if s.disk == nil {
		s.disk = systemDisk{}
	}
	if s.random == nil {
		s.random = rand.Reader
	}
	if s.clock == nil {
		s.clock = time.Now
	}
	if s.report == nil {
		s.report = func(uint64, uint64) {}
	}
}

// openReading checks that there is a journal which this program can read.
func (s *Store) openReading(ctx context.Context, cfg Config) error {
	if err := s.present(); err != nil {
		return err
	}
	if err := s.lookForWriter(ctx); err != nil {
		return err
	}
	if cfg.VFS == "" {
		registerReading()
		if cfg.VFS = besideName; s.was != nil {
			cfg.VFS = stillName
		}
	}
	s.name = s.engineName(cfg, s.path)
	return s.reading(ctx, func(r *reader) error {
		version, err := versionOf(r.conn, s.path)
		if err == nil && version != schemaVersion {
			s.outdated = version
		}
		return err
	})
}

// present reports a journal that is not there.
func (s *Store) present() error {
	if _, err := os.Stat(s.path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: there is no journal in %s", journal.ErrNotFound, s.dir)
	}
	return nil
}

// openWriting takes the lock first: only its holder may make or change files.
func (s *Store) openWriting(ctx context.Context, cfg Config) (err error) {
	if !s.create {
		if err := s.present(); err != nil {
			return err
		}
	}
	if cfg.VFS == "" {
		registerRoom()
		cfg.VFS = roomName
	}
	s.own = s.engineName(cfg, s.path)
	s.fresh = s.engineName(cfg, s.path+newSuffix)
	if err = os.MkdirAll(s.dir, 0o700); err != nil {
		return folderError(s.dir, err)
	}
	if s.lock, err = LockFolder(s.dir); err != nil {
		return err
	}
	if err = removeTemporary(s.disk, s.dir); err != nil { // which may make room
		return folderError(s.dir, err)
	}
	if s.create {
		if err = private.HideFromGit(s.dir, filepath.Base(lockPath(s.dir))); err != nil {
			return folderError(s.dir, err)
		}
	}
	err = s.startWriting(ctx)
	if errors.Is(err, journal.ErrFull) && !s.create {
		return s.readUntilRoom()
	}
	return err
}

// engineName is the URI by which the engine opens a database and its settings.
// A writer makes its files with the mode of the lock file, 0600: they hold
// private parts, and the folder may be one that others can look into. Whoever
// wants a group to read them changes the mode of that file first.
func (s *Store) engineName(cfg Config, file string) string {
	query := url.Values{}
	if cfg.VFS != "" {
		query.Set("vfs", cfg.VFS)
	}
	if !cfg.ReadOnly {
		query.Set("modeof", lockPath(s.dir))
	}
	path := filepath.ToSlash(file)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	// SQLite knows %20, but no + in the place of a space.
	raw := strings.ReplaceAll(query.Encode(), "+", "%20")
	u := url.URL{Scheme: "file", Path: path, RawQuery: raw}
	return u.String()
}

// dial opens a connection and sets it up. All connections come from here: a
// pragma holds for the one connection on which it was run.
func (s *Store) dial(name string, flags sqlite3.OpenFlag, pragmas string) (*sqlite3.Conn, error) {
	c, err := sqlite3.OpenFlags(name, flags|sqlite3.OPEN_URI)
	if err != nil {
		return nil, err
	}
	if err := c.Exec(pragmas); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// prepare compiles statements that live as long as their connection.
func prepare(c *sqlite3.Conn, into map[**sqlite3.Stmt]string) error {
	for stmt, sql := range into {
		var err error
		if *stmt, _, err = c.PrepareFlags(sql, sqlite3.PREPARE_PERSISTENT); err != nil {
			return err
		}
	}
	return nil
}

// closeConn finalizes the statements of c and closes it.
func closeConn(c *sqlite3.Conn) error {
	// Closing one removes it from c.
	for _, stmt := range slices.Collect(c.Stmts()) {
		_ = stmt.Close() // which repeats the statement's last error
	}
	return c.Close()
}
