package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agentnet/netctl/netkit/journal"
)

func lockPath(dir string) string { return filepath.Join(dir, "journal.lock") }

// LockFolder makes this process the only writer of dir until the file that it
// returns is closed. The lock is a file of its own, since SQLite allows several
// writers, taking turns, and the network wants one.
func LockFolder(dir string) (*os.File, error) {
	f, err := os.OpenFile(lockPath(dir), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, folderError(dir, err)
	}
	held, err := tryLock(f)
	if err == nil && !held {
		err = fmt.Errorf("%w: %s is being written by another process; stop that one, or choose another folder", journal.ErrLocked, dir)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// folderError says what to do about a folder that cannot be used.
func folderError(dir string, err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: may not write to %s; change its owner or permissions, or choose another folder: %w", journal.ErrNotWritable, dir, err)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: there is no folder %s: %w", journal.ErrNotFound, dir, err)
	}
	return fmt.Errorf("journal: using the folder %s: %w", dir, err)
}
