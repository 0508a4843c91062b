package sqlite

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/seal"
)

// eraser removes the keys of private parts, inside a transaction of the writer.
type eraser struct {
	find    *sqlite3.Stmt
	erasure *sqlite3.Stmt
	replace *sqlite3.Stmt
}

func (x *eraser) statements() map[**sqlite3.Stmt]string {
	return map[**sqlite3.Stmt]string{
		&x.find: `SELECT b.first, b.entries, b.sealed, k.keys, k.erased FROM batches AS b JOIN keys AS k USING(first)
			WHERE b.first = (SELECT max(first) FROM batches WHERE first <= ?)`,
		&x.erasure: `INSERT INTO erasures(seq) VALUES(?)`,
		&x.replace: `UPDATE keys SET keys = ?, erased = ? WHERE first = ?`,
	}
}

// keyRow is a batch as an erasure needs it.
type keyRow struct {
	first, last uint64
	parts       []uint64 // entries with a private part
	keys        seal.Keys
	erased      int // entries without a key by now
}

// eraseAll removes the keys of entries, a batch at a time. An entry without a
// private part, or without a key in this journal, stays as it is, and so does one that
// the journal does not have.
func (x *eraser) eraseAll(seqs []uint64) error {
	left := slices.Compact(slices.Sorted(slices.Values(seqs)))
	for len(left) > 0 {
		row, held, err := x.read(left[0])
		if err != nil {
			return err
		}
		if !held || left[0] > row.last {
			left = left[1:]
			continue
		}
		n := 0
		for n < len(left) && left[n] <= row.last {
			n++
		}
		if err := x.erase(row, left[:n]); err != nil {
			return err
		}
		left = left[n:]
	}
	return nil
}

// read finds the batch of an entry; held is false where its keys are not there.
func (x *eraser) read(seq uint64) (row keyRow, held bool, err error) {
	if err := x.find.BindInt64(1, int64(seq)); err != nil {
		return row, false, err
	}
	defer func() { err = errors.Join(err, x.find.Reset()) }()
	if !x.find.Step() {
		return row, false, x.find.Err()
	}
	p := packed{first: uint64(x.find.ColumnInt64(0)), entries: x.find.ColumnInt(1), sealed: x.find.ColumnRawBlob(2)}
	sealed, err := p.sealedParts(nil)
	if err != nil {
		return row, false, err
	}
	row.first, row.last, row.erased = p.first, p.first+uint64(p.entries)-1, x.find.ColumnInt(4)
	for i := range sealed {
		if sealed[i] != nil {
			row.parts = append(row.parts, p.first+uint64(i))
		}
	}
	row.keys, err = seal.ParseKeys(x.find.ColumnRawBlob(3))
	if err != nil {
		err = fmt.Errorf("%w: the keys of the entries %d to %d: %w", journal.ErrNotJournal, row.first, row.last, err)
	}
	return row, err == nil, err
}

// erase replaces the keys of a batch by those of the entries that are not in
// seqs. The trigger of the schema wants the erasures named before.
func (x *eraser) erase(row keyRow, seqs []uint64) error {
	gone := 0
	for _, seq := range seqs {
		if _, held := row.keys.Key(seq); !held || !slices.Contains(row.parts, seq) {
			continue
		}
		if err := x.erasure.BindInt64(1, int64(seq)); err != nil {
			return err
		}
		if err := x.erasure.Exec(); err != nil {
			return err
		}
		gone++
	}
	if gone == 0 {
		return nil
	}
	left := row.keys.Without(row.parts, seqs)
	err := errors.Join(
		bindBlob(x.replace, 1, left.Bytes()),
		x.replace.BindInt64(2, int64(row.erased+gone)),
		x.replace.BindInt64(3, int64(row.first)))
	if err == nil {
		err = x.replace.Exec()
	}
	return err
}
