package sqlite

import (
	"context"
	"fmt"
	"math"

	"github.com/agentnet/netctl/netkit/journal"
)

// A read goes by windows of about so many records and bytes. Between them it
// holds no connection and no transaction, so that a slow reader neither keeps
// the log from being moved into the database nor others from reading, and the
// loop body may do what it likes.
const (
	windowRecords = 256
	windowBytes   = 256 << 10
)

// window holds a run of records in one buffer, used again for the next run.
type window struct {
	records []journal.Record
	bytes   []byte
	more    bool // records may follow
}

// fill replaces the contents of w by records from from on, below to.
func (s *Store) fill(ctx context.Context, w *window, from, to uint64) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.leave()
	return s.reading(ctx, func(r *reader) error {
		if err := r.prepare(); err != nil {
			return err
		}
		return r.fill(w, from, to)
	})
}

// fill copies out of the engine's memory, which the next step overwrites. The
// copy is cheap beside the step.
func (r *reader) fill(w *window, from, to uint64) (err error) {
	w.records, w.bytes, w.more = w.records[:0], w.bytes[:0], false
	if err := r.rows.BindInt64(1, int64(min(from, math.MaxInt64))); err != nil {
		return err
	}
	if err := r.rows.BindInt64(2, int64(min(to, math.MaxInt64))); err != nil {
		return err
	}
	defer func() {
		if e := r.rows.Reset(); err == nil {
			err = e
		}
	}()
	for r.rows.Step() {
		seq := uint64(r.rows.ColumnInt64(0))
		if want := from + uint64(len(w.records)); seq != want {
			return fmt.Errorf("%w: entry %d is missing; restore a backup", journal.ErrNotJournal, want)
		}
		w.add(seq, r.rows.ColumnRawBlob(1), r.rows.ColumnRawBlob(2))
		if w.more = len(w.records) >= windowRecords || len(w.bytes) >= windowBytes; w.more {
			return nil
		}
	}
	return r.rows.Err()
}

// add copies a record in. Where the buffer has to grow, the records before keep
// the old one.
func (w *window) add(seq uint64, public, private []byte) {
	rec := journal.Record{Seq: seq, Public: w.copy(public)}
	if len(private) > 0 {
		rec.Private = w.copy(private)
	}
	w.records = append(w.records, rec)
}

func (w *window) copy(part []byte) []byte {
	n := len(w.bytes)
	w.bytes = append(w.bytes, part...)
	return w.bytes[n:len(w.bytes):len(w.bytes)]
}
