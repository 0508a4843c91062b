package sqlite

import (
	"context"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal"
)

var (
	_ journal.KeyHolder     = (*Store)(nil)
	_ journal.LaterErasures = (*Store)(nil)
)

// FirstUnheld implements journal.KeyHolder. A journal of an older version holds
// all that was not erased.
func (s *Store) FirstUnheld(ctx context.Context, erased func(seq uint64) bool) (seq uint64, found bool, err error) {
	if err := s.enter(ctx); err != nil {
		return 0, false, err
	}
	here := erased
	erased = func(seq uint64) bool { return here(seq) || s.ErasedLater(seq) }
	defer s.leave()
	err = s.reading(ctx, func(r *reader) (err error) {
		if err = r.prepare(); err == nil && r.version == schemaVersion {
			seq, found, err = r.firstUnheld(erased)
		}
		return err
	})
	return seq, found, err
}

// ErasedLater implements journal.LaterErasures.
func (s *Store) ErasedLater(seq uint64) bool { return s.later != nil && s.later(seq) }

// firstUnheld checks the parts that were erased here, whose keys are gone, and batches
// without keys. The table of keys is small compared with the batches, and its sum shows
// that one is missing.
func (r *reader) firstUnheld(erased func(uint64) bool) (seq uint64, found bool, err error) {
	err = eachRow(r.conn, `SELECT seq FROM erasures ORDER BY seq`, func(row *sqlite3.Stmt) (bool, error) {
		seq = uint64(row.ColumnInt64(0))
		found = !erased(seq)
		return !found, nil
	})
	if err != nil {
		return 0, false, err
	}
	missing, err := queryInt(r.conn, `SELECT coalesce((SELECT first + entries FROM batches ORDER BY first DESC LIMIT 1), 0) - coalesce((SELECT sum(entries) FROM keys), 0)`)
	if err != nil || missing == 0 {
		return seq, found, err
	}
	err = eachRow(r.conn, `SELECT first, entries, sealed FROM batches WHERE first NOT IN (SELECT first FROM keys) ORDER BY first`, func(row *sqlite3.Stmt) (bool, error) {
		p := packed{first: uint64(row.ColumnInt64(0)), entries: row.ColumnInt(1), sealed: row.ColumnRawBlob(2)}
		if found && p.first > seq {
			return false, nil
		}
		sealed, err := p.sealedParts(nil)
		for i := range sealed {
			if at := p.first + uint64(i); sealed[i] != nil && !erased(at) && (!found || at < seq) {
				seq, found = at, true
				return false, nil
			}
		}
		return true, err
	})
	return seq, found, err
}

// eachRow calls f with each row of a query until it returns false.
func eachRow(c *sqlite3.Conn, sql string, f func(*sqlite3.Stmt) (bool, error)) error {
	stmt, _, err := c.Prepare(sql)
	if err != nil {
		return err
	}
	defer stmt.Close()
	for stmt.Step() {
		if more, err := f(stmt); err != nil || !more {
			return err
		}
	}
	return stmt.Err()
}
