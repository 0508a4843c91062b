package host

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/netkit/proof"
)

// DamagedJournal is the file in a folder that keeps the journal which a repair replaced.
const DamagedJournal = "journal.db.damaged"

// unfinishedRepair is the folder below that of the network in which a journal is
// rewritten.
const unfinishedRepair = ".netctl-repair"

// journal rewrites the journal where batches of it are damaged, with these batches
// from the copy. The keys of private parts are those of the folder, so that an
// erasure stays. The new journal replaces the old one if its root is that of the leaf
// hashes which the old one kept with its entries, and if it agrees with the signed
// checkpoints; nothing else is accepted.
func (r *repair) journal(ctx context.Context) (err error) {
	head, keys, err := r.store.BatchKeys(ctx, 0, math.MaxUint64)
	if err != nil {
		return err
	}
	damaged, err := r.damagedBatches(ctx, keys)
	if err != nil || len(damaged) == 0 {
		return err
	}
	what := fmt.Sprintf("the journal has %d damaged batches of entries, the first from entry %d on", len(damaged), damaged[0].First)
	tree, err := r.keptTree(ctx, head.Size)
	if err != nil {
		return fmt.Errorf("host: %s, and its leaf hashes cannot be read: %w; restore the network with netctl restore", what, err)
	}
	if r.from == "" {
		r.left(what, "give a copy that holds these entries: --from with a backup, the archive or another folder")
		return fmt.Errorf("host: %s; %s", what, r.found[len(r.found)-1].Still)
	}
	copied, err := sqlite.Open(ctx, sqlite.Config{Dir: r.from, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, copied.Close()) }()
	temp := filepath.Join(r.dir, unfinishedRepair)
	if err := os.RemoveAll(temp); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	got, err := sqlite.Restore(ctx, temp, func(add func(journal.SealedBatch, journal.BatchKeys) error) error {
		return r.merge(ctx, keys, damaged, copied, add)
	})
	if err != nil {
		return fmt.Errorf("host: %s, and the copy does not mend it: %w", what, err)
	}
	if got.Size() != head.Size || got.Root() != tree.Root() {
		return fmt.Errorf("host: %s, and with those of the copy its root is %s, where it was %s: nothing was changed; restore the network with netctl restore", what, netkit.Hash(got.Root()), netkit.Hash(tree.Root()))
	}
	if err := r.checkSigned(ctx, temp); err != nil {
		return fmt.Errorf("host: %s, and the journal mended by the copy is not that of the checkpoint: %w; nothing was changed", what, err)
	}
	if err := r.replaceJournal(ctx, temp); err != nil {
		return err
	}
	r.done("%s: they were taken from the copy, and the root is as it was; the damaged file is %s", what, filepath.Join(r.dir, DamagedJournal))
	return nil
}

// keptTree makes the tree of the leaf hashes that the journal keeps with its entries.
func (r *repair) keptTree(ctx context.Context, size uint64) (tree journal.Tree, err error) {
	const window = 4096
	for from := uint64(0); from < size; from += window {
		leaves, err := r.store.Leaves(ctx, from, min(from+window, size))
		if err != nil {
			return tree, err
		}
		for _, leaf := range leaves {
			tree.Append(leaf, nil)
		}
	}
	return tree, nil
}

// checkSigned compares a journal with the checkpoints of the folder.
func (r *repair) checkSigned(ctx context.Context, dir string) (err error) {
	kept, err := keptCheckpoints(r.dir)
	if err != nil || r.key == "" {
		return err
	}
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: dir, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	for _, text := range kept {
		if err := proof.CheckStart(ctx, store, r.key, text); err != nil {
			return err
		}
	}
	return nil
}

// damagedBatches returns the batches that cannot be read, or that hold an entry other
// than its leaf hash says.
func (r *repair) damagedBatches(ctx context.Context, keys []journal.BatchKeys) (damaged []journal.BatchKeys, err error) {
	for _, k := range keys {
		sound, err := r.sound(ctx, k.First, k.First+k.Records)
		if err != nil {
			return nil, err
		}
		if !sound {
			damaged = append(damaged, k)
		}
	}
	return damaged, nil
}

// sound reports whether the entries of a batch are as they were written, with their
// private parts.
func (r *repair) sound(ctx context.Context, from, to uint64) (bool, error) {
	leaves, err := r.store.Leaves(ctx, from, to)
	if err != nil {
		return false, ctx.Err()
	}
	next := from
	for record, err := range r.store.Read(ctx, from, to) {
		if err != nil || journal.Leaf(record.Public) != leaves[record.Seq-from] {
			return false, ctx.Err()
		}
		next++
	}
	return next == to, nil
}

// merge adds all batches, the damaged ones from the copy.
func (r *repair) merge(ctx context.Context, keys, damaged []journal.BatchKeys, copied *sqlite.Store, add func(journal.SealedBatch, journal.BatchKeys) error) error {
	for _, k := range keys {
		source := r.store
		if slices.ContainsFunc(damaged, func(d journal.BatchKeys) bool { return d.First == k.First }) {
			source = copied
			if err := holdsKeys(ctx, copied, k.First); err != nil {
				return err
			}
		}
		for batch, err := range source.SealedBatches(ctx, k.First, k.First+1) {
			if err == nil && uint64(len(batch.Public)) != k.Records {
				err = fmt.Errorf("it has %d entries from entry %d on, where the journal has %d", len(batch.Public), k.First, k.Records)
			}
			if err == nil {
				err = add(batch, k)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// holdsKeys refuses a copy with only the public parts of a batch: the private ones would
// be lost.
func holdsKeys(ctx context.Context, copied *sqlite.Store, first uint64) error {
	_, keys, err := copied.BatchKeys(ctx, first, first+1)
	if err == nil && (len(keys) != 1 || !keys[0].Held) {
		err = fmt.Errorf("it lacks the private parts from entry %d on: open it with --identity", first)
	}
	return err
}

// replaceJournal puts a journal in the place of that of the folder, and keeps the old
// file.
func (r *repair) replaceJournal(ctx context.Context, temp string) error {
	if err := r.store.Close(); err != nil {
		return err
	}
	if err := foldLog(ctx, r.dir); err != nil {
		return err
	}
	path := filepath.Join(r.dir, "journal.db")
	if err := os.Link(path, filepath.Join(r.dir, DamagedJournal)); err != nil {
		return fmt.Errorf("host: the damaged journal cannot be kept: %w; move %s away", err, DamagedJournal)
	}
	err := os.Rename(filepath.Join(temp, "journal.db"), path)
	if err == nil {
		err = private.SyncFolder(r.dir)
	}
	if err != nil {
		return err
	}
	return r.openJournal(ctx)
}

// foldLog moves the write-ahead log of a journal into the database, as a start and an
// end of the network do: SQLite would take it for the log of a journal that replaces
// this one.
func foldLog(ctx context.Context, dir string) error {
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: dir, Existing: true})
	if err == nil {
		err = store.Close()
	}
	if err != nil {
		return err
	}
	log := filepath.Join(dir, "journal.db-wal")
	if info, err := os.Stat(log); err == nil && info.Size() > 0 {
		return fmt.Errorf("host: %s is not empty although the journal was closed; nothing was changed", log)
	}
	return nil
}
