package sqlite

import (
	"errors"
	"sync"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs"

	"github.com/agentnet/netctl/netkit/journal"
)

// roomVFS is the file layer of the writer: the system's, but a write to the
// write-ahead log that finds no room is reported as such. The system's own layer
// reports it as any I/O error, which leaves open whether the commit counts.
type roomVFS struct{ vfs.VFSFilename }

const roomName = "netkit-room"

var registerRoom = sync.OnceFunc(func() {
	if system, ok := vfs.Find("os").(vfs.VFSFilename); ok {
		vfs.Register(roomName, roomVFS{system})
	}
})

// OpenFilename implements vfs.VFSFilename.
func (v roomVFS) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	f, out, err := v.VFSFilename.OpenFilename(name, flags)
	if err == nil && flags&vfs.OPEN_WAL != 0 {
		f = roomLog{f}
	}
	return f, out, fullCode(err)
}

// roomLog is a write-ahead log.
type roomLog struct{ vfs.File }

func (f roomLog) WriteAt(p []byte, off int64) (int, error) {
	n, err := f.File.WriteAt(p, off)
	return n, fullCode(err)
}

// fullCode is the engine's code for a lack of room, and every other error as it
// is.
func fullCode(err error) error {
	if errors.Is(diskError(err), journal.ErrFull) {
		return sqlite3.FULL
	}
	return err
}
