package sqlite

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal"
)

// Check compares what surrounds the entries with what this package writes: the
// tables and triggers with the schema, and the tip of the head with the last
// entry. It returns a journal.ErrNotJournal that names what differs. Opening a
// journal for writing does the same; opening it for reading does not, so that
// the entries of a journal can still be audited.
func (s *Store) Check(ctx context.Context) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.leave()
	return s.reading(ctx, func(r *reader) error { return check(r.conn, s.path) })
}

func check(c *sqlite3.Conn, path string) error {
	version, err := queryInt(c, `SELECT max(version) FROM meta`)
	if err != nil {
		return err
	}
	if err := checkSchema(c, path, int(version)); err != nil {
		return err
	}
	return checkTip(c, path, int(version))
}

// checkSchema names the first table or trigger that a journal of a version has
// and path lacks, or the other way round, or that was altered.
func checkSchema(c *sqlite3.Conn, path string, version int) error {
	want, err := schemaOf(version)
	if err != nil {
		return err
	}
	have, err := objects(c)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		switch sql, ok := have[name]; {
		case !ok:
			return altered(path, name, "is missing")
		case sql != want[name]:
			return altered(path, name, "was altered")
		}
		delete(have, name)
	}
	for _, name := range slices.Sorted(maps.Keys(have)) {
		return altered(path, name, "was added")
	}
	return nil
}

func altered(path, name, how string) error {
	return fmt.Errorf("%w: another program changed %s: its %s %s; run netctl ledger verify to see whether the entries are sound, then restore a backup or undo the change", journal.ErrNotJournal, path, name, how)
}

// schemaOf returns the objects of a new journal of a version.
func schemaOf(version int) (map[string]string, error) {
	c, err := sqlite3.Open(":memory:")
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := c.Exec(schemas[version-1]); err != nil {
		return nil, err
	}
	return objects(c)
}

// objects returns the SQL of all tables, triggers, views and indexes by type
// and name, without those that the engine keeps for itself.
func objects(c *sqlite3.Conn) (map[string]string, error) {
	stmt, _, err := c.Prepare(`SELECT type || ' ' || name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\'`)
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	all := map[string]string{}
	for stmt.Step() {
		all[stmt.ColumnText(0)] = stmt.ColumnText(1)
	}
	return all, stmt.Err()
}

// checkTip compares the tip of the head with the last entry.
func checkTip(c *sqlite3.Conn, path string, version int) error {
	if version == schemaVersion {
		return checkLastBatch(c, path)
	}
	stmt, _, err := c.Prepare(`SELECT size, tip, (SELECT public FROM entries WHERE seq = size - 1) FROM head`)
	if err != nil {
		return err
	}
	defer stmt.Close()
	if !stmt.Step() {
		return stmt.Err() // without a head there is a better error
	}
	size, want := stmt.ColumnInt64(0), [journal.HashSize]byte{}
	if size > 0 {
		want = journal.Leaf(stmt.ColumnRawBlob(2))
	}
	if !bytes.Equal(stmt.ColumnRawBlob(1), want[:]) {
		return wrongTip(path, size-1)
	}
	return nil
}

func wrongTip(path string, last int64) error {
	return fmt.Errorf("%w: the tip in the head of %s is not the hash of its last entry, %d: another program wrote to it; restore a backup", journal.ErrNotJournal, path, last)
}

// checkLastBatch compares the head after the last batch with its last entry.
func checkLastBatch(c *sqlite3.Conn, path string) error {
	stmt, _, err := c.Prepare(`SELECT first, entries, ends, public, after FROM batches ORDER BY first DESC LIMIT 1`)
	if err != nil {
		return err
	}
	defer stmt.Close()
	if !stmt.Step() {
		return stmt.Err()
	}
	p := packed{first: uint64(stmt.ColumnInt64(0)), entries: stmt.ColumnInt(1), ends: stmt.ColumnRawText(2), public: stmt.ColumnRawBlob(3)}
	if p.entries < 1 || p.entries > len(p.public) {
		return p.damaged("the last batch")
	}
	var tip [journal.HashSize]byte
	if err := p.eachPublic(func(_ int, part []byte) bool { tip = journal.Leaf(part); return true }); err != nil {
		return err
	}
	if !bytes.Equal(stmt.ColumnRawBlob(4), tip[:]) {
		return wrongTip(path, stmt.ColumnInt64(0)+int64(p.entries)-1)
	}
	return nil
}
