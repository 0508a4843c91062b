package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

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
	held, err := lockSoon(f)
	if err == nil && !held {
		err = fmt.Errorf("%w: %s is being written by another process; stop that one, or choose another folder", journal.ErrLocked, dir)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// lockSoon takes the lock. A reader that asks whether somebody writes holds it
// for an instant, which must not keep a server from starting.
func lockSoon(f *os.File) (held bool, err error) {
	for range 5 {
		if held, err = tryLock(f, false); held || err != nil {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	return held, err
}

// written reports whether a process has the journal of dir open for writing. It
// makes and changes no file. A file system without locks has no writer to tell:
// a reader finds out by what changes.
func written(dir string) (bool, error) {
	f, err := os.Open(lockPath(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("journal: reading the lock of %s: %w", dir, err)
	}
	defer f.Close()
	free, err := tryLock(f, true)
	return !free && err == nil, nil
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
