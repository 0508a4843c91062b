package sqlite

import (
	"context"
	"errors"
	"fmt"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal"
)

// writer is the one connection that writes, with its statements, which are
// compiled once. It is used under Store.writing.
type writer struct {
	conn     *sqlite3.Conn
	begin    *sqlite3.Stmt
	commit   *sqlite3.Stmt
	rollback *sqlite3.Stmt
	head     *sqlite3.Stmt
	record   *sqlite3.Stmt
	node     *sqlite3.Stmt
	erasure  *sqlite3.Stmt
	erase    *sqlite3.Stmt
	advance  *sqlite3.Stmt
	log      logKeeper
	inPlace  func() error // of the files, asked before each commit
	failed   bool         // the latest append
}

// headQuery reads the head, and the last entry to compare it with.
const headQuery = `SELECT size, tip, (SELECT coalesce(max(seq) + 1, 0) FROM entries) FROM head`

// dialWriter opens the writing connection, making the schema if there is none.
//
// secure_delete overwrites an erased private part with zeros; recursive_triggers
// is a second defence against REPLACE. The busy timeout only matters when a
// person has the file open in a shell.
func (s *Store) dialWriter() (*writer, error) {
	c, err := s.dial(s.own, sqlite3.OPEN_READWRITE|sqlite3.OPEN_CREATE, fmt.Sprintf(`
		PRAGMA busy_timeout = %d;
		PRAGMA page_size = %d;
		PRAGMA journal_mode = WAL;
		PRAGMA synchronous = FULL;
		PRAGMA fullfsync = ON;
		PRAGMA cache_size = -%d;
		PRAGMA secure_delete = ON;
		PRAGMA recursive_triggers = ON;
		PRAGMA temp_store = MEMORY;
		%s`, busyTimeout.Milliseconds(), s.tune.pageBytes, s.tune.cacheBytes/1024, s.tune.pragmas))
	if err != nil {
		return nil, err
	}
	w := &writer{conn: c, log: logKeeper{limit: s.tune.checkpointSize, readers: &s.gate}, inPlace: s.InPlace}
	c.WALHook(w.log.committed)
	if err := w.prepare(s.path, s.create); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

func (w *writer) prepare(path string, create bool) error {
	if err := migrate(w.conn, path, create); err != nil {
		return err
	}
	err := prepare(w.conn, map[**sqlite3.Stmt]string{
		&w.begin:    `BEGIN IMMEDIATE`,
		&w.commit:   `COMMIT`,
		&w.rollback: `ROLLBACK`,
		&w.head:     headQuery,
		&w.record:   `INSERT OR ROLLBACK INTO entries(seq, public, private) VALUES(?, ?, ?)`,
		&w.node:     `INSERT OR ROLLBACK INTO nodes(idx, hash) VALUES(?, ?)`,
		&w.erasure:  `INSERT INTO erasures(seq) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM erasures WHERE seq = ?1)`,
		&w.erase:    `UPDATE entries SET private = NULL WHERE seq = ? AND private IS NOT NULL`,
		&w.advance:  `UPDATE head SET size = ?, tip = ?`,
	})
	if err != nil {
		return err
	}
	if _, err = readHead(w.head, path); err != nil {
		return err
	}
	return checkTip(w.conn, path)
}

func (w *writer) close() error { return closeConn(w.conn) }

// Append implements journal.Store.
func (s *Store) Append(ctx context.Context, at journal.Head, b journal.Batch) (journal.Head, error) {
	if err := s.enter(ctx); err != nil {
		return journal.Head{}, err
	}
	defer s.leave()
	s.writing.Lock()
	defer s.writing.Unlock()
	w, err := s.writer()
	if err != nil {
		return journal.Head{}, err
	}
	if b.Empty() {
		return at, classify(s.path, w.probe(s.path, at))
	}
	next, err := w.append(s.path, at, b)
	w.failed = err != nil
	if err != nil {
		return journal.Head{}, classify(s.path, err)
	}
	return next, nil
}

// probe compares the head and, after an append that failed, finds out whether
// the journal can be written by now: it commits a page that stays as it was.
func (w *writer) probe(path string, at journal.Head) error {
	err := w.confirm(path, at)
	if err != nil || !w.failed {
		return err
	}
	if err = w.inPlace(); err != nil {
		return err
	}
	if !w.conn.GetAutocommit() { // left over where an earlier rollback failed
		if err = w.rollback.Exec(); err != nil {
			return err
		}
	}
	if err = w.conn.Exec(`BEGIN IMMEDIATE; PRAGMA user_version = 0; COMMIT`); err == nil {
		w.failed = false
	} else if !w.conn.GetAutocommit() {
		_ = w.rollback.Exec()
	}
	return err
}

// confirm compares the head without writing.
func (w *writer) confirm(path string, at journal.Head) error {
	have, err := readHead(w.head, path)
	if err == nil && have != at {
		err = &journal.HeadMovedError{Have: have, Want: at}
	}
	return err
}

// append runs one transaction. Until COMMIT nothing can reach the database, so
// all errors before it are definite; see commitError for the others.
func (w *writer) append(path string, at journal.Head, b journal.Batch) (journal.Head, error) {
	// Left over where an earlier rollback failed.
	if !w.conn.GetAutocommit() {
		if err := w.rollback.Exec(); err != nil {
			return journal.Head{}, err
		}
	}
	if err := w.begin.Exec(); err != nil {
		return journal.Head{}, err
	}
	next, err := w.write(path, at, b)
	if err == nil {
		err = w.inPlace()
	}
	if err == nil {
		if err = w.commit.Exec(); err == nil {
			if len(b.Erase) > 0 { // the log still has the pages as they were
				w.log.drain(w.conn, sqlite3.CHECKPOINT_TRUNCATE)
			}
			return next, nil
		}
		err = commitError(path, err)
	}
	// Some errors have rolled back by themselves. If this rollback fails, the
	// next append tries it again.
	if !w.conn.GetAutocommit() {
		_ = w.rollback.Exec()
	}
	return journal.Head{}, err
}

// write carries out b inside the transaction. BEGIN IMMEDIATE holds the write
// lock by now, so the head that is compared here cannot move before COMMIT.
func (w *writer) write(path string, at journal.Head, b journal.Batch) (journal.Head, error) {
	if err := w.confirm(path, at); err != nil {
		return journal.Head{}, err
	}
	next, err := b.Next(at)
	if err != nil {
		return journal.Head{}, err
	}
	for _, r := range b.Records {
		if err := w.insertRecord(r); err != nil {
			return journal.Head{}, err
		}
	}
	if err := w.insertNodes(b.Nodes); err != nil {
		return journal.Head{}, err
	}
	for _, seq := range b.Erase {
		for _, stmt := range []*sqlite3.Stmt{w.erasure, w.erase} {
			if err := errors.Join(stmt.BindInt64(1, int64(seq)), stmt.Exec()); err != nil {
				return journal.Head{}, err
			}
		}
	}
	if len(b.Records) == 0 {
		return next, nil
	}
	return next, errors.Join(
		w.advance.BindInt64(1, int64(next.Size)),
		w.advance.BindBlob(2, next.Tip[:]),
		w.advance.Exec())
}

// insertRecord binds the three columns; the engine copies the parts.
func (w *writer) insertRecord(r journal.Record) error {
	if err := w.record.BindInt64(1, int64(r.Seq)); err != nil {
		return err
	}
	if err := w.record.BindBlob(2, r.Public); err != nil {
		return err
	}
	if err := bindPart(w.record, 3, r.Private); err != nil {
		return err
	}
	return w.record.Exec()
}

// bindPart binds a private part; an empty one is none.
func bindPart(stmt *sqlite3.Stmt, param int, part []byte) error {
	if len(part) == 0 {
		return stmt.BindNull(param)
	}
	return stmt.BindBlob(param, part)
}

// insertNodes leaves it to the table to refuse a node that is stored already.
func (w *writer) insertNodes(nodes []journal.Node) error {
	for _, n := range nodes {
		err := w.node.BindInt64(1, int64(n.Index))
		if err == nil {
			err = w.node.BindBlob(2, n.Hash[:])
		}
		if err == nil {
			err = w.node.Exec()
		}
		if code(err) == sqlite3.CONSTRAINT {
			return fmt.Errorf("%w: node %d is already stored", journal.ErrBadBatch, n.Index)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readHead reads the head and compares it with the entries: a stranger can add
// an entry, which no trigger can tell from ours, but not the head to go with it.
func readHead(stmt *sqlite3.Stmt, path string) (head journal.Head, err error) {
	defer func() {
		if e := stmt.Reset(); err == nil {
			err = e
		}
	}()
	if !stmt.Step() {
		if err := stmt.Err(); err != nil {
			return journal.Head{}, err
		}
		return journal.Head{}, fmt.Errorf("%w: %s has no head; restore a backup", journal.ErrNotJournal, path)
	}
	head.Size = uint64(stmt.ColumnInt64(0))
	copy(head.Tip[:], stmt.ColumnRawBlob(1))
	if entries := uint64(stmt.ColumnInt64(2)); entries != head.Size {
		return journal.Head{}, fmt.Errorf("%w: %s has %d entries and a head at %d: another program wrote to it; restore a backup", journal.ErrNotJournal, path, entries, head.Size)
	}
	return head, nil
}
