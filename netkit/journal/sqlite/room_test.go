package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// fullDisk is the system's file layer on a disk that has no room for another
// file, while told so.
type fullDisk struct {
	badDisk
	full atomic.Bool
}

func (d *fullDisk) Open(name string, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	return d.OpenFilename(nil, flags)
}

func (d *fullDisk) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	if d.full.Load() && flags&vfs.OPEN_WAL != 0 {
		return nil, flags, sqlite3.FULL
	}
	return d.badDisk.OpenFilename(name, flags)
}

func newFullDisk(t *testing.T) (*fullDisk, string) {
	disk := &fullDisk{badDisk: badDisk{VFS: vfs.Find("os")}}
	name := "full disk of " + t.Name()
	vfs.Register(name, disk)
	t.Cleanup(func() { vfs.Unregister(name) })
	return disk, name
}

// A journal on a disk without room for the files beside it is opened: it is
// read, also by many at a time, appends say that the disk is full, and the
// first one that finds room succeeds.
func TestOpenOnAFullDisk(t *testing.T) {
	disk, name := newFullDisk(t)
	dir := t.TempDir()
	s := openDir(t, Config{Dir: dir})
	head := journaltest.MustAppend(t, s, journal.Head{}, journal.Batch{Records: journaltest.Records(0, 300)})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	disk.full.Store(true)
	s = openDir(t, Config{Dir: dir, Existing: true, VFS: name})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range 5 {
				if diff := cmp.Diff(journaltest.Records(0, 300), journaltest.ReadAll(t, s, 0, 300)); diff != "" {
					t.Errorf("read on a full disk (-want +got):\n%s", diff)
				}
			}
		})
	}
	for range 3 {
		_, err := s.Append(t.Context(), head, journal.Batch{Records: journaltest.Records(300, 5)})
		if !errors.Is(err, journal.ErrFull) || !strings.Contains(err.Error(), "160 KiB of free space in "+dir) {
			t.Fatalf("got %v, want %v with the room that is needed", err, journal.ErrFull)
		}
	}
	disk.full.Store(false)
	head = journaltest.MustAppend(t, s, head, journal.Batch{Records: journaltest.Records(300, 5)})
	readers.Wait()
	if diff := cmp.Diff(journaltest.Records(0, 305), journaltest.ReadAll(t, s, 0, 1000)); diff != "" {
		t.Errorf("after making room (-want +got):\n%s", diff)
	}
	journaltest.MustAppend(t, s, head, journal.Batch{Records: journaltest.Records(305, 1)})
	if err := s.InPlace(); err != nil {
		t.Errorf("got %v, want the files in place", err)
	}
}

// A new journal is not begun on a full disk.
func TestCreateOnAFullDisk(t *testing.T) {
	disk, name := newFullDisk(t)
	disk.full.Store(true)
	dir := t.TempDir()
	if _, err := Open(t.Context(), Config{Dir: dir, VFS: name}); !errors.Is(err, journal.ErrFull) || !strings.Contains(err.Error(), dir) {
		t.Errorf("got %v, want %v naming %s", err, journal.ErrFull, dir)
	}
}

// Many reads at a time share a bounded number of connections.
func TestReadersAreBounded(t *testing.T) {
	s := openDir(t, Config{Dir: t.TempDir()})
	journaltest.MustAppend(t, s, journal.Head{}, journal.Batch{Records: journaltest.Records(0, 10)})
	var dials atomic.Int64
	dial := s.readers.dial
	s.readers.dial = func() (*reader, error) {
		dials.Add(1)
		return dial()
	}
	hold, held := make(chan struct{}), make(chan struct{}, 4*maxReaders)
	var all sync.WaitGroup
	for i := range 4 * maxReaders {
		all.Go(func() {
			err := s.reading(t.Context(), func(*reader) error {
				held <- struct{}{}
				<-hold
				return nil
			})
			if err != nil {
				t.Error(fmt.Errorf("reader %d: %w", i, err))
			}
		})
	}
	for range maxReaders {
		<-held
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := s.Head(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("beside %d reads: got %v, want one that waits", maxReaders, err)
	}
	if n := dials.Load(); n > maxReaders {
		t.Errorf("got %d connections, want at most %d", n, maxReaders)
	}
	close(hold)
	all.Wait()
	if _, err := s.Head(t.Context()); err != nil {
		t.Errorf("afterwards: got %v", err)
	}
}

// A write that finds no room is a full disk for the engine, and definite;
// another error stays open.
func TestFullCode(t *testing.T) {
	for _, test := range []struct{ err, want error }{
		{nil, nil},
		{&os.PathError{Op: "write", Err: errNoRoom}, sqlite3.FULL},
		{fs.ErrClosed, fs.ErrClosed},
	} {
		if got := fullCode(test.err); got != test.want {
			t.Errorf("%v: got %v, want %v", test.err, got, test.want)
		}
	}
}
