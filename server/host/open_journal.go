package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/private"
)

// openJournal checks the folder and opens its journal, with the engine of a node of
// several. Genesis is dropped where the folder holds a network.
func (cfg *Config) openJournal(ctx context.Context, h *Host) error {
	size, err := cfg.checkFolder(ctx)
	if err != nil {
		return err
	}
	if cfg.follower != nil {
		h.Store = cfg.follower.Store
	} else if h.Store, err = sqlite.Open(ctx, sqlite.Config{Dir: cfg.Dir, Existing: size > 0, Copied: cfg.Replica != nil, Progress: cfg.Progress, Now: cfg.Now, ErasedLater: cfg.later.erases()}); err != nil {
		return err
	}
	if err := cfg.nameKept(h.Store); err != nil {
		return err
	}
	if err := removeUnfinished(cfg.Dir); err != nil || cfg.Replica == nil {
		return err
	}
	return cfg.openReplica(ctx, h)
}

// checkFolder checks that the folder holds a network or may begin one, and returns
// how many entries its journal has.
func (cfg *Config) checkFolder(ctx context.Context) (size uint64, err error) {
	held, err := cfg.checkNode(ctx)
	if err != nil {
		return 0, err
	}
	size, end, err := inspect(ctx, cfg.Dir)
	if held && errors.Is(err, ErrLost) { // a new node with its keys, or one whose journal is gone
		err = mark(cfg.Dir)
	}
	if err != nil && cfg.AcceptLoss {
		err = cfg.acceptLoss(err)
	}
	switch {
	case err != nil:
		return 0, err
	case size > 0:
		cfg.Genesis = nil
	case cfg.Genesis == nil && cfg.Replica == nil:
		return 0, fmt.Errorf("%w in %s", ErrNoNetwork, cfg.Dir)
	default:
		if err := checkBeginning(cfg.Now()); err != nil {
			return 0, err
		}
	}
	if end.Dropped > 0 {
		cfg.warn("the write-ahead log of %s ends in frames that no commit follows, %d in number: a batch that was being written when the process ended, or the machine, is dropped", cfg.Dir, end.Dropped)
	}
	return size, nil
}

// nameKept gives notice that this start rewrote the journal and kept the file as it was.
func (cfg *Config) nameKept(store *sqlite.Store) error {
	if store.Rewrote() == 0 {
		return nil
	}
	path, until, err := sqlite.KeptCopy(cfg.Dir)
	if err == nil {
		cfg.notice("the journal was rewritten from schema version %d. %s is the file as it was; it is removed on %s, or with the first erasure", store.Rewrote(), path, until.UTC().Format(time.DateOnly))
	}
	return err
}

// ErrNoNetwork means that a folder holds no network.
var ErrNoNetwork = errors.New("host: no network")

// Present reports whether a folder holds the files of a network.
func Present(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "journal.db"))
	return err == nil
}

// removeUnfinished removes the files that a killed process did not finish. The
// caller holds the lock of the folder.
func removeUnfinished(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, private.Unfinished))
	for _, name := range names {
		if info, gone := os.Lstat(name); gone == nil && info.Mode().IsRegular() {
			err = errors.Join(err, os.Remove(name))
		}
	}
	return err
}
