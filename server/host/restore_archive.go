package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/archive"
	"github.com/agentnet/netctl/netkit/backup"
	"github.com/agentnet/netctl/netkit/proof"
)

// StageArchive unpacks an archive for a folder that is missing or empty, as [Stage]
// does with a backup: all of it, or the objects whose last entry is not after at. The
// address is kept for the steps that follow.
func StageArchive(ctx context.Context, store archive.Store, address string, ids []age.Identity, dir string, at time.Time, progress func(done, total uint64)) (m backup.Manifest, err error) {
	last, err := lastBefore(ctx, store, at)
	if err != nil {
		return m, err
	}
	m = manifestOf(last)
	begun := stage{Manifest: m, Archive: address}
	staged, err := prepareStage(dir, &begun)
	if err != nil {
		return m, err
	}
	if err := unpackArchive(ctx, store, ids, staged, last, progress); err != nil {
		return m, err
	}
	if err := syncFolders(staged); err != nil {
		return m, err
	}
	begun.Whole = true
	return m, writeStage(staged, &begun)
}

// lastBefore returns the last object whose last entry is not after at; of all, if at
// is zero.
func lastBefore(ctx context.Context, store archive.Store, at time.Time) (*archive.Header, error) {
	tail, err := archive.Tail(ctx, store)
	if errors.Is(err, archive.ErrNotFound) {
		return nil, fmt.Errorf("host: %s holds no archive: %w", store, err)
	}
	if err != nil || at.IsZero() {
		return headerOf(tail), err
	}
	last, err := archive.Last(ctx, store, tail, func(h *archive.Header) (bool, error) { return h.Last <= netkit.At(at), nil })
	if err == nil && last == nil {
		err = fmt.Errorf("host: %s begins after %s", store, at.UTC().Format(time.RFC3339))
	}
	return last, err
}

func headerOf(o *archive.Object) *archive.Header {
	if o == nil {
		return nil
	}
	return &o.Header
}

func manifestOf(h *archive.Header) backup.Manifest {
	return backup.Manifest{Version: backup.Version, Network: h.Network, Key: h.Key, At: h.At, Tree: h.Tree, Tip: h.Tip, LastEntry: h.Last}
}

// unpackArchive follows an archive into an empty folder, up to an object.
func unpackArchive(ctx context.Context, store archive.Store, ids []age.Identity, dir string, last *archive.Header, progress func(done, total uint64)) error {
	f, err := OpenFollower(ctx, FollowConfig{Dir: dir, Store: store, IDs: ids, Until: last.Number + 1, Progress: func(done, _ uint64) {
		if progress != nil {
			progress(done, last.Tree.Size)
		}
	}})
	if err != nil {
		return err
	}
	err = f.Follow(ctx)
	if err == nil && f.Tree() != last.Tree {
		err = fmt.Errorf("%w: %s ends with %d entries, and object %d ends with %d", archive.ErrDamaged, store, f.Tree().Size, last.Number, last.Tree.Size)
	}
	return errors.Join(err, f.Close())
}

// StagedArchive returns the address of the archive that is staged for dir, "" for a
// backup.
func StagedArchive(dir string) (string, error) {
	s, err := readStage(StagedDir(dir))
	if err != nil {
		return "", err
	}
	return s.Archive, nil
}

// ReadLaterArchive reads the erasures beyond the staged restore of dir from an archive
// of the same network.
func ReadLaterArchive(ctx context.Context, dir string, store archive.Store) (*Later, error) {
	s, err := readStage(StagedDir(dir))
	if err != nil {
		return nil, err
	}
	tail, err := archive.Tail(ctx, store)
	if err != nil {
		return nil, err
	}
	l := &Later{Tree: tail.Tree}
	if tail.Tree.Size < s.Tree.Size {
		return l, nil
	}
	from, err := archive.Last(ctx, store, tail, func(h *archive.Header) (bool, error) { return h.Tree.Size <= s.Tree.Size, nil })
	if err != nil {
		return nil, err
	}
	next := uint64(0)
	if from != nil {
		if from.Tree.Size == s.Tree.Size && from.Tree.Root != s.Tree.Root {
			return nil, errForked(store.String())
		}
		next = from.Number + 1
	}
	for o, err := range archive.NewReader(store, nil).Objects(ctx, next) {
		if err != nil {
			return nil, err
		}
		for i, public := range o.Public {
			if seq := o.First + uint64(i); seq >= s.Tree.Size {
				if err := l.add(seq, public); err != nil {
					return nil, err
				}
			}
		}
	}
	return l, checkTail(s, &tail.Header)
}

// checkTail compares the newest checkpoint in an archive with the key of the log.
func checkTail(s *stage, tail *archive.Header) error {
	if s.Key == "" || tail.Checkpoint == "" {
		return nil
	}
	policy, err := proof.NewPolicy(s.Key, nil, 0)
	if err != nil {
		return err
	}
	if _, err := proof.OpenCheckpoint(policy, []byte(tail.Checkpoint)); err != nil {
		return fmt.Errorf("host: the checkpoint in the archive is not signed by the network: %w", err)
	}
	return nil
}
