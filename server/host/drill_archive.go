package host

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/archive"
	"github.com/agentnet/netctl/netkit/backup"
	"github.com/agentnet/netctl/netkit/journal"
)

// DrillArchive restores an archive for a trial, as [Drill] does with a backup. Without
// identities it restores the public side and compares the encrypted objects with their
// hashes.
func DrillArchive(ctx context.Context, dir string, store archive.Store, ids []age.Identity, live journal.Store, step func()) (Drilled, error) {
	d := Drilled{File: store.String(), Full: ids != nil}
	err := d.drill(ctx, dir, step, func(temp string, step func()) error {
		last, err := lastBefore(ctx, store, time.Time{})
		if err != nil {
			return err
		}
		d.Backup, d.Tree = last.At, last.Tree
		if live != nil {
			if err := continuesBackup(ctx, live, d.Tree); err != nil {
				return err
			}
		}
		return d.tryArchive(ctx, filepath.Join(temp, "restored"), store, ids, last, func(uint64, uint64) { step() })
	})
	return d, err
}

// tryArchive restores the objects up to last below a path.
func (d *Drilled) tryArchive(ctx context.Context, to string, store archive.Store, ids []age.Identity, last *archive.Header, progress func(done, total uint64)) error {
	if d.Full {
		if _, err := StageArchive(ctx, store, "", ids, to, time.Time{}, progress); err != nil {
			return err
		}
		v, err := Verify(ctx, to, nil, progress)
		d.Books, d.Tree = v.Report.Books, netkit.TreeHead{Size: v.Report.Entries, Root: v.Report.Root}
		return err
	}
	f, err := OpenFollower(ctx, FollowConfig{Dir: to, Store: store, Sealed: true, Until: last.Number + 1, Progress: progress})
	if err != nil {
		return err
	}
	if err := errors.Join(f.Follow(ctx), f.Close()); err != nil {
		return err
	}
	r, err := auditFolder(ctx, to, last.Key, true, nil, progress)
	d.Books = r.Books
	if got := (netkit.TreeHead{Size: r.Entries, Root: r.Root}); err == nil && got != d.Tree {
		err = fmt.Errorf("%w: its entries have the root %s, and its last object has %s", backup.ErrDamaged, got.Root, d.Tree.Root)
	}
	return err
}
