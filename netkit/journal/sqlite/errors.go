package sqlite

import (
	"errors"
	"fmt"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal"
)

// classify names the class of an SQLite error by its code. Whatever has no
// class of its own comes through as it is, which makes it definite.
func classify(path string, err error) error {
	if err == nil || isJournal(err) {
		return err
	}
	if errors.Is(diskError(err), journal.ErrFull) {
		return fmt.Errorf("%w: writing %s; make room, nothing of the batch was written: %w", journal.ErrFull, path, err)
	}
	switch code(err) {
	case sqlite3.FULL:
		return fmt.Errorf("%w: writing %s; make room, nothing of the batch was written: %w", journal.ErrFull, path, err)
	case sqlite3.BUSY, sqlite3.LOCKED:
		return fmt.Errorf("%w: another program holds %s; close it: %w", journal.ErrLocked, path, err)
	case sqlite3.READONLY, sqlite3.PERM, sqlite3.AUTH:
		return fmt.Errorf("%w: may not write %s and the files beside it; change their owner or permissions: %w", journal.ErrNotWritable, path, err)
	case sqlite3.CANTOPEN:
		return fmt.Errorf("%w: cannot open %s; see that it exists, is a file, and that its folder may be written to: %w", journal.ErrNotWritable, path, err)
	case sqlite3.NOTADB, sqlite3.CORRUPT, sqlite3.FORMAT:
		return fmt.Errorf("%w: %s is damaged or no database; move it away or restore a backup: %w", journal.ErrNotJournal, path, err)
	}
	return fmt.Errorf("journal: %s: %w", path, err)
}

// commitError classifies a failed COMMIT. SQLite has rolled back in memory, but
// where the failure came after the last frame was handed to the system, a crash
// now would bring the batch back from the write-ahead log.
//
// A full disk is definite: it fails the write of a frame, the last of which is
// what makes the batch count. A failed sync is an I/O error, also for want of
// room. So is busy: COMMIT then has not begun.
func commitError(path string, err error) error {
	switch code(err) {
	case sqlite3.FULL, sqlite3.BUSY:
		return classify(path, err)
	}
	return fmt.Errorf("%w: committing to %s: %w", journal.ErrDoubtful, path, err)
}

// code is the primary result code of an error, 0 if it is none of SQLite's.
func code(err error) sqlite3.ErrorCode {
	var c sqlite3.ErrorCode
	if errors.As(err, &c) {
		return c
	}
	var x sqlite3.ExtendedErrorCode
	if errors.As(err, &x) {
		return sqlite3.ErrorCode(x & 0xff)
	}
	return 0
}

// isJournal reports whether err already has a class.
func isJournal(err error) bool {
	for _, class := range []error{journal.ErrHeadMoved, journal.ErrBadBatch, journal.ErrNotJournal, journal.ErrNewer,
		journal.ErrClosed, journal.ErrNotFound, journal.ErrNotWritable, journal.ErrDoubtful, journal.ErrFull, journal.ErrLocked, journal.ErrMoved} {
		if errors.Is(err, class) {
			return true
		}
	}
	return false
}
