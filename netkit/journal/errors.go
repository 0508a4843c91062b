package journal

import (
	"errors"
	"fmt"
)

// ErrDoubtful means that the outcome of an Append is unknown. No other error
// leaves open whether the batch was written.
var ErrDoubtful = errors.New("journal: the outcome of the write is unknown; repeat the identical batch on the same head")

// The definite errors: nothing was written.
var (
	// ErrHeadMoved: another writer appended, or a doubtful batch was written.
	// It comes as a *HeadMovedError.
	ErrHeadMoved = errors.New("journal: the head moved")
	// ErrBadBatch: the batch is wrong in itself; repeating it cannot help.
	ErrBadBatch = errors.New("journal: bad batch")
	// ErrFull: no room on the disk. The store stays usable.
	ErrFull = errors.New("journal: no room left on the disk")
	// ErrLowSpace: the disk has less room than is to be kept free. It is an ErrFull.
	ErrLowSpace = fmt.Errorf("%w that may be used", ErrFull)
	// ErrNotWritable: opened for reading, or the folder's permissions forbid it.
	ErrNotWritable = errors.New("journal: not writable")
	// ErrMoved: the files of the journal were removed or replaced under the
	// running store. Nothing is written until they are back.
	ErrMoved = errors.New("journal: its files were removed or replaced")
	// ErrLocked: another process has the journal open for writing.
	ErrLocked = errors.New("journal: in use by another process")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("journal: closed")
	// ErrNotFound: there is no such journal, or no such node.
	ErrNotFound = errors.New("journal: not found")
	// ErrNoSnapshot: no snapshot was written yet.
	ErrNoSnapshot = errors.New("journal: no snapshot")
	// ErrNotJournal: the file is no journal, is damaged, or was written by another
	// program than this store.
	ErrNotJournal error = damage("journal: not a sound journal")
	// ErrNewer: a later version of the program wrote the journal.
	ErrNewer = errors.New("journal: written by a newer version")
)

// damage is an error that reports a journal with other content than was written.
type damage string

func (d damage) Error() string { return string(d) }

// Damaged is how a package that knows no journal recognises the error.
func (damage) Damaged() bool { return true }

// HeadMovedError is the [ErrHeadMoved] that Append returns.
type HeadMovedError struct {
	Have Head // the head of the store
	Want Head // the one that the caller gave
}

func (e *HeadMovedError) Error() string {
	return fmt.Sprintf("journal: the head moved: the journal is at %d (%x), the append expected %d (%x); read back and decide again",
		e.Have.Size, e.Have.Tip[:4], e.Want.Size, e.Want.Tip[:4])
}

// Unwrap makes the error an [ErrHeadMoved].
func (e *HeadMovedError) Unwrap() error { return ErrHeadMoved }
