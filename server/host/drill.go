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
	"github.com/agentnet/netctl/netkit/private"
)

// drillFile keeps the result of the last drill in a folder.
const drillFile = "drill.json"

// unfinishedDrill is the pattern of the folders in which drills restore.
const unfinishedDrill = ".netctl-drill-*"

// Drilled is the result of restoring a backup or an archive for a trial.
type Drilled struct {
	At      time.Time       `json:"at"`        // when the trial ended
	Took    float64         `json:"took_s"`    // seconds
	File    string          `json:"file"`      // the backup, or the archive
	Backup  time.Time       `json:"backup_at"` // when it, or the last object of the archive, was written
	Full    bool            `json:"full"`      // private parts and recordings too; otherwise their encrypted bytes are compared with the manifest
	Tree    netkit.TreeHead `json:"tree"`
	Books   netkit.Books    `json:"books"`
	Problem string          `json:"problem,omitempty"` // "" where the backup is sound
}

// Drill restores a backup into a temporary folder in dir, and checks it: every byte,
// the root, the last checkpoint, every balance. With identities it restores all of
// it, as [Verify] does; without any the public side, by the folder's own key. A live
// journal, if it is not nil, must begin with the same entries. The error says that
// the trial could not be made; a backup that is wrong is the result's Problem. Step
// is called after each stretch of work, and may wait; nil is nothing.
func Drill(ctx context.Context, dir, file string, ids []age.Identity, live journal.Store, step func()) (Drilled, error) {
	d := Drilled{File: file, Full: ids != nil}
	err := d.drill(ctx, dir, step, func(temp string, step func()) error {
		if ids == nil {
			var err error
			if ids, err = drillIdentities(dir); err != nil {
				return err
			}
		}
		return d.try(ctx, filepath.Join(temp, "restored"), ids, live, step)
	})
	return d, err
}

// drill tries a copy in a temporary folder in dir, and notes how that ended.
func (d *Drilled) drill(ctx context.Context, dir string, step func(), try func(temp string, step func()) error) (err error) {
	begun := time.Now()
	if err := removeOldDrills(dir); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(dir, unfinishedDrill)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	if step == nil {
		step = func() {}
	}
	wrong := try(temp, step)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if wrong != nil {
		d.Problem = wrong.Error()
	}
	d.At = time.Now().UTC().Truncate(time.Second)
	d.Took = time.Since(begun).Seconds()
	return nil
}

// try restores the backup below a path and returns what is wrong with it.
func (d *Drilled) try(ctx context.Context, to string, ids []age.Identity, live journal.Store, step func()) error {
	b, err := backup.Open(ctx, d.File)
	if err != nil {
		return err
	}
	defer func() { _ = b.Close() }() // it was only read
	d.Backup, d.Tree = b.Manifest.At, b.Manifest.Tree
	progress := func(uint64, uint64) { step() }
	if live != nil {
		if err := continuesBackup(ctx, live, d.Tree); err != nil {
			return err
		}
	}
	if d.Full {
		if err := Stage(ctx, b, ids, to, progress); err != nil {
			return err
		}
		v, err := Verify(ctx, to, nil, progress)
		d.Books = v.Report.Books
		return err
	}
	if err := unpack(ctx, b, ids, to, false, progress); err != nil {
		return err
	}
	r, err := auditFolder(ctx, to, b.Manifest.Key, true, nil, progress)
	d.Books = r.Books
	if err == nil && (netkit.TreeHead{Size: r.Entries, Root: r.Root}) != d.Tree {
		err = fmt.Errorf("%w: its entries have the root %s, and its manifest says %s", backup.ErrDamaged, r.Root, d.Tree.Root)
	}
	return err
}

// continuesBackup checks that a journal begins with the entries of a backup.
func continuesBackup(ctx context.Context, live journal.Store, was netkit.TreeHead) error {
	tree, err := journal.OpenTree(ctx, live, was.Size)
	if err != nil {
		return err
	}
	if netkit.Hash(tree.Root()) != was.Root {
		return fmt.Errorf("%w: the first %d entries of the journal have the root %s, and in the backup it is %s", backup.ErrDamaged, was.Size, netkit.Hash(tree.Root()), was.Root)
	}
	return nil
}

// removeOldDrills removes the folders of trials whose process was killed.
func removeOldDrills(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, unfinishedDrill))
	for _, name := range names {
		err = errors.Join(err, os.RemoveAll(name))
	}
	return err
}

// KeepDrill keeps the result of a drill in the folder of its network.
func KeepDrill(dir string, d Drilled) error {
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	return private.WriteFile(filepath.Join(dir, drillFile), append(text, '\n'))
}

// LastDrill returns the result of the last drill, and whether there was one.
func LastDrill(dir string) (d Drilled, found bool, err error) {
	text, err := os.ReadFile(filepath.Join(dir, drillFile))
	if errors.Is(err, fs.ErrNotExist) {
		return d, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		return d, false, fmt.Errorf("host: %s cannot be read: %w; remove it, and the next drill writes it again", filepath.Join(dir, drillFile), err)
	}
	return d, true, nil
}
