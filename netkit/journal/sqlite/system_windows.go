package sqlite

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/windows"

	"github.com/agentnet/netctl/netkit/journal"
)

// tryLock takes the lock on f without waiting, shared or for itself alone. It
// goes with the file handle, so the system releases it when the process dies.
func tryLock(f *os.File, shared bool) (held bool, err error) {
	var flags uint32 = windows.LOCKFILE_FAIL_IMMEDIATELY
	if !shared {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err = windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// syncDir does nothing: Windows writes the names in a folder through.
func syncDir(string) error { return nil }

// diskError names the class of a full disk.
func diskError(err error) error {
	if errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) {
		return fmt.Errorf("%w: %w", journal.ErrFull, err)
	}
	return err
}
