package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs"

	"github.com/agentnet/netctl/netkit/journal"
)

// A journal that nobody writes is read by a file layer of its own, which opens
// files for reading, creates none and takes no lock. The engine then keeps the
// index of the write-ahead log in its own memory, and so a backup on a read-only
// file system can be read, log included, and a folder stays as it was. What
// takes the place of locks is a look at the files after each read.

// stillVFS is that file layer.
type stillVFS struct{ vfs.VFS }

const stillName = "netkit-still"

// stillPragma makes the engine keep its index in memory instead of a file. It
// has to come before the first look at the database.
const stillPragma = "PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY;"

// besideVFS is the file layer of a reader beside a writer: the system's, with its
// locks and shared memory, but it makes no file, and opens for reading what the
// reader may not write.
type besideVFS struct{ vfs.VFSFilename }

const besideName = "netkit-beside"

// OpenFilename implements vfs.VFSFilename.
func (v besideVFS) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	if flags&vfs.OPEN_WAL == 0 {
		return v.VFSFilename.OpenFilename(name, flags)
	}
	flags &^= vfs.OPEN_CREATE
	f, out, err := v.VFSFilename.OpenFilename(name, flags)
	if errors.Is(err, fs.ErrPermission) {
		return v.VFSFilename.OpenFilename(name, flags&^vfs.OPEN_READWRITE|vfs.OPEN_READONLY)
	}
	return f, out, err
}

// registerReading makes the engine know both file layers.
var registerReading = sync.OnceFunc(func() {
	vfs.Register(stillName, stillVFS{vfs.Find("os")})
	if system, ok := vfs.Find("os").(vfs.VFSFilename); ok {
		vfs.Register(besideName, besideVFS{system})
	}
})

// Open implements vfs.VFS.
func (v stillVFS) Open(name string, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	if flags&(vfs.OPEN_MAIN_DB|vfs.OPEN_WAL) == 0 {
		return nil, flags, sqlite3.CANTOPEN
	}
	flags = flags&^(vfs.OPEN_READWRITE|vfs.OPEN_CREATE) | vfs.OPEN_READONLY
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) && flags&vfs.OPEN_WAL != 0 {
		return stillFile{}, flags, nil // a log without a record
	}
	if err != nil {
		return nil, flags, err
	}
	return stillFile{f}, flags, nil
}

// Delete implements vfs.VFS.
func (stillVFS) Delete(string, bool) error { return sqlite3.IOERR_DELETE }

// stillFile is a file of the journal; nil is an empty one.
type stillFile struct{ *os.File }

func (f stillFile) ReadAt(p []byte, off int64) (int, error) {
	if f.File == nil {
		return 0, io.EOF
	}
	return f.File.ReadAt(p, off)
}

func (f stillFile) Size() (int64, error) {
	if f.File == nil {
		return 0, nil
	}
	info, err := f.File.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (f stillFile) Close() error {
	if f.File == nil {
		return nil
	}
	return f.File.Close()
}

func (stillFile) WriteAt([]byte, int64) (int, error)              { return 0, sqlite3.READONLY }
func (stillFile) Truncate(int64) error                            { return sqlite3.READONLY }
func (stillFile) Sync(vfs.SyncFlag) error                         { return nil }
func (stillFile) Lock(vfs.LockLevel) error                        { return nil }
func (stillFile) Unlock(vfs.LockLevel) error                      { return nil }
func (stillFile) CheckReservedLock() (bool, error)                { return false, nil }
func (stillFile) SectorSize() int                                 { return 0 }
func (stillFile) DeviceCharacteristics() vfs.DeviceCharacteristic { return vfs.IOCAP_SUBPAGE_READ }

// still is how the files of a journal stood when it was opened.
type still struct{ db, log stamp }

// stamp is what a write changes about a file; the zero stamp is that of none.
type stamp struct {
	size int64
	at   time.Time
}

func stampOf(path string) (stamp, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return stamp{}, nil
	}
	if err != nil {
		return stamp{}, err
	}
	return stamp{info.Size(), info.ModTime()}, nil
}

// stands returns how the files of the database at path stand.
func stands(path string) (now still, err error) {
	if now.db, err = stampOf(path); err == nil {
		now.log, err = stampOf(path + "-wal")
	}
	return now, err
}

// check refuses what was read if somebody wrote meanwhile.
func (s *still) check(path string) error {
	now, err := stands(path)
	if err == nil && now != *s {
		err = fmt.Errorf("%w: another process began to write %s while it was read; read it again", journal.ErrLocked, path)
	}
	return err
}

// sharing reports whether the files are there by which a writer shares the
// database at path. Without them the engine would make them.
func sharing(path string) (bool, error) {
	for _, name := range []string{path + "-wal", path + "-shm"} {
		if at, err := stampOf(name); err != nil || at == (stamp{}) {
			return false, err
		}
	}
	return true, nil
}

// lookForWriter settles whether to read beside a writer or files that stand
// still. A writer that is just opening or closing has no files to share yet or
// any more, so it is waited for.
func (s *Store) lookForWriter(ctx context.Context) error {
	for range 200 {
		now, err := stands(s.path)
		if err != nil {
			return err
		}
		writes, err := written(s.dir)
		if err != nil {
			return err
		}
		if !writes {
			s.was = &now
			return nil
		}
		if there, err := sharing(s.path); there || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
	return fmt.Errorf("%w: another process holds %s and has not opened the journal; wait for it or stop it", journal.ErrLocked, s.dir)
}
