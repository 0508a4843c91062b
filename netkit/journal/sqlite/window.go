package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/seal"
)

// A read goes by windows of about so many records and bytes. Between them it
// holds no connection and no transaction, so that a slow reader neither keeps
// the log from being moved into the database nor others from reading, and the
// loop body may do what it likes.
const (
	windowRecords = 1024
	windowBytes   = 1 << 20
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
	if from >= to {
		return nil
	}
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
		add := r.addBatch
		if r.version < schemaVersion {
			add = r.addRow
		}
		if err := add(w, from, to); err != nil {
			return err
		}
		if w.more {
			return nil
		}
	}
	return r.rows.Err()
}

// next is the sequence number of the record that w lacks.
func (w *window) next(from uint64) uint64 { return from + uint64(len(w.records)) }

// full notes whether another record would be too much.
func (w *window) full() bool {
	w.more = len(w.records) >= windowRecords || len(w.bytes) >= windowBytes
	return w.more
}

// missingEntry reports a gap.
func missingEntry(seq uint64) error {
	return fmt.Errorf("%w: entry %d is missing; restore a backup", journal.ErrNotJournal, seq)
}

// addBatch adds the entries of [from, to) in the current row.
func (r *reader) addBatch(w *window, from, to uint64) error {
	p := packed{first: uint64(r.rows.ColumnInt64(0)), entries: r.rows.ColumnInt(1), ends: r.rows.ColumnRawText(2),
		public: r.rows.ColumnRawBlob(3), sealed: r.rows.ColumnRawBlob(4)}
	if p.entries < 1 || p.entries > len(p.public) {
		return fmt.Errorf("%w: the batch at entry %d is damaged; restore a backup", journal.ErrNotJournal, p.first)
	}
	next := w.next(from)
	switch end := p.first + uint64(p.entries); {
	case p.first > next, p.first < next && len(w.records) > 0:
		return missingEntry(next)
	case end <= next: // from lies beyond the journal
		return nil
	}
	var err error
	if r.sealed, err = p.sealedParts(r.sealed); err != nil {
		return err
	}
	keys, err := r.keys.parse(p.first, r.rows.ColumnRawBlob(5))
	if err != nil {
		return err
	}
	var failed error
	err = p.eachPublic(func(i int, public []byte) bool {
		seq := p.first + uint64(i)
		if seq < next {
			return true
		}
		if seq >= to || w.full() {
			return false
		}
		failed = w.addSealed(seq, public, r.sealed[i], keys)
		return failed == nil
	})
	return errors.Join(failed, err)
}

// addSealed copies a record in and opens its private part, which stays nil where
// there is no key for it.
func (w *window) addSealed(seq uint64, public, sealed []byte, keys *seal.Keys) error {
	rec := journal.Record{Seq: seq, Public: w.copy(public)}
	if key, held := keys.Key(seq); held && sealed != nil {
		n := len(w.bytes)
		opened, err := key.Open(w.bytes, sealed)
		if err != nil {
			return fmt.Errorf("%w: the private part of entry %d is damaged: %w; restore a backup", journal.ErrNotJournal, seq, err)
		}
		w.bytes, rec.Private = opened, opened[n:len(opened):len(opened)]
	}
	w.records = append(w.records, rec)
	return nil
}

// keyCache holds the keys of the batch that was read last, since a batch may be
// read in several windows.
type keyCache struct {
	stored []byte
	keys   seal.Keys
}

// parse returns the keys that are stored for a batch. A batch without them opens
// no private part.
func (k *keyCache) parse(first uint64, stored []byte) (*seal.Keys, error) {
	if k.stored != nil && bytes.Equal(k.stored, stored) {
		return &k.keys, nil
	}
	keys, err := seal.ParseKeys(stored)
	if err != nil {
		return nil, fmt.Errorf("%w: the keys of the batch at entry %d: %w; restore a backup", journal.ErrNotJournal, first, err)
	}
	k.stored, k.keys = append(k.stored[:0], stored...), keys
	return &k.keys, nil
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
