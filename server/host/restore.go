package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/backup"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/private"
)

// A restore has three steps: Stage unpacks a backup beside the folder, Verify audits
// what was unpacked, Finish gives it the folder's name. The folder itself stays empty
// until the last moment, so that nothing ever serves half a network.

// ErrNotEmpty means that a restore would replace files.
var ErrNotEmpty = errors.New("host: the folder is not empty")

// ErrStage means that a step of a restore was left out.
var ErrStage = errors.New("host: the restore has not come so far")

// stagedSuffix names the folder in which a restore for a folder is prepared.
const stagedSuffix = ".restoring"

// stageFile in it tells how far the restore has come.
const stageFile = "restore.json"

// stage is what stageFile holds.
type stage struct {
	backup.Manifest
	Whole    bool `json:"whole"`    // all files are unpacked and synced
	Verified bool `json:"verified"` // by Verify
	// Archive is the address from which an archive was restored, by whose later entries
	// erasures are repeated.
	Archive string `json:"archive,omitempty"`
}

// StagedDir is the folder in which a restore for dir is prepared.
func StagedDir(dir string) string { return filepath.Clean(dir) + stagedSuffix }

// Stage unpacks a backup for a folder that is missing or empty. What an earlier call
// did not finish is begun again.
func Stage(ctx context.Context, b *backup.Backup, ids []age.Identity, dir string, progress func(done, total uint64)) error {
	staged, err := prepareStage(dir, &stage{Manifest: b.Manifest})
	if err != nil {
		return err
	}
	if err := unpack(ctx, b, ids, staged, true, progress); err != nil {
		return err
	}
	return writeStage(staged, &stage{Manifest: b.Manifest, Whole: true})
}

// prepareStage makes the folder in which a restore for dir is prepared.
func prepareStage(dir string, begun *stage) (staged string, err error) {
	if err := checkEmpty(dir); err != nil {
		return "", err
	}
	staged = StagedDir(dir)
	s, err := readStage(staged)
	switch {
	case err == nil && s.Whole:
		return "", fmt.Errorf("%w: %s holds a restore already; continue it with verify and finish, or remove it", ErrNotEmpty, staged)
	case err == nil:
		err = os.RemoveAll(staged)
	case errors.Is(err, ErrStage):
		err = checkEmpty(staged)
	}
	if err != nil {
		return "", err
	}
	if err := writeStage(staged, begun); err != nil {
		return "", err
	}
	return staged, private.HideFromGit(staged, stageFile)
}

// checkEmpty refuses a folder with files in it.
func checkEmpty(dir string) error {
	files, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(files) > 0:
		return fmt.Errorf("%w: %s holds %s; restore into an empty folder, or into one that does not exist yet", ErrNotEmpty, dir, files[0].Name())
	}
	return nil
}

func readStage(staged string) (*stage, error) {
	text, err := os.ReadFile(filepath.Join(staged, stageFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: nothing is staged in %s; netctl restore stage BACKUP comes first", ErrStage, staged)
	}
	if err != nil {
		return nil, err
	}
	var s stage
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("host: %s cannot be read: %w; remove %s and stage the backup again", stageFile, err, staged)
	}
	return &s, nil
}

func writeStage(staged string, s *stage) error {
	s.Members = nil
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return private.WriteFile(filepath.Join(staged, stageFile), append(text, '\n'))
}

// unpack writes the journal of a backup into a folder, and the other files too where
// the identities are to open the private side.
func unpack(ctx context.Context, b *backup.Backup, ids []age.Identity, dir string, all bool, progress func(done, total uint64)) error {
	tree, err := sqlite.Restore(ctx, dir, func(add func(journal.SealedBatch, journal.BatchKeys) error) error {
		return b.Batches(ctx, ids, all, func(batch journal.SealedBatch, keys journal.BatchKeys) error {
			if progress != nil {
				progress(batch.First+uint64(len(batch.Public)), b.Manifest.Tree.Size)
			}
			return add(batch, keys)
		})
	})
	if err != nil {
		return err
	}
	if got := (netkit.TreeHead{Size: tree.Size(), Root: tree.Root()}); got != b.Manifest.Tree {
		return fmt.Errorf("%w: its %d entries have the root %s, and its manifest says %s", backup.ErrDamaged, got.Size, got.Root, b.Manifest.Tree.Root)
	}
	text, err := b.Checkpoint(ctx, ids)
	if err == nil && text != nil {
		err = private.WriteFile(filepath.Join(dir, shownFile), text)
	}
	if err != nil || !all {
		return err
	}
	recordings := filepath.Join(dir, "audio")
	if err := os.MkdirAll(recordings, 0o700); err != nil {
		return err
	}
	if err := errors.Join(b.Recordings(ctx, ids, recordings), b.Files(ctx, ids, dir)); err != nil {
		return err
	}
	return syncFolders(dir)
}

// syncFolders makes the names in a folder and in those below it durable.
func syncFolders(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = private.SyncFolder(path)
		}
		return err
	})
}

// Finish gives the verified restore for dir its name, after it recorded there that
// the journal was restored, and every erasure of a source that is ahead. A Finish
// that was stopped is repeated.
func Finish(ctx context.Context, dir string, later *Later, alarm func(error)) (out Finished, err error) {
	if err := checkEmpty(dir); err != nil {
		return out, err
	}
	staged := StagedDir(dir)
	s, err := readStage(staged)
	if err != nil {
		return out, err
	}
	if !s.Verified {
		return out, fmt.Errorf("%w: %s is not verified; netctl restore verify comes first", ErrStage, staged)
	}
	h, err := New(ctx, Config{Dir: staged, Alarm: alarm, later: later})
	if err != nil {
		return out, err
	}
	out, err = h.recordRestore(ctx, s, later)
	if err = errors.Join(err, h.Close(ctx)); err != nil {
		return out, err
	}
	// An empty folder of that name gives way; a rename replaces it on most systems only.
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return out, fmt.Errorf("host: %s has to give way to the restored folder: %w; remove it, or restore below a mount point", dir, err)
	}
	if err := os.Rename(staged, filepath.Clean(dir)); err != nil {
		return out, err
	}
	err = private.SyncFolder(filepath.Dir(filepath.Clean(dir)))
	return out, errors.Join(err, private.Remove(filepath.Join(dir, stageFile)))
}

// Finished is what a finished restore recorded.
type Finished struct {
	Restored netkit.RestoreReceipt `json:"restored"`
	Erased   []uint64              `json:"erased"`  // entries that are erased again
	Refused  []string              `json:"refused"` // erasures that cannot be repeated yet, and why
	Settings string                `json:"settings,omitempty" doc:"the configuration from the backup, to be put back by hand"`
}

// recordRestore appends what a restore has to record, once.
func (h *Host) recordRestore(ctx context.Context, s *stage, later *Later) (out Finished, err error) {
	out = Finished{Erased: []uint64{}, Refused: []string{}}
	first, err := h.Network.Entry(ctx, 0)
	if err != nil {
		return out, err
	}
	operator := h.Network.As(first.Actor)
	lost := s.Tree
	if later != nil && later.Tree.Size > lost.Size {
		lost = later.Tree
	}
	// The key makes a repeated call give the same entry.
	keyed := netkit.WithKey(ctx, "restore of "+s.Tree.Root.String()+" at "+s.At.Format(time.RFC3339)+", lost "+lost.Root.String())
	if out.Restored, err = operator.RecordRestore(keyed, netkit.RecordRestore{Lost: lost}); err != nil {
		return out, err
	}
	if _, err := os.Stat(filepath.Join(h.dir, SettingsFile)); err == nil {
		out.Settings = SettingsFile
	}
	if later == nil {
		return out, nil
	}
	for _, e := range later.Erasures {
		if e.Entry >= s.Tree.Size {
			continue // it was lost with its text
		}
		err := h.eraseAgain(ctx, operator, e)
		var refused *netkit.Refusal
		switch {
		case errors.As(err, &refused):
			out.Refused = append(out.Refused, fmt.Sprintf("entry %d: %v", e.Entry, err))
		case err != nil:
			return out, err
		default:
			out.Erased = append(out.Erased, e.Entry)
		}
	}
	return out, nil
}
