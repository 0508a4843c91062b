package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit/journal"
)

// A snapshot is a file named after its size. While it is written it has a
// temporary name, so whatever has the final name is whole.
const (
	snapshotPrefix  = "snapshot-"
	snapshotSuffix  = ".snap"
	temporarySuffix = ".tmp"
)

// WriteSnapshot implements journal.Store.
func (s *Store) WriteSnapshot(ctx context.Context, size uint64, write func(io.Writer) error) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.leave()
	if s.lock == nil {
		return fmt.Errorf("%w: %s was opened for reading only", journal.ErrNotWritable, s.dir)
	}
	if err := s.InPlace(); err != nil {
		return err // another journal may be there by now
	}
	if err := s.sync(); err != nil {
		return err
	}
	name := filepath.Join(s.dir, snapshotPrefix+strconv.FormatUint(size, 10)+snapshotSuffix)
	if err := s.writeWhole(name, write); err != nil {
		return fmt.Errorf("journal: writing the snapshot at %d into %s: %w", size, s.dir, diskError(err))
	}
	return errors.Join(s.removeOlder(), s.removeExpired())
}

// writeWhole makes the file name hold what write writes, or changes nothing.
func (s *Store) writeWhole(name string, write func(io.Writer) error) (err error) {
	f, err := s.disk.CreateTemp(s.dir, snapshotPrefix+"*"+temporarySuffix)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
			_ = s.disk.Remove(f.Name()) // or the next Open does
		}
	}()
	buf := bufio.NewWriterSize(f, 256<<10)
	if err = write(buf); err != nil {
		return err
	}
	if err = buf.Flush(); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = s.disk.Rename(f.Name(), name); err != nil {
		return err
	}
	if err = s.disk.SyncDir(s.dir); err != nil {
		return err
	}
	return f.Close()
}

// ReadSnapshot implements journal.Store.
func (s *Store) ReadSnapshot(ctx context.Context) (uint64, io.ReadCloser, error) {
	if err := s.enter(ctx); err != nil {
		return 0, nil, err
	}
	defer s.leave()
	for {
		sizes, err := s.snapshots()
		if err != nil {
			return 0, nil, err
		}
		newest, ok := greatest(sizes)
		if !ok {
			return 0, nil, journal.ErrNoSnapshot
		}
		f, err := os.Open(filepath.Join(s.dir, sizes[newest]))
		if errors.Is(err, fs.ErrNotExist) {
			continue // a newer one took its place just now
		}
		if err != nil {
			return 0, nil, folderError(s.dir, err)
		}
		return newest, f, nil
	}
}

// snapshots lists the snapshots in the folder: size to file name.
func (s *Store) snapshots() (map[uint64]string, error) {
	files, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, folderError(s.dir, err)
	}
	sizes := make(map[uint64]string)
	for _, f := range files {
		digits, ok := strings.CutPrefix(f.Name(), snapshotPrefix)
		digits, whole := strings.CutSuffix(digits, snapshotSuffix)
		if size, err := strconv.ParseUint(digits, 10, 64); ok && whole && err == nil {
			sizes[size] = f.Name()
		}
	}
	return sizes, nil
}

func greatest(sizes map[uint64]string) (newest uint64, ok bool) {
	for size := range sizes {
		newest, ok = max(newest, size), true
	}
	return newest, ok
}

// removeOlder deletes all snapshots but the newest.
func (s *Store) removeOlder() error {
	sizes, err := s.snapshots()
	if err != nil {
		return err
	}
	newest, _ := greatest(sizes)
	for size, name := range sizes {
		if size == newest {
			continue
		}
		// Another call may have been faster.
		if err := s.disk.Remove(filepath.Join(s.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return folderError(s.dir, err)
		}
	}
	return nil
}

// removeTemporary deletes what a crash left half written. Only the holder of
// the lock may: nobody else is writing a snapshot then.
func removeTemporary(disk disk, dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		snapshot := strings.HasPrefix(f.Name(), snapshotPrefix) && strings.HasSuffix(f.Name(), temporarySuffix)
		if !snapshot && !strings.HasPrefix(f.Name(), "journal.db"+newSuffix) {
			continue
		}
		if err := disk.Remove(filepath.Join(dir, f.Name())); err != nil {
			return err
		}
	}
	return nil
}
