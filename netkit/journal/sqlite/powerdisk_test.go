package sqlite

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/ncruces/go-sqlite3/vfs"
)

// powerDisk is a file layer of the engine, and a disk of the store, that remembers
// what a loss of power would forget: what was written to a file since its last
// sync, and the names in the folder since the folder's last sync. The running
// store works on real files. What could be left of them after a cut is what
// image returns.
type powerDisk struct {
	vfs.VFSFilename
	dir string

	mu     sync.Mutex
	files  map[string]*powerFile // by the names that the running store sees
	names  map[string]*powerFile // by the names that are durable
	moves  []nameChange          // since the folder was synced
	calls  int                   // that changed or synced something
	failAt int                   // the call that fails; 0 is none
	stuck  bool                  // all calls after it fail too
	onSync func()                // asked before a sync takes effect, with mu held
	onCall func()                // asked before each call, with mu held
}

// powerFile is a file by its identity.
type powerFile struct {
	durable []byte
	pending []change
}

// change is a write, or a truncation where bytes is nil.
type change struct {
	at    int64
	bytes []byte
}

// nameChange gives a name to a file, or takes it away where file is nil.
type nameChange struct {
	name string
	file *powerFile
}

var errBroken = errors.New("the disk is broken")

// newPowerDisk records what happens to a folder whose present contents are durable.
func newPowerDisk(t testing.TB, dir string) *powerDisk {
	t.Helper()
	d := &powerDisk{VFSFilename: vfs.Find("os").(vfs.VFSFilename), dir: dir, files: map[string]*powerFile{}, names: map[string]*powerFile{}}
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		b, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		d.files[f.Name()] = &powerFile{durable: b}
		d.names[f.Name()] = d.files[f.Name()]
	}
	vfs.Register(d.vfsName(), d)
	t.Cleanup(func() { vfs.Unregister(d.vfsName()) })
	return d
}

func (d *powerDisk) vfsName() string { return "power disk of " + filepath.Base(d.dir) }

// config opens the folder on this disk.
func (d *powerDisk) config() Config { return Config{Dir: d.dir, VFS: d.vfsName(), disk: d} }

// call counts a call and fails the one that should fail. It is called with mu held.
func (d *powerDisk) call() error {
	if d.calls++; d.onCall != nil {
		d.onCall()
	}
	if d.failAt > 0 && (d.calls == d.failAt || d.stuck && d.calls > d.failAt) {
		return errBroken
	}
	return nil
}

// named returns the file behind a name, which is made if it is not there.
func (d *powerDisk) named(path string) *powerFile {
	name := filepath.Base(path)
	f := d.files[name]
	if f == nil {
		f = &powerFile{}
		d.rename(name, f)
	}
	return f
}

// rename gives a name to a file; nil takes it away.
func (d *powerDisk) rename(name string, f *powerFile) {
	if f == nil {
		delete(d.files, name)
	} else {
		d.files[name] = f
	}
	d.moves = append(d.moves, nameChange{name, f})
}

func (d *powerDisk) syncFile(f *powerFile) error {
	if err := d.call(); err != nil {
		return err
	}
	if d.onSync != nil {
		d.onSync()
	}
	for _, c := range f.pending {
		f.durable = c.apply(f.durable)
	}
	f.pending = nil
	return nil
}

func (d *powerDisk) syncNames() error {
	if err := d.call(); err != nil {
		return err
	}
	if d.onSync != nil {
		d.onSync()
	}
	for _, m := range d.moves {
		m.apply(d.names)
	}
	d.moves = nil
	return nil
}

func (m nameChange) apply(names map[string]*powerFile) {
	if m.file == nil {
		delete(names, m.name)
	} else {
		names[m.name] = m.file
	}
}

func (c change) apply(to []byte) []byte {
	if c.bytes == nil {
		if c.at < int64(len(to)) {
			return bytes.Clone(to[:c.at])
		}
		return append(bytes.Clone(to), make([]byte, c.at-int64(len(to)))...)
	}
	if end := c.at + int64(len(c.bytes)); end > int64(len(to)) {
		to = append(to, make([]byte, end-int64(len(to)))...)
	}
	copy(to[c.at:], c.bytes)
	return to
}

// Open implements vfs.VFS.
func (d *powerDisk) Open(name string, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	return d.OpenFilename(nil, flags)
}

// OpenFilename implements vfs.VFSFilename.
func (d *powerDisk) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f, out, err := d.VFSFilename.OpenFilename(name, flags)
	if err != nil {
		return nil, out, err
	}
	h := &powerHandle{File: f, disk: d, file: d.named(name.String())}
	if flags&vfs.OPEN_WAL != 0 {
		return &roomLog{File: h}, out, nil
	}
	return h, out, nil
}

// Delete implements vfs.VFS.
func (d *powerDisk) Delete(path string, syncDir bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.call(); err != nil {
		return err
	}
	if err := d.VFSFilename.Delete(path, false); err != nil {
		return err
	}
	d.rename(filepath.Base(path), nil)
	if syncDir {
		return d.syncNames()
	}
	return nil
}

// powerHandle is an open file of the engine.
type powerHandle struct {
	vfs.File
	disk *powerDisk
	file *powerFile
}

// SharedMemory implements vfs.FileSharedMemory; a cut forgets the shared index.
func (h *powerHandle) SharedMemory() vfs.SharedMemory {
	if f, ok := h.File.(vfs.FileSharedMemory); ok {
		return f.SharedMemory()
	}
	return nil
}

func (h *powerHandle) WriteAt(p []byte, at int64) (int, error) {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	if err := h.disk.call(); err != nil {
		return 0, err
	}
	n, err := h.File.WriteAt(p, at)
	h.file.pending = append(h.file.pending, change{at, bytes.Clone(p[:n])})
	return n, err
}

func (h *powerHandle) Truncate(size int64) error {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	if err := h.disk.call(); err != nil {
		return err
	}
	h.file.pending = append(h.file.pending, change{size, nil})
	return h.File.Truncate(size)
}

func (h *powerHandle) Sync(vfs.SyncFlag) error {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	return h.disk.syncFile(h.file)
}

// changeName carries out what changes names, and records it.
func (d *powerDisk) changeName(do func() error, moves ...func()) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.call()
	if err == nil {
		err = do()
	}
	if err != nil {
		return err
	}
	for _, move := range moves {
		move()
	}
	return nil
}

func (d *powerDisk) CreateTemp(dir, pattern string) (tempFile, error) {
	var f *os.File
	err := d.changeName(func() (err error) { f, err = os.CreateTemp(dir, pattern); return err },
		func() { d.named(f.Name()) })
	if err != nil {
		return nil, err
	}
	return &powerTemp{File: f, disk: d}, nil
}

func (d *powerDisk) Rename(from, to string) error {
	return d.changeName(func() error { return os.Rename(from, to) },
		func() { d.rename(filepath.Base(to), d.named(from)) }, func() { d.rename(filepath.Base(from), nil) })
}

func (d *powerDisk) Link(from, to string) error {
	return d.changeName(func() error { return os.Link(from, to) }, func() { d.rename(filepath.Base(to), d.named(from)) })
}

func (d *powerDisk) Remove(path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return d.changeName(func() error { return os.Remove(path) }, func() { d.rename(filepath.Base(path), nil) })
}

func (d *powerDisk) SyncFile(path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.syncFile(d.named(path))
}

func (d *powerDisk) SyncDir(dir string) error {
	if dir != d.dir {
		return nil // the folder above, which a test has made before
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.syncNames()
}

// powerTemp is a file that the store writes by itself.
type powerTemp struct {
	*os.File
	disk *powerDisk
	at   int64
}

func (f *powerTemp) Write(p []byte) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if err := f.disk.call(); err != nil {
		return 0, err
	}
	n, err := f.File.Write(p)
	file := f.disk.named(f.Name())
	file.pending = append(file.pending, change{f.at, bytes.Clone(p[:n])})
	f.at += int64(n)
	return n, err
}

func (f *powerTemp) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	return f.disk.syncFile(f.disk.named(f.Name()))
}

// sector is what a disk writes whole or not at all.
const sector = 512

// keepAll is what the end of a process leaves: all that was written.
func keepAll() bool { return true }

// keepSome chooses what a power cut leaves of the changes that were not synced:
// nothing, all, or some of their sectors.
func keepSome(random *rand.Rand) func() bool {
	switch random.IntN(6) {
	case 0:
		return func() bool { return false }
	case 1:
		return keepAll
	}
	return func() bool { return random.IntN(2) == 0 }
}

// image writes into a new folder what is left now. It is called with mu held, or
// while nothing runs.
func (d *powerDisk) image(t testing.TB, keep func() bool) (dir string) {
	t.Helper()
	names := map[string]*powerFile{}
	for name, f := range d.names {
		names[name] = f
	}
	for _, m := range d.moves {
		if keep() {
			m.apply(names)
		}
	}
	dir = tempFolder(t)
	for name, f := range names {
		if filepath.Ext(name) == ".lock" || bytes.HasSuffix([]byte(name), []byte("-shm")) {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), f.left(keep), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// left is what a cut leaves of a file.
func (f *powerFile) left(keep func() bool) []byte {
	left := bytes.Clone(f.durable)
	for _, c := range f.pending {
		if c.bytes == nil {
			if keep() {
				left = c.apply(left)
			}
			continue
		}
		for at := c.at; at < c.at+int64(len(c.bytes)); {
			end := min(c.at+int64(len(c.bytes)), at/sector*sector+sector)
			if keep() {
				left = change{at, c.bytes[at-c.at : end-c.at]}.apply(left)
			}
			at = end
		}
	}
	return left
}

// tempFolder makes a folder that the caller removes, in memory if there is such a
// place: nothing in it has to outlive the test.
func tempFolder(t testing.TB) string {
	t.Helper()
	parent := "/dev/shm"
	if _, err := os.Stat(parent); err != nil {
		parent = ""
	}
	dir, err := os.MkdirTemp(parent, "netkit-power-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
