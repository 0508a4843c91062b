package sqlite

import (
	"errors"
	"io"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal"
)

// batchWriter inserts batches, on a connection with the newest schema.
type batchWriter struct {
	batch  *sqlite3.Stmt
	keys   *sqlite3.Stmt
	random io.Reader // of the secrets
	packed packed    // used again for each batch
}

// statements names the SQL for [prepare] to compile.
func (w *batchWriter) statements() map[**sqlite3.Stmt]string {
	return map[**sqlite3.Stmt]string{
		&w.batch: `INSERT OR ROLLBACK INTO batches(first, entries, before, after, nodes, leaves, ends, public, sealed) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		&w.keys:  `INSERT OR ROLLBACK INTO keys(first, entries, parts, erased, keys) VALUES(?, ?, ?, 0, ?)`,
	}
}

// insert writes the row and the keys of a batch that leads from one head to the
// next. The engine copies its arguments.
func (w *batchWriter) insert(at, next journal.Head, b journal.Batch) error {
	p := &w.packed
	if err := p.pack(b.Records, b.Nodes, w.random); err != nil {
		return err
	}
	err := errors.Join(
		w.batch.BindInt64(1, int64(p.first)),
		w.batch.BindInt64(2, int64(p.entries)),
		w.batch.BindBlob(3, at.Tip[:]),
		w.batch.BindBlob(4, next.Tip[:]),
		bindBlob(w.batch, 5, p.nodes),
		bindBlob(w.batch, 6, p.leaves),
		w.batch.BindRawText(7, p.ends),
		w.batch.BindBlob(8, p.public),
		bindBlob(w.batch, 9, p.sealed),
		w.keys.BindInt64(1, int64(p.first)),
		w.keys.BindInt64(2, int64(p.entries)),
		w.keys.BindInt64(3, int64(p.parts)),
		bindBlob(w.keys, 4, p.keys))
	if err == nil {
		err = w.batch.Exec()
	}
	if err == nil {
		err = w.keys.Exec()
	}
	return err
}

// bindBlob binds a blob, which the engine would take for NULL where it is empty.
func bindBlob(stmt *sqlite3.Stmt, param int, b []byte) error {
	if len(b) == 0 {
		return stmt.BindZeroBlob(param, 0)
	}
	return stmt.BindBlob(param, b)
}
