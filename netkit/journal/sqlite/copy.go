package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal"
)

var _ journal.Copier = (*Store)(nil)

// BatchKeys implements journal.Copier. It reads in one transaction, some 40 bytes a
// batch.
func (s *Store) BatchKeys(ctx context.Context, from, to uint64) (head journal.Head, keys []journal.BatchKeys, err error) {
	if err := s.enter(ctx); err != nil {
		return head, nil, err
	}
	defer s.leave()
	err = s.reading(ctx, func(r *reader) error {
		if err := r.prepareNewest(s.path); err != nil {
			return err
		}
		if err := r.conn.Exec("BEGIN"); err != nil {
			return err
		}
		err := r.batchKeys(s.path, from, to, &head, &keys)
		return errors.Join(err, r.conn.Exec("ROLLBACK")) // nothing was written
	})
	return head, keys, err
}

// batchKeys reads the head and keys, within a transaction.
func (r *reader) batchKeys(path string, from, to uint64, head *journal.Head, keys *[]journal.BatchKeys) (err error) {
	if *head, err = r.readHead(path); err != nil {
		return err
	}
	to = min(to, head.Size)
	if from >= to {
		return nil
	}
	query := fmt.Sprintf(`SELECT b.first, b.entries, k.keys FROM batches AS b LEFT JOIN keys AS k USING(first) WHERE b.first >= %d AND b.first < %d ORDER BY b.first`, from, to)
	return eachRow(r.conn, query, func(row *sqlite3.Stmt) (bool, error) {
		k := journal.BatchKeys{First: uint64(row.ColumnInt64(0)), Records: uint64(row.ColumnInt64(1)), Held: row.ColumnType(2) != sqlite3.NULL}
		k.Keys = bytes.Clone(row.ColumnRawBlob(2))
		*keys = append(*keys, k)
		return true, nil
	})
}

// prepareNewest refuses a journal of an older version, which keeps private parts in
// the clear and has no batches.
func (r *reader) prepareNewest(path string) error {
	err := r.prepare()
	if err == nil && r.version < schemaVersion {
		err = fmt.Errorf("journal: %s has schema version %d and is rewritten for version %d when it is next opened for writing; run netctl serve on the folder once, then back it up", path, r.version, schemaVersion)
	}
	return err
}

// SealedBatches implements journal.Copier. It reads windows of about a MiB, and
// holds no transaction between them.
func (s *Store) SealedBatches(ctx context.Context, from, to uint64) iter.Seq2[journal.SealedBatch, error] {
	return func(yield func(journal.SealedBatch, error) bool) {
		for next := from; next < to; {
			batches, err := s.sealedWindow(ctx, next, to)
			if err == nil && len(batches) == 0 {
				err = missingEntry(next)
			}
			if err != nil {
				yield(journal.SealedBatch{}, err)
				return
			}
			for _, b := range batches {
				if b.First != next {
					yield(journal.SealedBatch{}, missingEntry(next))
					return
				}
				if !yield(b, nil) {
					return
				}
				next += uint64(len(b.Public))
			}
		}
	}
}

// sealedWindow reads batches from the one that begins at from.
func (s *Store) sealedWindow(ctx context.Context, from, to uint64) (batches []journal.SealedBatch, err error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	size := 0
	err = s.reading(ctx, func(r *reader) error {
		if err := r.prepareNewest(s.path); err != nil {
			return err
		}
		stmt, _, err := r.conn.Prepare(`SELECT first, entries, ends, public, sealed FROM batches WHERE first >= ? AND first < ? ORDER BY first`)
		if err != nil {
			return err
		}
		defer stmt.Close()
		if err := stmt.BindInt64(1, int64(from)); err != nil {
			return err
		}
		if err := stmt.BindInt64(2, int64(to)); err != nil {
			return err
		}
		for size < windowBytes && stmt.Step() {
			p := packed{first: uint64(stmt.ColumnInt64(0)), entries: stmt.ColumnInt(1), ends: stmt.ColumnRawText(2),
				public: bytes.Clone(stmt.ColumnRawBlob(3)), sealed: bytes.Clone(stmt.ColumnRawBlob(4))}
			b, err := p.unpack()
			if err != nil {
				return err
			}
			batches, size = append(batches, b), size+len(p.public)+len(p.sealed)
		}
		return stmt.Err()
	})
	return batches, err
}

// unpack takes a batch apart without opening it.
func (p *packed) unpack() (journal.SealedBatch, error) {
	b := journal.SealedBatch{First: p.first}
	if p.entries < 1 || p.entries > len(p.public) {
		return b, p.damaged("the row")
	}
	err := p.eachPublic(func(_ int, part []byte) bool {
		b.Public = append(b.Public, part)
		return true
	})
	if err == nil {
		b.Sealed, err = p.sealedParts(nil)
	}
	return b, err
}

// BatchOf returns the first entry of the batch that holds an entry.
func (s *Store) BatchOf(ctx context.Context, seq uint64) (first uint64, err error) {
	if err := s.enter(ctx); err != nil {
		return 0, err
	}
	defer s.leave()
	err = s.reading(ctx, func(r *reader) error {
		if err := r.prepareNewest(s.path); err != nil {
			return err
		}
		n, err := queryInt(r.conn, fmt.Sprintf(`SELECT coalesce((SELECT max(first) FROM batches WHERE first <= %d), -1)`, seq))
		if err == nil && n < 0 {
			err = missingEntry(seq)
		}
		first = uint64(n)
		return err
	})
	return first, err
}
