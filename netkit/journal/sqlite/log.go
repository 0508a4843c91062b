package sqlite

import (
	"sync"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// busyTimeout is how long the writer waits for another program's write.
const busyTimeout = 2 * time.Second

// patience is how many times its limit the log may grow before the readers are
// held up.
const patience = 4

// logKeeper moves the write-ahead log into the database, after commits that
// left it longer than the limit, so that it can be written from its start again.
//
// SQLite by itself does so only at an instant when nobody reads: beside four
// readers that never paused the log was seen to grow larger than the database.
// When it asks readers to drain it polls, and was seen to wait out its 2 s. So a
// log which has grown too long makes the readers of this process wait for one
// checkpoint, which is a matter of milliseconds.
type logKeeper struct {
	limit   int           // pages
	readers *sync.RWMutex // held for reading by every read
}

// committed is the hook after a commit, given the length of the log in pages.
// The commit is durable whatever becomes of the checkpoint, so errors are left
// to the next one.
func (k *logKeeper) committed(c *sqlite3.Conn, _ string, pages int) error {
	if pages < k.limit {
		return nil
	}
	if pages < patience*k.limit {
		_, _, _ = c.WALCheckpoint("main", sqlite3.CHECKPOINT_PASSIVE)
		return nil
	}
	k.drain(c, sqlite3.CHECKPOINT_RESTART)
	return nil
}

// drain moves the log into the database while no reader of this process holds
// it up. Readers in other processes are not waited for.
func (k *logKeeper) drain(c *sqlite3.Conn, mode sqlite3.CheckpointMode) {
	k.readers.Lock()
	defer k.readers.Unlock()
	_ = c.BusyTimeout(0) // cannot fail on an open connection
	_, _, _ = c.WALCheckpoint("main", mode)
	_ = c.BusyTimeout(busyTimeout)
}
