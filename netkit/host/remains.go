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
	_, err = os.Stat(filepath.Join(dir, firstStart))
	starting := err == nil
	for _, entry := range names {
		switch name := entry.Name(); {
		case name == "log.key" || name == "log.pub":
			if !starting {
				found = append(found, name)
			}
		case name == shownFile, name == signedFile, name == "signing.key", name == "audio",
			strings.HasPrefix(name, "snapshot-") && strings.HasSuffix(name, ".snap"):
			found = append(found, name)
		}
	}
	return found, nil
}

// Inspect looks at the journal of a folder without changing anything, also
// beside its server: it returns how many entries there are, and checks that
// they continue the checkpoints that were kept. A folder that never held a
// network has 0. The error is [ErrLost] or [proof.ErrRolledBack] where entries
// are missing. Nothing is repaired: SQLite would drop the rest of a damaged
// write-ahead log for good as soon as somebody opens it for writing.
func Inspect(ctx context.Context, dir string) (entries uint64, err error) {
	found, err := remains(dir)
	if err != nil {
		return 0, err
	}
	kept, err := keptCheckpoints(dir) // before the head, which runs ahead of them
	if err != nil {
		return 0, err
	}
	entries, err = inspect(ctx, dir, kept)
	if err == nil && entries == 0 && len(found) > 0 {
		return 0, fmt.Errorf(`%w: %s holds no entry, and beside it %s left %s.
Put the journal back, with journal.db-wal if there is one, or begin a network in another folder`, ErrLost, filepath.Join(dir, "journal.db"), "a network", strings.Join(found, ", "))
	}
	return entries, err
}

// inspect opens the journal for reading and compares it with checkpoints.
func inspect(ctx context.Context, dir string, kept map[string][]byte) (entries uint64, err error) {
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
			return head.Size, rolledBack(dir, path, err)
		}
	}
	return head.Size, nil
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

// rolledBack says what to do about a checkpoint that the journal does not bear
// out.
func rolledBack(dir, path string, err error) error {
	if !errors.Is(err, proof.ErrRolledBack) {
		return fmt.Errorf("the last checkpoint, in %s: %w; put back the file as it was", path, err)
	}
	return fmt.Errorf(`%w. In %s the write-ahead log journal.db-wal was lost or damaged,
or an older journal was put there, or entries were taken out. Nothing was changed.
Put the newer journal back, with its journal.db-wal: auditors and witnesses keep what they saw, and will find out.
If those entries are lost for good, say so to those who rely on the network, and remove %s to go on without them`, err, dir, path)
}

// mark writes the mark of a first start.
func mark(dir string) error {
	return WritePrivate(filepath.Join(dir, firstStart), []byte("A network is about to begin here. It has no operator yet.\n"))
}

// unmark removes it once the network has begun.
func unmark(dir string) error {
	err := os.Remove(filepath.Join(dir, firstStart))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(err, private.SyncFolder(dir))
}
