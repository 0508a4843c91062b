package host

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/proof"
)

// Entries that were acknowledged are guarded by two things. The checkpoint, which
// follows the journal within half a second or a thousand entries, shows any loss
// before it, however it came about. Behind it the write-ahead log shows its own
// damage, see [sqlite.CheckLog]. What remains: a log that lost whole commits at
// its end, within that half second, where the index of a killed process is gone
// too, as after a loss of power. Closing that would take a second synced write
// for every commit.

// ErrUnguarded means that the checkpoint beside a journal is missing or cannot
// be read, so that entries missing at the journal's end would not be noticed.
var ErrUnguarded = errors.New("host: no checkpoint vouches for this journal")

// wayBack ends each refusal that AcceptLoss lifts.
const wayBack = `If it is lost for good, say so to those who rely on the network, and start once with
netctl serve --accept-loss, or Config.AcceptLoss, to continue with the entries that are there`

// missingCheckpoint names the checkpoint that a folder should hold and does not.
// One that witnesses cosigned lags behind the one that was signed before.
func missingCheckpoint(dir string, kept map[string][]byte) string {
	shown, signed := kept[filepath.Join(dir, shownFile)], kept[filepath.Join(dir, signedFile)]
	switch {
	case signed != nil:
		return ""
	case shown == nil:
		return shownFile
	case bytes.Count(shown, []byte("\n\u2014 ")) > 1:
		return signedFile
	}
	return ""
}

// unguarded is the refusal of a journal without its checkpoint.
func unguarded(path string, entries uint64) error {
	return fmt.Errorf(`%w: %s is missing, and the network kept it from its first entry on.
The journal holds %d entries, and whether there were more cannot be seen. Put the file back.
%s`, ErrUnguarded, path, entries, wayBack)
}

// lossOf is the refusal of a damaged write-ahead log.
func lossOf(damaged error) error {
	return fmt.Errorf(`%w. Nothing was changed: SQLite would drop the rest of it, and the entries in there.
Put the journal back as it was, with its journal.db-wal.
%s`, damaged, wayBack)
}

// rolledBack is the refusal of a journal that does not bear out a checkpoint.
func rolledBack(path string, err error) error {
	if !errors.Is(err, proof.ErrRolledBack) {
		return fmt.Errorf("%w: %s is damaged, or belongs to another network: %w. Put the file back.\n%s", ErrUnguarded, path, err, wayBack)
	}
	return fmt.Errorf(`%w. In %s the write-ahead log journal.db-wal was lost or damaged,
or an older journal was put there, or entries were taken out. Nothing was changed.
Put the newer journal back, with its journal.db-wal: auditors and witnesses keep what they saw, and will find out.
The checkpoint that shows it is %s.
%s`, err, filepath.Dir(path), path, wayBack)
}

// acceptLoss lets a start continue after an error of Inspect that a lost or
// damaged file explains, and says so. Checkpoints are kept under another name.
func (cfg *Config) acceptLoss(err error) error {
	if !errors.Is(err, ErrUnguarded) && !errors.Is(err, proof.ErrRolledBack) && !errors.Is(err, sqlite.ErrLogDamaged) {
		return err
	}
	cfg.warn("started although acknowledged entries may be missing, as was asked for: %w", err)
	for _, name := range []string{shownFile, signedFile} {
		path := filepath.Join(cfg.Dir, name)
		if err := os.Rename(path, path+".lost"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// notice reports news of this start that needs no action.
func (cfg *Config) notice(format string, args ...any) {
	if cfg.Notice != nil {
		cfg.Notice(fmt.Sprintf(format, args...))
	}
}

// warn gives the alarm a finding about a file of the folder.
func (cfg *Config) warn(format string, args ...any) {
	if cfg.Alarm != nil {
		cfg.Alarm(fmt.Errorf("host: "+format, args...))
	}
}
