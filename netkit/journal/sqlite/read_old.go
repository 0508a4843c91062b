package sqlite

import (
	"fmt"
	"math"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal"
)

// Versions 1 and 2 have a row an entry, a row a node and a row for the head.

// oldHeadQuery reads the head, and the last entry to compare it with.
const oldHeadQuery = `SELECT size, tip, (SELECT coalesce(max(seq) + 1, 0) FROM entries) FROM head`

// oldStatements names the SQL of a reader of these versions.
func oldStatements(r *reader) map[**sqlite3.Stmt]string {
	return map[**sqlite3.Stmt]string{
		&r.head: oldHeadQuery,
		// The bound by the head hides entries that another program may have added.
		&r.rows: `SELECT seq, public, private FROM entries
			WHERE seq >= ? AND seq < min(?, (SELECT size FROM head)) ORDER BY seq`,
		&r.node: `SELECT hash FROM nodes WHERE idx = ?`,
	}
}

// readOldHead reads the head and compares it with the entries: a stranger can add
// an entry, which no trigger can tell from ours, but not the head to go with it.
func readOldHead(stmt *sqlite3.Stmt, path string) (head journal.Head, err error) {
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

// addRow adds the entry in the current row.
func (r *reader) addRow(w *window, from, _ uint64) error {
	seq := uint64(r.rows.ColumnInt64(0))
	if want := w.next(from); seq != want {
		return missingEntry(want)
	}
	w.add(seq, r.rows.ColumnRawBlob(1), r.rows.ColumnRawBlob(2))
	w.full()
	return nil
}

// oldNode finds a node.
func (r *reader) oldNode(index uint64) (hash [journal.HashSize]byte, found bool, err error) {
	if err := r.node.BindInt64(1, int64(min(index, math.MaxInt64))); err != nil {
		return hash, false, err
	}
	if found = r.node.Step(); found {
		copy(hash[:], r.node.ColumnRawBlob(0))
	}
	return hash, found, r.node.Reset()
}
