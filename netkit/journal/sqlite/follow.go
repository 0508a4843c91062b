package sqlite

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/seal"
)

// AppendCopies appends copied batches to the journal of a follower, in one
// transaction, and then erases entries, if the head still is at. Keys are those that
// the copy holds; without them the private parts stay closed. Tree is that of the
// journal, and grows with it. Whether the entries follow the rules is for an audit to
// check.
func (s *Store) AppendCopies(ctx context.Context, at journal.Head, tree *journal.Tree, batches []journal.SealedBatch, keys []journal.BatchKeys, erase []uint64) (journal.Head, error) {
	if err := s.enter(ctx); err != nil {
		return journal.Head{}, err
	}
	defer s.leave()
	s.writing.Lock()
	defer s.writing.Unlock()
	w, err := s.writer(ctx)
	if err != nil {
		return journal.Head{}, err
	}
	grown := *tree
	next, err := w.transact(s.path, len(erase) > 0, func() (journal.Head, error) {
		next := at
		err := w.confirm(at)
		for i := range batches {
			if err == nil {
				next, err = w.insertCopy(next, &grown, batches[i], keys[i])
			}
		}
		if err != nil {
			return next, err
		}
		return next, w.carryOut(erase)
	})
	w.failed = err != nil
	if err != nil {
		return journal.Head{}, classify(s.path, err)
	}
	*tree = grown
	return next, nil
}

// insertCopy writes the row and the keys of a copied batch.
func (w *writer) insertCopy(at journal.Head, tree *journal.Tree, in journal.SealedBatch, keys journal.BatchKeys) (journal.Head, error) {
	p := &w.packed
	next, err := p.packCopy(at, tree, in, keys)
	if err != nil {
		return at, err
	}
	err = errors.Join(
		w.batch.BindInt64(1, int64(in.First)),
		w.batch.BindInt64(2, int64(len(in.Public))),
		w.batch.BindBlob(3, at.Tip[:]),
		w.batch.BindBlob(4, next.Tip[:]),
		bindBlob(w.batch, 5, p.nodes),
		bindBlob(w.batch, 6, p.leaves),
		w.batch.BindRawText(7, p.ends),
		w.batch.BindBlob(8, p.public),
		bindBlob(w.batch, 9, p.sealed))
	if err == nil {
		err = w.batch.Exec()
	}
	if err == nil && keys.Held {
		err = w.insertCopiedKeys(in, keys)
	}
	return next, err
}

// insertCopiedKeys writes the keys of a batch. A batch that lost some gets a secret
// that opens nothing, then its erasures and the keys that are left, since the schema
// accepts keys in that order only.
func (w *writer) insertCopiedKeys(in journal.SealedBatch, keys journal.BatchKeys) error {
	held, err := seal.ParseKeys(keys.Keys)
	if err != nil {
		return fmt.Errorf("%w: the copied keys of the batch at entry %d: %w", journal.ErrNotJournal, in.First, err)
	}
	var erased []uint64
	for i, part := range in.Sealed {
		seq := in.First + uint64(i)
		if _, ok := held.Key(seq); part != nil && !ok {
			erased = append(erased, seq)
		}
	}
	stored := keys.Keys
	if len(erased) > 0 {
		stored = make([]byte, seal.SecretSize)
	}
	err = errors.Join(
		w.keys.BindInt64(1, int64(in.First)),
		w.keys.BindInt64(2, int64(len(in.Public))),
		w.keys.BindInt64(3, int64(w.packed.parts)),
		bindBlob(w.keys, 4, stored))
	if err == nil {
		err = w.keys.Exec()
	}
	for _, seq := range erased {
		if err == nil {
			err = errors.Join(w.erasure.BindInt64(1, int64(seq)), w.erasure.Exec())
		}
	}
	if err != nil || len(erased) == 0 {
		return err
	}
	err = errors.Join(
		bindBlob(w.replace, 1, keys.Keys),
		w.replace.BindInt64(2, int64(len(erased))),
		w.replace.BindInt64(3, int64(in.First)))
	if err == nil {
		err = w.replace.Exec()
	}
	return err
}
