package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/netkit/proof"
)

// ErrLost means that a folder held a network whose journal is missing or empty.
var ErrLost = errors.New("host: the journal of this folder is lost")

// firstStart marks a folder in which a network is about to begin. It is written
// before anything else and removed once the first checkpoint is kept, which is
// before anybody is shown the operator's token. So what lies beside the mark
// belongs to no network that anybody relies on.
const firstStart = "first-start"

// Checkpoints in the folder: what is shown to others and, where witnesses
// cosign that, what the network has signed by itself, which is newer.
const (
	shownFile  = "checkpoint"
	signedFile = "checkpoint.signed"
)

// remains lists the files of a folder that only a network leaves there, the
// journal itself aside. A folder with such files never begins another network.
func remains(dir string) (found []string, err error) {
	names, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot look into %s: %w", dir, err)
	}
	starting := marked(dir)
	for _, entry := range names {
		switch name := entry.Name(); {
		case name == "log.key", name == publicFile, name == signingKeyFile, name == snapshotKeyFile:
			if !starting {
				found = append(found, name)
			}
		case name == shownFile, name == signedFile, name == "audio",
			strings.HasPrefix(name, "snapshot-") && strings.HasSuffix(name, ".snap"):
			found = append(found, name)
		}
	}
	return found, nil
}

// Inspect looks at the journal of a folder without changing anything, also
// beside its server: it returns how many entries there are, and checks that
// they continue the checkpoints that were kept and that the write-ahead log is
// whole. A folder that never held a network has 0. Where entries are or may be
// missing the error is [ErrLost], [ErrUnguarded], [proof.ErrRolledBack] or
// [sqlite.ErrLogDamaged]. Nothing is repaired: SQLite would drop the rest of a
// damaged write-ahead log for good as soon as somebody opens it for writing.
func Inspect(ctx context.Context, dir string) (entries uint64, err error) {
	entries, _, err = inspect(ctx, dir)
	return entries, err
}

// inspect does what Inspect says, and returns how the write-ahead log ends.
func inspect(ctx context.Context, dir string) (entries uint64, end sqlite.LogEnd, err error) {
	found, err := remains(dir)
	if err != nil {
		return 0, end, err
	}
	kept, err := keptCheckpoints(dir) // before the head, which runs ahead of them
	if err != nil {
		return 0, end, err
	}
	end, damaged := sqlite.CheckLog(dir)
	if damaged != nil && !errors.Is(damaged, sqlite.ErrLogDamaged) {
		return 0, end, damaged
	}
	entries, err = compareCheckpoints(ctx, dir, kept)
	switch {
	case err == nil && entries == 0 && len(found) > 0:
		err = fmt.Errorf(`%w: %s holds no entry, and beside it %s left %s.
Put the journal back, with journal.db-wal if there is one, or begin a network in another folder`, ErrLost, filepath.Join(dir, "journal.db"), "a network", strings.Join(found, ", "))
	case err == nil && damaged != nil:
		err = lossOf(damaged)
	}
	return entries, end, err
}

// compareCheckpoints opens the journal for reading and compares it with the
// checkpoints that were kept. A journal whose genesis names a log key has one,
// from before anybody is told of the network.
func compareCheckpoints(ctx context.Context, dir string, kept map[string][]byte) (entries uint64, err error) {
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: dir, ReadOnly: true})
	if errors.Is(err, journal.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	head, err := store.Head(ctx)
	if err == nil {
		err = store.Check(ctx)
	}
	if err != nil || head.Size == 0 {
		return 0, err
	}
	_, public, err := foundation(ctx, store)
	if err != nil || public == "" {
		return head.Size, err // from before logs were signed
	}
	for path, text := range kept {
		if err := proof.CheckStart(ctx, store, public, text); err != nil {
			if damaged := findDamage(ctx, dir, store, head.Size); damaged != nil {
				return head.Size, damaged
			}
			return head.Size, rolledBack(path, err)
		}
	}
	if missing := missingCheckpoint(dir, kept); missing != "" && !marked(dir) {
		return head.Size, unguarded(filepath.Join(dir, missing), head.Size)
	}
	return head.Size, nil
}

// findDamage returns an error that names the first damaged entry of a journal, nil
// where all entries are as they were written, or where the journal keeps no leaf
// hashes to compare them with.
func findDamage(ctx context.Context, dir string, store *sqlite.Store, size uint64) error {
	const step = 256
	restore := fmt.Sprintf("restore %s from a backup, with its journal.db-wal", filepath.Join(dir, "journal.db"))
	for from := uint64(0); from < size; from += step {
		leaves, err := store.Leaves(ctx, from, min(from+step, size))
		if err != nil {
			return nil
		}
		for r, err := range store.Read(ctx, from, min(from+step, size)) {
			if err != nil {
				return fmt.Errorf("%w; %s", err, restore)
			}
			if journal.Leaf(r.Public) != leaves[r.Seq-from] {
				return fmt.Errorf("%w: entry %d was changed since it was written; %s", journal.ErrNotJournal, r.Seq, restore)
			}
		}
	}
	return nil
}

// keptCheckpoints reads the checkpoints of a folder, by their paths.
func keptCheckpoints(dir string) (map[string][]byte, error) {
	kept := map[string][]byte{}
	for _, name := range []string{shownFile, signedFile} {
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		switch {
		case err == nil:
			kept[path] = text
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return kept, nil
}

// mark writes the mark of a first start.
func mark(dir string) error {
	return private.WriteFile(filepath.Join(dir, firstStart), []byte("A network is about to begin here. It has no operator yet.\n"))
}

// marked reports whether a folder has it.
func marked(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, firstStart))
	return err == nil
}

// unmark removes it once the network has begun.
func unmark(dir string) error {
	err := os.Remove(filepath.Join(dir, firstStart))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(err, private.SyncFolder(dir))
}
