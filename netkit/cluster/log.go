package cluster

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/raft"
	"github.com/ncruces/go-sqlite3"
)

// ErrDamaged means that a file of this node holds other bytes than were written.
var ErrDamaged = errors.New("cluster: a file of this node is damaged")

// raftLog keeps the log, the vote and the newest snapshot of raft in one SQLite file.
type raftLog struct {
	path string

	mu    sync.Mutex
	conn  *sqlite3.Conn
	first uint64 // index of the first entry, 0 without entries
	last  uint64

	insert, get, remove, set, value, snapshot *sqlite3.Stmt
}

var (
	_ raft.LogStore    = (*raftLog)(nil)
	_ raft.StableStore = (*raftLog)(nil)
)

// raftSchema has a sum over each row, since a flipped bit in a page is a page.
const raftSchema = `
CREATE TABLE log(idx INTEGER PRIMARY KEY, term INTEGER NOT NULL, type INTEGER NOT NULL, at INTEGER NOT NULL, data BLOB NOT NULL, sum INTEGER NOT NULL) STRICT;
CREATE TABLE stable(key TEXT PRIMARY KEY, value BLOB NOT NULL, sum INTEGER NOT NULL) STRICT;
CREATE TABLE snapshot(one INTEGER PRIMARY KEY CHECK(one = 1), meta BLOB NOT NULL, state BLOB NOT NULL, sum INTEGER NOT NULL) STRICT;
PRAGMA user_version = 1;`

// raftPragmas sync every commit, and overwrite deleted bytes, since they may be keys.
const raftPragmas = `
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA secure_delete = ON;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -4096;
PRAGMA wal_autocheckpoint = 2000;`

// openRaftLog opens the file, making one if create is set, and reads all of it, so that
// damage is found before raft relies on it.
func openRaftLog(path string, create bool) (*raftLog, error) {
	flags := sqlite3.OPEN_READWRITE | sqlite3.OPEN_URI
	if create {
		flags |= sqlite3.OPEN_CREATE
	}
	name := filepath.ToSlash(path)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name
	}
	c, err := sqlite3.OpenFlags((&url.URL{Scheme: "file", Path: name}).String(), flags)
	if err != nil {
		return nil, fmt.Errorf("cluster: opening %s: %w", path, err)
	}
	l := &raftLog{path: path, conn: c}
	if err = l.open(); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

func (l *raftLog) open() error {
	if err := l.checkTail(); err != nil {
		return l.classify(err)
	}
	version, err := l.queryNumber(`PRAGMA user_version`)
	if err == nil && version == 0 {
		err = l.conn.Exec("BEGIN;" + raftSchema + "COMMIT")
	}
	if err == nil && version > 1 {
		return fmt.Errorf("cluster: %s was written by a newer version", l.path)
	}
	for stmt, sql := range map[**sqlite3.Stmt]string{
		&l.insert:   `INSERT OR REPLACE INTO log(idx, term, type, at, data, sum) VALUES(?, ?, ?, ?, ?, ?)`,
		&l.get:      `SELECT idx, term, type, at, data, sum FROM log WHERE idx = ?`,
		&l.remove:   `DELETE FROM log WHERE idx BETWEEN ? AND ?`,
		&l.set:      `INSERT OR REPLACE INTO stable(key, value, sum) VALUES(?, ?, ?)`,
		&l.value:    `SELECT value, sum FROM stable WHERE key = ?`,
		&l.snapshot: `SELECT meta, state, sum FROM snapshot`,
	} {
		if err == nil {
			*stmt, _, err = l.conn.PrepareFlags(sql, sqlite3.PREPARE_PERSISTENT)
		}
	}
	if err != nil {
		return l.classify(err)
	}
	return l.checkRows()
}

// classify names damage by its code.
func (l *raftLog) classify(err error) error {
	if err == nil || errors.Is(err, ErrDamaged) {
		return err
	}
	if errors.Is(err, sqlite3.CORRUPT) || errors.Is(err, sqlite3.NOTADB) || errors.Is(err, sqlite3.FORMAT) {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, l.path, err)
	}
	return fmt.Errorf("cluster: %s: %w", l.path, err)
}

// rowSum is the checksum of a row.
func rowSum(numbers [3]int64, blobs ...[]byte) int64 {
	h := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	_ = binary.Write(h, binary.BigEndian, numbers)
	for _, b := range blobs {
		_ = binary.Write(h, binary.BigEndian, int64(len(b)))
		_, _ = h.Write(b)
	}
	return int64(h.Sum32())
}

// IsMonotonic implements [raft.MonotonicLogStore]: a log has no gap.
func (l *raftLog) IsMonotonic() bool { return true }

// FirstIndex implements [raft.LogStore].
func (l *raftLog) FirstIndex() (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.first, nil
}

// LastIndex implements [raft.LogStore].
func (l *raftLog) LastIndex() (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last, nil
}

// GetLog implements [raft.LogStore].
func (l *raftLog) GetLog(index uint64, out *raft.Log) (err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if index == 0 || index < l.first || index > l.last {
		return raft.ErrLogNotFound
	}
	s := l.get
	defer func() { err = l.classify(errors.Join(err, s.Reset())) }()
	if err := s.BindInt64(1, int64(index)); err != nil {
		return err
	}
	if !s.Step() {
		if err := s.Err(); err != nil {
			return err
		}
		return fmt.Errorf("%w: %s lacks the entry %d", ErrDamaged, l.path, index)
	}
	numbers := [3]int64{s.ColumnInt64(0), s.ColumnInt64(1), s.ColumnInt64(2)}
	data := bytes.Clone(s.ColumnRawBlob(4))
	if at := s.ColumnInt64(3); rowSum(numbers, data) != s.ColumnInt64(5) || uint64(numbers[0]) != index {
		return fmt.Errorf("%w: the entry %d in %s", ErrDamaged, index, l.path)
	} else if at != 0 {
		out.AppendedAt = time.Unix(0, at)
	}
	out.Index, out.Term, out.Type, out.Data = index, uint64(numbers[1]), raft.LogType(numbers[2]), data
	return nil
}

// StoreLog implements [raft.LogStore].
func (l *raftLog) StoreLog(entry *raft.Log) error { return l.StoreLogs([]*raft.Log{entry}) }

// StoreLogs implements [raft.LogStore]. The entries are synced when it returns.
func (l *raftLog) StoreLogs(entries []*raft.Log) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.transact(func() error {
		for _, e := range entries {
			if err := l.insertEntry(e); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && len(entries) > 0 {
		if l.first == 0 {
			l.first = entries[0].Index
		}
		l.last = entries[len(entries)-1].Index
	}
	return l.classify(err)
}

func (l *raftLog) insertEntry(e *raft.Log) error {
	at := int64(0)
	if !e.AppendedAt.IsZero() {
		at = e.AppendedAt.UnixNano()
	}
	numbers := [3]int64{int64(e.Index), int64(e.Term), int64(e.Type)}
	s := l.insert
	err := errors.Join(s.BindInt64(1, numbers[0]), s.BindInt64(2, numbers[1]), s.BindInt64(3, numbers[2]), s.BindInt64(4, at),
		bindBlob(s, 5, e.Data), s.BindInt64(6, rowSum(numbers, e.Data)))
	if err != nil {
		return err
	}
	return s.Exec()
}

// bindBlob binds a blob, which the engine would take for NULL where it is empty.
func bindBlob(s *sqlite3.Stmt, param int, b []byte) error {
	if len(b) == 0 {
		return s.BindZeroBlob(param, 0)
	}
	return s.BindBlob(param, b)
}

func (l *raftLog) transact(f func() error) error {
	err := l.conn.Exec("BEGIN IMMEDIATE")
	if err == nil {
		err = f()
	}
	if err == nil {
		err = l.conn.Exec("COMMIT")
	}
	if err != nil && !l.conn.GetAutocommit() {
		err = errors.Join(err, l.conn.Exec("ROLLBACK"))
	}
	return err
}

// Close closes the file.
func (l *raftLog) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range []*sqlite3.Stmt{l.insert, l.get, l.remove, l.set, l.value, l.snapshot} {
		if s != nil {
			_ = s.Close() // which repeats the error of its last use
		}
	}
	return l.conn.Close()
}
