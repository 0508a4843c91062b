package sqlite

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal"
)

// writer is the one connection that writes, with its statements, which are
// compiled once. It is used under Store.writing.
type writer struct {
	batchWriter
	eraser
	conn     *sqlite3.Conn
	begin    *sqlite3.Stmt
	commit   *sqlite3.Stmt
	rollback *sqlite3.Stmt
	head     *sqlite3.Stmt
	log      logKeeper
	inPlace  func() error // of the files, asked before each commit
	forget   func() error // removes the copy of an older version, before an erasure
	failed   bool         // the latest append
}

// dialWriter opens the writing connection of a journal with the newest schema.
//
// secure_delete overwrites the key of an erased private part with zeros;
// recursive_triggers is a second defence against REPLACE. The busy timeout only
// matters when a person has the file open in a shell.
func (s *Store) dialWriter() (*writer, error) {
	c, err := s.dial(s.own, sqlite3.OPEN_READWRITE, s.logPragmas()+fmt.Sprintf(`
		PRAGMA cache_size = -%d;
		PRAGMA secure_delete = ON;
		PRAGMA recursive_triggers = ON;
		PRAGMA temp_store = MEMORY;
		%s`, s.tune.cacheBytes/1024, s.tune.pragmas))
	if err != nil {
		return nil, err
	}
	w := &writer{conn: c, log: logKeeper{limit: s.tune.checkpointSize, last: s.tune.lastPages, readers: &s.gate, dial: s.dialMover}, inPlace: s.InPlace, forget: s.removeKept}
	w.random = s.random
	w.log.start()
	c.WALHook(w.log.committed)
	if err := w.prepare(s.path); err != nil {
		return nil, errors.Join(err, w.close())
	}
	w.log.retry(checkpoint(c, sqlite3.CHECKPOINT_TRUNCATE)) // an erasure may be in it whose process was ended
	return w, nil
}

// logPragmas are those of the connections that write the files of a journal.
func (s *Store) logPragmas() string {
	return fmt.Sprintf(`
		PRAGMA busy_timeout = %d;
		PRAGMA journal_mode = WAL;
		PRAGMA synchronous = %s;
		PRAGMA fullfsync = ON;`, busyTimeout.Milliseconds(), s.tune.synchronous)
}

// dialMover opens the connection that moves the write-ahead log into the database.
func (s *Store) dialMover() (*sqlite3.Conn, error) {
	if err := s.InPlace(); err != nil {
		return nil, err
	}
	return s.dial(s.own, sqlite3.OPEN_READWRITE, s.logPragmas())
}

// oldSchema is the version of a journal that has to be rewritten.
type oldSchema int

func (v oldSchema) Error() string { return fmt.Sprintf("journal: it has schema version %d", int(v)) }

func (w *writer) prepare(path string) error {
	version, err := versionOf(w.conn, path)
	if err == nil {
		err = checkSchema(w.conn, path, version)
	}
	if err == nil && version < schemaVersion {
		err = oldSchema(version)
	}
	if err != nil {
		return err
	}
	all := map[**sqlite3.Stmt]string{
		&w.begin:    `BEGIN IMMEDIATE`,
		&w.commit:   `COMMIT`,
		&w.rollback: `ROLLBACK`,
		&w.head:     headQuery,
	}
	maps.Copy(all, w.batchWriter.statements())
	maps.Copy(all, w.eraser.statements())
	if err := prepare(w.conn, all); err != nil {
		return err
	}
	return checkLastBatch(w.conn, path)
}

func (w *writer) close() error {
	w.log.stop()
	return closeConn(w.conn)
}

// Append implements journal.Store.
func (s *Store) Append(ctx context.Context, at journal.Head, b journal.Batch) (journal.Head, error) {
	if err := s.enter(ctx); err != nil {
		return journal.Head{}, err
	}
	defer s.leave()
	s.writing.Lock()
	defer s.writing.Unlock()
	w, err := s.writer(ctx)
	if err != nil {
		return journal.Head{}, err
	}
	if b.Empty() {
		return at, classify(s.path, w.probe(at))
	}
	next, err := w.append(s.path, at, b)
	w.failed = err != nil
	if err != nil {
		return journal.Head{}, classify(s.path, err)
	}
	return next, nil
}

// Sync makes durable the batches that were appended so far to a journal that is
// [Config].Copied; those of any other are durable already.
func (s *Store) Sync(ctx context.Context) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.leave()
	return s.sync()
}

func (s *Store) sync() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.w == nil || s.tune.synchronous == "FULL" {
		return nil
	}
	// A checkpoint would sync nothing where readers leave it nothing to move.
	return classify(s.path, s.disk.SyncFile(s.path+"-wal"))
}

// probe compares the head and, after an append that failed, finds out whether
// the journal can be written by now: it commits a page that stays as it was.
func (w *writer) probe(at journal.Head) error {
	err := w.confirm(at)
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
func (w *writer) confirm(at journal.Head) error {
	have, err := readHead(w.head)
	if err == nil && have != at {
		err = &journal.HeadMovedError{Have: have, Want: at}
	}
	return err
}

// append runs one transaction. Until COMMIT nothing can reach the database, so
// all errors before it are definite; see commitError for the others.
func (w *writer) append(path string, at journal.Head, b journal.Batch) (journal.Head, error) {
	return w.transact(path, len(b.Erase) > 0, func() (journal.Head, error) { return w.write(at, b) })
}

// transact runs write in a transaction, which erases keys or does not.
func (w *writer) transact(path string, erases bool, write func() (journal.Head, error)) (journal.Head, error) {
	// Left over where an earlier rollback failed.
	if !w.conn.GetAutocommit() {
		if err := w.rollback.Exec(); err != nil {
			return journal.Head{}, err
		}
	}
	if err := w.begin.Exec(); err != nil {
		return journal.Head{}, err
	}
	next, err := write()
	if err == nil {
		err = w.inPlace()
	}
	if err == nil {
		if err = w.commit.Exec(); err == nil {
			if erases { // the log still has the pages as they were
				w.log.emptyLog(w.conn)
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
func (w *writer) write(at journal.Head, b journal.Batch) (journal.Head, error) {
	if err := w.confirm(at); err != nil {
		return journal.Head{}, err
	}
	next, err := b.Next(at)
	if err != nil {
		return journal.Head{}, err
	}
	if len(b.Records) > 0 {
		if err := w.insert(at, next, b); err != nil {
			return journal.Head{}, err
		}
	}
	return next, w.carryOut(b.Erase)
}

// carryOut erases entries and the copies of an older version.
func (w *writer) carryOut(erase []uint64) error {
	if len(erase) == 0 {
		return nil
	}
	if err := w.eraseAll(erase); err != nil {
		return err
	}
	return w.forget()
}

// headQuery reads the head that the last batch left behind.
const headQuery = `SELECT first + entries, after FROM batches ORDER BY first DESC LIMIT 1`

// readHead reads the head. A journal without a batch is empty.
func readHead(stmt *sqlite3.Stmt) (head journal.Head, err error) {
	defer func() {
		if e := stmt.Reset(); err == nil {
			err = e
		}
	}()
	if !stmt.Step() {
		return journal.Head{}, stmt.Err()
	}
	head.Size = uint64(stmt.ColumnInt64(0))
	copy(head.Tip[:], stmt.ColumnRawBlob(1))
	return head, nil
}
