package sqlite

// Folders of these versions are read as they are, and rewritten once they are
// opened for writing; see [migration].

// schema1 makes the tables and the triggers which keep them append only for
// every program that opens the file, the sqlite3 shell included.
//
// The insert triggers matter as much as the others: INSERT OR REPLACE deletes
// the row that is in its way without firing a DELETE trigger (unless the
// connection sets recursive_triggers, which a stranger's does not), and so
// would rewrite history. A trigger that runs before the insert sees a sequence
// number that is not the next one and refuses.
//
// The triggers roll back the whole transaction instead of aborting the one
// statement. That is as strict, and spares SQLite the savepoint before each
// insert, a fifth of its cost; for the same reason the inserts of the driver say
// OR ROLLBACK.
//
// STRICT makes the column types binding, so a part cannot be turned into text.
const schema1 = `
CREATE TABLE meta(version INTEGER PRIMARY KEY) STRICT;
CREATE TABLE head(
	one  INTEGER PRIMARY KEY CHECK(one = 0),
	size INTEGER NOT NULL,
	tip  BLOB NOT NULL
) STRICT;
CREATE TABLE entries(seq INTEGER PRIMARY KEY, public BLOB NOT NULL, private BLOB) STRICT;
CREATE TABLE nodes(idx INTEGER PRIMARY KEY, hash BLOB NOT NULL) STRICT;
INSERT INTO head VALUES(0, 0, zeroblob(32));
INSERT INTO meta VALUES(1);

CREATE TRIGGER entries_insert BEFORE INSERT ON entries
WHEN NEW.seq <> (SELECT coalesce(max(seq) + 1, 0) FROM entries)
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only: not the next sequence number'); END;
CREATE TRIGGER entries_update BEFORE UPDATE ON entries
WHEN NEW.seq IS NOT OLD.seq OR NEW.public IS NOT OLD.public OR NEW.private IS NOT NULL
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only: a private part may be set to NULL, nothing else'); END;
CREATE TRIGGER entries_delete BEFORE DELETE ON entries
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only'); END;

CREATE TRIGGER nodes_insert BEFORE INSERT ON nodes
WHEN EXISTS (SELECT 1 FROM nodes WHERE idx = NEW.idx)
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only: this node is already stored'); END;
CREATE TRIGGER nodes_update BEFORE UPDATE ON nodes
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only'); END;
CREATE TRIGGER nodes_delete BEFORE DELETE ON nodes
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only'); END;

CREATE TRIGGER head_insert BEFORE INSERT ON head
BEGIN SELECT RAISE(ROLLBACK, 'the journal has one head'); END;
CREATE TRIGGER head_update BEFORE UPDATE ON head
WHEN NEW.one <> 0 OR NEW.size <= OLD.size OR length(NEW.tip) <> 32
  OR NEW.size <> (SELECT max(seq) + 1 FROM entries)
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only: its head moves forward, to its last entry'); END;
CREATE TRIGGER head_delete BEFORE DELETE ON head
BEGIN SELECT RAISE(ROLLBACK, 'the journal has one head'); END;

CREATE TRIGGER meta_insert BEFORE INSERT ON meta
WHEN NEW.version <= (SELECT max(version) FROM meta)
BEGIN SELECT RAISE(ROLLBACK, 'schema versions only grow'); END;
CREATE TRIGGER meta_update BEFORE UPDATE ON meta
BEGIN SELECT RAISE(ROLLBACK, 'schema versions only grow'); END;
CREATE TRIGGER meta_delete BEFORE DELETE ON meta
BEGIN SELECT RAISE(ROLLBACK, 'schema versions only grow'); END;
`

// schema2 allows a private part to be set to NULL only where the erasure of that
// entry was written down before. Version 1 allowed it to any program, and what
// was cleared by accident took tokens and idempotency keys with it. Erasures
// made under version 1 are not in the table; their private parts are NULL
// already.
const schema2 = `
CREATE TABLE erasures(seq INTEGER PRIMARY KEY) STRICT;
INSERT INTO meta VALUES(2);

CREATE TRIGGER erasures_insert BEFORE INSERT ON erasures
WHEN NEW.seq < 0 OR NEW.seq >= (SELECT size FROM head)
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only: no entry has this sequence number'); END;
CREATE TRIGGER erasures_update BEFORE UPDATE ON erasures
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only'); END;
CREATE TRIGGER erasures_delete BEFORE DELETE ON erasures
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only'); END;

DROP TRIGGER entries_update;
CREATE TRIGGER entries_update BEFORE UPDATE ON entries
WHEN NEW.seq IS NOT OLD.seq OR NEW.public IS NOT OLD.public OR NEW.private IS NOT NULL
  OR NOT EXISTS (SELECT 1 FROM erasures WHERE seq = OLD.seq)
BEGIN SELECT RAISE(ROLLBACK, 'the journal is append only: only an erasure sets a private part to NULL; use netctl ledger erase-private'); END;
`
