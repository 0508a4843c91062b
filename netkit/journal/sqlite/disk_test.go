package sqlite

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// badDisk is the system's file layer with a write-ahead log that fails when
// told to.
type badDisk struct {
	vfs.VFS
	sync, write atomic.Pointer[error] // what syncing or writing the log returns
}

func (d *badDisk) Open(name string, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	return d.OpenFilename(nil, flags)
}

func (d *badDisk) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	f, flags, err := d.VFS.(vfs.VFSFilename).OpenFilename(name, flags)
	if err != nil {
		return nil, flags, err
	}
	if flags&vfs.OPEN_WAL != 0 {
		return &badLog{File: f, disk: d}, flags, nil
	}
	return f, flags, nil
}

type badLog struct {
	vfs.File
	disk *badDisk
}

func (f *badLog) Sync(flags vfs.SyncFlag) error {
	// The frames are in the file by now: a crash may or may not keep them.
	if err := f.disk.sync.Load(); err != nil {
		return *err
	}
	return f.File.Sync(flags)
}

func (f *badLog) WriteAt(p []byte, off int64) (int, error) {
	if err := f.disk.write.Load(); err != nil {
		return 0, *err
	}
	return f.File.WriteAt(p, off)
}

func openBadDisk(t *testing.T) (*badDisk, *Store) {
	disk := &badDisk{VFS: vfs.Find("os")}
	name := "bad disk of " + t.Name()
	vfs.Register(name, disk)
	t.Cleanup(func() { vfs.Unregister(name) })
	return disk, openDir(t, Config{Dir: t.TempDir(), VFS: name})
}

// TestDoubtful lets the sync of a commit fail: the outcome is unknown, readers
// see nothing of it, and repeating the identical batch settles it.
func TestDoubtful(t *testing.T) {
	disk, s := openBadDisk(t)
	head := journaltest.MustAppend(t, s, journal.Head{}, journal.Batch{Records: journaltest.Records(0, 5)})
	batch := journal.Batch{Records: journaltest.Records(5, 100), Nodes: []journal.Node{{Index: 8}}, Erase: []uint64{1}}
	broken := errors.New("the controller is gone")
	disk.sync.Store(&broken)
	for range 3 {
		if _, err := s.Append(t.Context(), head, batch); !errors.Is(err, journal.ErrDoubtful) || !errors.Is(err, sqlite3.IOERR) {
			t.Fatalf("got %v, want %v", err, journal.ErrDoubtful)
		}
		if diff := cmp.Diff(journaltest.Records(0, 5), journaltest.ReadAll(t, s, 0, 1000)); diff != "" {
			t.Errorf("a doubtful batch shows (-want +got):\n%s", diff)
		}
	}
	disk.sync.Store(nil)
	journaltest.MustAppend(t, s, head, batch)
	want := journaltest.Records(0, 105)
	want[1].Private = nil
	if diff := cmp.Diff(want, journaltest.ReadAll(t, s, 0, 1000)); diff != "" {
		t.Errorf("after repeating (-want +got):\n%s", diff)
	}
}

// TestFullLog lets the log find no room, which is definite.
func TestFullLog(t *testing.T) {
	disk, s := openBadDisk(t)
	head := journaltest.MustAppend(t, s, journal.Head{}, journal.Batch{Records: journaltest.Records(0, 5)})
	full := error(sqlite3.FULL)
	disk.write.Store(&full)
	for range 3 {
		if _, err := s.Append(t.Context(), head, journal.Batch{Records: records(5, 100)}); !errors.Is(err, journal.ErrFull) || errors.Is(err, journal.ErrDoubtful) {
			t.Fatalf("got %v, want %v", err, journal.ErrFull)
		}
	}
	if _, err := s.Append(t.Context(), head, journal.Batch{}); !errors.Is(err, journal.ErrFull) {
		t.Fatalf("asked whether there is room: got %v, want %v", err, journal.ErrFull)
	}
	disk.write.Store(nil)
	if _, err := s.Append(t.Context(), head, journal.Batch{}); err != nil {
		t.Fatalf("asked again: got %v", err)
	}
	journaltest.MustAppend(t, s, head, journal.Batch{Records: journaltest.Records(5, 5)})
	if diff := cmp.Diff(journaltest.Records(0, 10), journaltest.ReadAll(t, s, 0, 1000)); diff != "" {
		t.Errorf("after making room (-want +got):\n%s", diff)
	}
}
