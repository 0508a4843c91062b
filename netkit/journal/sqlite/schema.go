package sqlite

import (
	"fmt"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal"
)

// schemaVersion is the version that this package writes.
const schemaVersion = 3

// schemas make an empty journal of each version, the first of version 1. A
// released one never changes, since [Store.Check] compares a journal with what it
// makes.
var schemas = []string{schema1, schema1 + schema2, schema3}

// schema3 keeps a row a batch. The triggers refuse every change of a row but one,
// for any program that opens the file, the sqlite3 shell included: an erasure
// replaces the keys of a batch, once the table of erasures names an entry of it
// that the keys still open. For why they also look at inserts, and roll back, see
// schema1.
//
// Programs from before version 3 recognise a journal by the tables head, entries
// and nodes, and then name the version that they do not know; without the tables
// they would call the file a database of something else. Nothing can be put into
// them.
const schema3 = `
CREATE TABLE meta(version INTEGER PRIMARY KEY) STRICT;
CREATE TABLE batches(
	first   INTEGER PRIMARY KEY, -- sequence number of its first entry
	entries INTEGER NOT NULL,    -- how many
	before  BLOB NOT NULL,       -- leaf hash of the entry before the batch
	after   BLOB NOT NULL,       -- leaf hash of its last entry
	nodes   BLOB NOT NULL,       -- of the Merkle tree: index (8 bytes) and hash (32) of each
	leaves  BLOB NOT NULL,       -- leaf hash of each entry but the last
	ends    TEXT NOT NULL,       -- JSON array: where each public part ends
	public  BLOB NOT NULL,       -- the public parts
	sealed  BLOB NOT NULL        -- the encrypted private parts, behind their lengths
) STRICT;
CREATE TABLE keys(
	first   INTEGER PRIMARY KEY, -- the batch that they open
	entries INTEGER NOT NULL,    -- of the batch
	parts   INTEGER NOT NULL,    -- of its entries with a private part
	erased  INTEGER NOT NULL,    -- of these, without a key by now
	keys    BLOB NOT NULL        -- a secret, or the keys of parts that are not erased
) STRICT;
CREATE TABLE erasures(seq INTEGER PRIMARY KEY) STRICT;
CREATE TABLE head(unused INTEGER CHECK(0)) STRICT;
CREATE TABLE entries(unused INTEGER CHECK(0)) STRICT;
CREATE TABLE nodes(unused INTEGER CHECK(0)) STRICT;
INSERT INTO meta VALUES(3);

-- A line of JSON an entry. Where batch is given too, the entry is found at once.
CREATE VIEW journal(seq, batch, entry) AS
SELECT b.first + e.key, b.first, CAST(substr(b.public,
	1 + CASE e.key WHEN 0 THEN 0 ELSE b.ends ->> (e.key - 1) END,
	e.value - CASE e.key WHEN 0 THEN 0 ELSE b.ends ->> (e.key - 1) END) AS TEXT)
FROM batches AS b, json_each(b.ends) AS e;

CREATE TRIGGER batches_insert BEFORE INSERT ON batches
WHEN NEW.entries < 1 OR length(NEW.after) <> 32 OR length(NEW.leaves) <> 32 * (NEW.entries - 1)
  OR NEW.first IS NOT coalesce((SELECT first + entries FROM batches ORDER BY first DESC LIMIT 1), 0)
  OR NEW.before IS NOT coalesce((SELECT after FROM batches ORDER BY first DESC LIMIT 1), zeroblob(32))
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only: this batch does not continue it'); END;
CREATE TRIGGER batches_update BEFORE UPDATE ON batches
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only'); END;
CREATE TRIGGER batches_delete BEFORE DELETE ON batches
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only'); END;

CREATE TRIGGER keys_insert BEFORE INSERT ON keys
WHEN NEW.entries IS NOT (SELECT entries FROM batches WHERE first = NEW.first)
  OR EXISTS (SELECT 1 FROM keys WHERE first = NEW.first)
  OR NEW.parts NOT BETWEEN 0 AND NEW.entries OR NEW.erased <> 0
  OR length(NEW.keys) <> CASE NEW.parts WHEN 0 THEN 0 ELSE 32 END
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only: these are no keys of a batch without any'); END;
CREATE TRIGGER keys_update BEFORE UPDATE ON keys
WHEN NEW.first IS NOT OLD.first OR NEW.entries IS NOT OLD.entries OR NEW.parts IS NOT OLD.parts
  OR NEW.erased <= OLD.erased OR length(NEW.keys) <> 40 * (OLD.parts - NEW.erased)
  OR NEW.erased <> (SELECT count(*) FROM erasures WHERE seq >= OLD.first AND seq < OLD.first + OLD.entries)
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only: only an erasure removes the key of a private part; use netctl ledger erase-private'); END;
CREATE TRIGGER keys_delete BEFORE DELETE ON keys
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only'); END;

CREATE TRIGGER erasures_insert BEFORE INSERT ON erasures
WHEN EXISTS (SELECT 1 FROM erasures WHERE seq = NEW.seq)
  OR NEW.seq NOT BETWEEN 0 AND coalesce((SELECT first + entries - 1 FROM batches ORDER BY first DESC LIMIT 1), -1)
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only: no entry to be erased has this sequence number'); END;
CREATE TRIGGER erasures_update BEFORE UPDATE ON erasures
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only'); END;
CREATE TRIGGER erasures_delete BEFORE DELETE ON erasures
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only'); END;

CREATE TRIGGER meta_insert BEFORE INSERT ON meta
WHEN NEW.version <= (SELECT max(version) FROM meta)
BEGIN SELECT RAISE(ROLLBACK, 'schema versions only grow'); END;
CREATE TRIGGER meta_update BEFORE UPDATE ON meta
BEGIN SELECT RAISE(ROLLBACK, 'schema versions only grow'); END;
CREATE TRIGGER meta_delete BEFORE DELETE ON meta
BEGIN SELECT RAISE(ROLLBACK, 'schema versions only grow'); END;
`

// versionOf checks that path is a journal which this program knows.
func versionOf(c *sqlite3.Conn, path string) (int, error) {
	tables, err := queryInt(c, `SELECT count(*) FROM sqlite_schema`)
	if err != nil {
		return 0, err
	}
	if tables == 0 {
		return 0, fmt.Errorf("%w: %s is empty", journal.ErrNotFound, path)
	}
	ours, err := queryInt(c, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('meta', 'head', 'entries', 'nodes')`)
	if err != nil {
		return 0, err
	}
	if ours != 4 {
		return 0, fmt.Errorf("%w: %s is a database of something else; choose another folder", journal.ErrNotJournal, path)
	}
	version, err := queryInt(c, `SELECT max(version) FROM meta`)
	if err != nil {
		return 0, err
	}
	if version < 1 || version > schemaVersion {
		return 0, fmt.Errorf("%w: %s has schema version %d, this program knows %d; use the program that wrote it, or a later one", journal.ErrNewer, path, version, schemaVersion)
	}
	return int(version), nil
}

// queryInt runs a query that gives one integer.
func queryInt(c *sqlite3.Conn, sql string) (int64, error) {
	stmt, _, err := c.Prepare(sql)
	if err != nil {
		return 0, err
	}
	defer stmt.Close()
	if !stmt.Step() {
		return 0, stmt.Err()
	}
	return stmt.ColumnInt64(0), nil
}
