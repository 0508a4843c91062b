// Package sqlite keeps a journal in one SQLite file, without cgo.
//
// Start with [Open]. The file, journal.db in the folder of [Config], is in WAL
// mode with synchronous=FULL: an append that returned nil survives a power cut, but
// for a journal that is [Config].Copied.
// One connection writes; others read beside it, and no read makes the writer
// wait, but for the instant when a log that grew too long is emptied. A lock
// file keeps a second process from writing at all. Triggers keep the tables
// append only for any program that opens the file, the sqlite3 shell included;
// they are a guard against accidents, since whoever may write the file can also
// drop a trigger.
//
// # Form
//
// A batch is one row: its public parts, its private parts encrypted (see package
// seal), the Merkle nodes that it completes, and the head before and after it. No
// row is ever changed but one of the table of keys: an erasure replaces the keys
// of a batch. The view journal shows a line of JSON an entry at the sqlite3 shell:
//
//	sqlite3 journal.db 'SELECT entry FROM journal WHERE seq = 12'
//
// A journal of an older version is read as it is, and rewritten when it is opened
// for writing; see [KeptCopy].
//
// # Cost
//
// BenchmarkAppend and BenchmarkRead measure records of 420 bytes public and 350
// private. On 2026-11-23, on two shared cores and a folder in memory, in processor
// time and bytes on disk a record; in brackets version 2, a row an entry in the clear:
//
//	batch of   1:  24 µs, 1,060 bytes   (27 µs, 837 bytes)
//	batch of   8: 6.3 µs, 1,030 bytes   (7.0 µs, 822 bytes)
//	batch of  32: 3.6 µs,   845 bytes   (4.1 µs, 821 bytes)
//	batch of  64: 3.3 µs,   842 bytes   (3.5 µs, 821 bytes)
//	batch of 256: 2.9 µs,   833 bytes   (3.2 µs, 821 bytes)
//	Read: 1.25 µs (0.45 µs); opening the private part takes 0.7
//
// Of the bytes, 32 a record are its leaf hash and 16 the proof that its private
// part is whole. BenchmarkTuning compares sizes of pages and of the log. Since the
// log is written in large pieces, pages of 4 KiB cost no more than larger ones, and
// waste less: at batches of 32, pages of 16 KiB take 1,030 bytes a record.
package sqlite

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
)

// Config says which journal to open.
type Config struct {
	// Dir is the folder of the journal; it is made with mode 0700 if missing.
	Dir string
	// ReadOnly opens an existing journal without the lock, and makes no file in
	// its folder. What writes then returns journal.ErrNotWritable. Where another
	// process writes, it reads beside it; where nobody does, the folder may be
	// on a read-only file system, and reads return journal.ErrLocked once
	// somebody begins to write.
	ReadOnly bool
	// Existing opens a journal for writing only if there is one: a folder without
	// one gives journal.ErrNotFound. Where the disk has no room for the files that
	// the engine writes beside the database, the journal is opened all the same:
	// it can be read, each Append returns journal.ErrFull, and the first one that
	// finds room succeeds.
	Existing bool
	// VFS names the file layer of the engine, for simulations of failing disks;
	// empty means the system's. The lock and the snapshots do not go through it.
	VFS string
	// Progress is called now and then while a journal of an older version is
	// rewritten, with the entries done so far and their total; nil shows nothing.
	Progress func(done, total uint64)
	// ErasedLater reports whether an entry was erased after the last one that this
	// journal holds, as where it was restored to an earlier moment; nil knows of none.
	// See [journal.LaterErasures].
	ErasedLater func(seq uint64) bool
	// Copied is set where the entries are durable elsewhere, as in the engine that a node
	// follows. An append is then not synced: a power cut may take the latest batches, from
	// the end, which are copied again. [Store.Sync] makes durable the batches so far; a
	// snapshot and Close do so too, and an erasure unless another process reads.
	Copied bool
	// Rand is where the secrets of sealed private parts come from; nil means
	// crypto/rand.
	Rand io.Reader
	// Now is the clock that dates the copy of an older version; nil means time.Now.
	Now func() time.Time

	disk disk // nil means the system's
}

// Store is a journal.Store in a folder. Make one with [Open].
type Store struct {
	dir    string
	path   string // of the database
	name   string // the URI by which readers are opened
	own    string // the URI of the writer
	fresh  string // the URI of a journal that is being made
	tune   tuning
	create bool // make a missing journal
	disk   disk
	random io.Reader
	later  func(seq uint64) bool // nil knows of no later erasure
	clock  func() time.Time
	report func(done, total uint64) // of a migration, never nil
	lock   *os.File                 // nil when read only
	was    *still                   // nil where somebody writes; guarded by gate after Open

	// life is held for reading by every operation and for writing by Close.
	life   sync.RWMutex
	closed bool

	rewrote  atomic.Int32               // the version that the journal had when it was opened, if another
	outdated int                        // the version of a journal opened for reading, if another
	files    atomic.Pointer[[]openFile] // files that the writer has open, to notice when one goes

	writing sync.Mutex // one append at a time
	w       *writer    // nil when read only, and while there is no room to open it; guarded by writing after Open

	readers pool
	gate    sync.RWMutex // held for reading by every read; see logKeeper
}

var _ journal.Store = (*Store)(nil)

// tuning holds the sizes that the benchmarks vary.
type tuning struct {
	pageBytes      int // of a database page
	cacheBytes     int // page cache of the writer
	checkpointSize int // pages in the write-ahead log at which they are moved to the database
	lastPages      int // of them, that a commit moves
	synchronous    string
	pragmas        string
}

// measured is the tuning that came out best; see BenchmarkTuning.
var measured = tuning{pageBytes: 4096, cacheBytes: 16 << 20, checkpointSize: 1024, lastPages: 64, synchronous: "FULL"}

// Rewrote returns the schema version of the journal before this store rewrote it
// for the newest one, and 0 where there was nothing to rewrite.
func (s *Store) Rewrote() int { return int(s.rewrote.Load()) }

// Outdated returns the schema version of a journal that was opened for reading and
// that the next opening for writing rewrites, and 0 for a journal of the newest version.
func (s *Store) Outdated() int { return s.outdated }

// Close implements journal.Store. It moves the write-ahead log into the
// database and releases the lock.
func (s *Store) Close() error {
	s.life.Lock()
	defer s.life.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	err := s.readers.close()
	if s.w != nil {
		err = errors.Join(err, s.sync(), s.w.close())
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
	}
	return err
}

// enter begins an operation, which ends with leave. Close waits for all of them.
// No operation may begin another one: it would wait for a Close that waits for
// it.
func (s *Store) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.life.RLock()
	if s.closed {
		s.life.RUnlock()
		return journal.ErrClosed
	}
	return nil
}

func (s *Store) leave() { s.life.RUnlock() }
