package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3/vfs"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// looks lists the files of a folder with all that a reader could change. Readers
// beside a writer mark in the shared memory how far they read, so its time moves.
func looks(t *testing.T, dir string) (all []string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f.Name(), "-shm") {
			all = append(all, fmt.Sprint(f.Name(), " ", info.Size(), " ", info.Mode()))
			continue
		}
		all = append(all, fmt.Sprint(f.Name(), " ", info.Size(), " ", info.ModTime(), " ", info.Mode()))
	}
	return all
}

// copyFiles copies the files of a journal, as a backup or a crash leaves them.
func copyFiles(t *testing.T, from string, names ...string) (to string) {
	t.Helper()
	to = t.TempDir()
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, to, name, string(content))
	}
	return to
}

// lockDown takes the right to write from a folder and its files.
func lockDown(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.Chmod(f, 0o400); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o700) })
}

// TestReadingLeavesNothing reads a journal in every state that a folder can be
// in; the log is read with it, and the folder stays as it was.
func TestReadingLeavesNothing(t *testing.T) {
	beside := t.TempDir()
	w := openDir(t, Config{Dir: beside})
	head := journaltest.MustAppend(t, w, journal.Head{}, journal.Batch{Records: journaltest.Records(0, 5)})
	closed := t.TempDir()
	c := openDir(t, Config{Dir: closed})
	journaltest.MustAppend(t, c, journal.Head{}, journal.Batch{Records: journaltest.Records(0, 5)})
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	crashed := []string{"journal.db", "journal.db-wal", "journal.db-shm", "journal.lock"}
	for name, dir := range map[string]string{
		"beside a writer":          beside,
		"closed":                   closed,
		"after a crash":            copyFiles(t, beside, crashed...),
		"a backup with its log":    copyFiles(t, beside, crashed[:2]...),
		"a backup of the database": copyFiles(t, closed, crashed[0]),
	} {
		t.Run(name, func(t *testing.T) {
			if dir != beside {
				lockDown(t, dir)
			}
			before := looks(t, dir)
			r := openDir(t, Config{Dir: dir, ReadOnly: true})
			if got, err := r.Head(t.Context()); err != nil || got != head {
				t.Errorf("got %v, %v, want %v", got, err, head)
			}
			if diff := cmp.Diff(journaltest.Records(0, 5), journaltest.ReadAll(t, r, 0, 9)); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
			if err := errors.Join(r.Check(t.Context()), r.Close()); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(before, looks(t, dir)); diff != "" {
				t.Errorf("the folder changed (-before +after):\n%s", diff)
			}
		})
	}
}

// TestReadOnlyFileSystem reads a backup that nobody can write to.
func TestReadOnlyFileSystem(t *testing.T) {
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("mounting needs Linux and the superuser; TestReadingLeavesNothing reads files without the right to write")
	}
	s := openDir(t, Config{Dir: t.TempDir()})
	journaltest.MustAppend(t, s, journal.Head{}, journal.Batch{Records: journaltest.Records(0, 5)})
	dir := copyFiles(t, s.dir, "journal.db", "journal.db-wal", "journal.db-shm", "journal.lock")
	if out, err := exec.Command("mount", "--bind", dir, dir).CombinedOutput(); err != nil {
		t.Skipf("nothing can be mounted here: %s", out)
	}
	t.Cleanup(func() { exec.Command("umount", dir).Run() })
	if out, err := exec.Command("mount", "-o", "remount,ro,bind", dir).CombinedOutput(); err != nil {
		t.Skipf("nothing can be mounted here: %s", out)
	}
	r := openDir(t, Config{Dir: dir, ReadOnly: true})
	if got := journaltest.ReadAll(t, r, 0, 9); len(got) != 5 {
		t.Errorf("got %d records, want 5", len(got))
	}
}

// TestWriterBegins starts a writer below a reader of files that stood still.
func TestWriterBegins(t *testing.T) {
	dir := t.TempDir()
	s := openDir(t, Config{Dir: dir})
	head := journaltest.MustAppend(t, s, journal.Head{}, journal.Batch{Records: journaltest.Records(0, 5)})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r := openDir(t, Config{Dir: dir, ReadOnly: true})
	journaltest.ReadAll(t, r, 0, 9)
	w := openDir(t, Config{Dir: dir})
	journaltest.MustAppend(t, w, head, journal.Batch{Records: journaltest.Records(5, 5)})
	if _, err := r.Head(t.Context()); !errors.Is(err, journal.ErrLocked) {
		t.Errorf("got %v, want %v", err, journal.ErrLocked)
	}
	r = openDir(t, Config{Dir: dir, ReadOnly: true})
	if got := journaltest.ReadAll(t, r, 0, 99); len(got) != 10 {
		t.Errorf("got %d records when it was opened again, want 10", len(got))
	}
}

// TestWriterStarts opens for reading while another process has the lock and no
// files yet.
func TestWriterStarts(t *testing.T) {
	dir := copyFiles(t, older(t, 1, journaltest.Records(0, 3)), "journal.db")
	lock, err := LockFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer stop()
	before := looks(t, dir)
	if _, err := Open(ctx, Config{Dir: dir, ReadOnly: true}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want it to wait for the writer", err)
	}
	if diff := cmp.Diff(before, looks(t, dir)); diff != "" {
		t.Errorf("the folder changed (-before +after):\n%s", diff)
	}
}

// guardedFiles refuses to open anything for writing.
type guardedFiles struct {
	vfs.VFSFilename
	asked []vfs.OpenFlag
}

func (g *guardedFiles) OpenFilename(_ *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	g.asked = append(g.asked, flags)
	if flags&vfs.OPEN_READWRITE != 0 {
		return nil, flags, fs.ErrPermission
	}
	return stillFile{}, flags, nil
}

// TestBesideAsAnotherUser opens the log of a writer whose files may only be
// read.
func TestBesideAsAnotherUser(t *testing.T) {
	g := &guardedFiles{}
	_, flags, err := besideVFS{g}.OpenFilename(nil, vfs.OPEN_WAL|vfs.OPEN_READWRITE|vfs.OPEN_CREATE)
	if want := vfs.OPEN_WAL | vfs.OPEN_READONLY; err != nil || flags != want {
		t.Errorf("got %v, %v, want the log opened with %v", flags, err, want)
	}
	for _, flags := range g.asked {
		if flags&vfs.OPEN_CREATE != 0 {
			t.Errorf("asked with %v, want nothing made", flags)
		}
	}
}
