package sqlite

import (
	"sync"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs"
)

// busyTimeout is how long the writer waits for another program's write.
const busyTimeout = 2 * time.Second

// patience is how many times its limit the log may grow before the readers are
// held up.
const patience = 4

// logKeeper moves the write-ahead log into the database, once commits have left it longer
// than the limit, so that it can be written from its start again.
//
// Moving 16 MiB was seen to take 75 to 170 ms. So a goroutine does it on a connection of
// its own, while commits continue behind the pages that it moves, and again until few are
// left; a commit moves the last ones, since only then is the log written from its start.
//
// SQLite by itself does so only at an instant when nobody reads: beside four
// readers that never paused the log was seen to grow larger than the database.
// When it asks readers to drain it polls, and was seen to wait out its 2 s. So a
// log which has grown too long makes the readers of this process wait for one
// checkpoint, which is a matter of milliseconds.
type logKeeper struct {
	limit   int           // pages
	last    int           // pages that a commit moves by itself
	readers *sync.RWMutex // held for reading by every read
	// emptyAt is when to try again to empty a log that holds pages from before an
	// erasure, since a reader in another process was in the way. Zero is never.
	emptyAt time.Time

	dial   func() (*sqlite3.Conn, error) // the connection of the goroutine
	moving sync.Mutex                    // held while pages are moved, and before readers
	moved  int                           // pages of the log, by the latest move; guarded by moving
	due    chan struct{}                 // wakes the goroutine
	done   chan struct{}                 // closed when the goroutine has ended
}

// start begins to move logs. A commit calls committed.
func (k *logKeeper) start() {
	k.due, k.done = make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(k.done)
		var c *sqlite3.Conn
		for range k.due {
			c = k.moveLog(c)
		}
		if c != nil {
			_ = c.Close()
		}
	}()
}

// stop ends the goroutine. No commit comes after it.
func (k *logKeeper) stop() {
	close(k.due)
	<-k.done
}

// moveLog moves the pages that are committed by now, and returns the connection for the
// next time. It syncs the database, or else the commit that moves the last pages waits for
// all of them. A later commit asks again after an error.
func (k *logKeeper) moveLog(c *sqlite3.Conn) *sqlite3.Conn {
	k.moving.Lock()
	defer k.moving.Unlock()
	if c == nil {
		var err error
		if c, err = k.dial(); err != nil {
			return nil
		}
	}
	k.movePages(c)
	if file, err := c.FileControl("main", sqlite3.FCNTL_FILE_POINTER); err == nil {
		if file, ok := file.(vfs.File); ok {
			_ = file.Sync(vfs.SYNC_NORMAL)
		}
	}
	return c
}

// movePages moves pages as long as no reader is in the way.
func (k *logKeeper) movePages(c *sqlite3.Conn) {
	if _, moved, err := c.WALCheckpoint("main", sqlite3.CHECKPOINT_PASSIVE); err == nil {
		k.moved = moved
	}
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
	if pages >= patience*k.limit {
		_ = k.drainLog(c, sqlite3.CHECKPOINT_RESTART)
		return nil
	}
	if !k.moving.TryLock() { // the goroutine is at it
		return nil
	}
	defer k.moving.Unlock()
	switch {
	case pages < k.limit:
		k.moved = 0
	case pages-k.moved <= k.last:
		k.movePages(c)
	default:
		select {
		case k.due <- struct{}{}:
		default:
		}
	}
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
	k.moving.Lock()
	defer k.moving.Unlock()
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
