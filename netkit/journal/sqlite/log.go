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
	// emptyAt is when to try again to empty a log that holds pages from before an
	// erasure, since a reader in another process was in the way. Zero is never.
	emptyAt time.Time
}

// emptyPause lies between two tries to empty the log.
const emptyPause = time.Second

// committed is the hook after a commit, given the length of the log in pages.
// The commit is durable whatever becomes of the checkpoint, so errors are left
// to the next one.
func (k *logKeeper) committed(c *sqlite3.Conn, _ string, pages int) error {
	if !k.emptyAt.IsZero() && time.Now().After(k.emptyAt) {
		k.emptyLog(c)
		return nil
	}
	if pages < k.limit {
		return nil
	}
	if pages < patience*k.limit {
		_, _, _ = c.WALCheckpoint("main", sqlite3.CHECKPOINT_PASSIVE)
		return nil
	}
	_ = k.drainLog(c, sqlite3.CHECKPOINT_RESTART)
	return nil
}

// emptyLog moves the whole log into the database and cuts it, so that no file holds
// pages as they were. Where a reader in another process is in the way, a later
// commit or the next start tries again.
func (k *logKeeper) emptyLog(c *sqlite3.Conn) { k.retry(k.drainLog(c, sqlite3.CHECKPOINT_TRUNCATE)) }

// retry sets when to empty the log again after a try that ended with err.
func (k *logKeeper) retry(err error) {
	k.emptyAt = time.Time{}
	if err != nil {
		k.emptyAt = time.Now().Add(emptyPause)
	}
}

// drainLog moves the log into the database while no reader of this process holds
// it up. Readers in other processes are not waited for.
func (k *logKeeper) drainLog(c *sqlite3.Conn, mode sqlite3.CheckpointMode) error {
	k.readers.Lock()
	defer k.readers.Unlock()
	return checkpoint(c, mode)
}

// checkpoint moves the log into the database without waiting for readers.
func checkpoint(c *sqlite3.Conn, mode sqlite3.CheckpointMode) error {
	_ = c.BusyTimeout(0) // cannot fail on an open connection
	_, _, err := c.WALCheckpoint("main", mode)
	_ = c.BusyTimeout(busyTimeout)
	return err
}
