package sqlite

import (
	"encoding/binary"
	"errors"
	"sync"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs"

	"github.com/agentnet/netctl/netkit/journal"
)

// roomVFS is the file layer of the writer: the system's, but for two things about
// the write-ahead log. A write that finds no room is reported as such; the
// system's own layer reports it as any I/O error, which leaves open whether the
// commit counts. And the log is written in large pieces.
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
		f = &roomLog{File: f}
	}
	return f, out, fullCode(err)
}

// roomLog is a write-ahead log. The engine writes each frame in two pieces, its
// header and its page; roomLog gathers adjacent pieces and writes them at once, with
// the frame that ends a commit at the latest. Nothing else reads a frame sooner: the
// engine publishes a commit after its last write, and only the connection that wrote a
// frame reads it before.
type roomLog struct {
	vfs.File
	at     int64 // offset of the gathered bytes
	gather []byte
	ending int64 // where the page of a frame that ends a commit is written next
}

// gathered bounds how much is gathered, in bytes.
const gathered = 256 << 10

// WriteAt implements vfs.File.
func (f *roomLog) WriteAt(p []byte, at int64) (int, error) {
	if at != f.at+int64(len(f.gather)) || len(f.gather)+len(p) > gathered {
		if err := f.flush(); err != nil {
			return 0, err
		}
		f.at = at
	}
	f.gather = append(f.gather, p...)
	// The header of a frame names the size of the database if the frame ends a commit
	// (https://sqlite.org/fileformat2.html, section 4.1). It is written before its page,
	// and by itself where its checksum changes.
	header := len(p) == frameHeader
	if header && binary.BigEndian.Uint32(p[4:]) > 0 {
		f.ending = at + frameHeader
	} else if header || at != f.ending {
		return len(p), nil
	}
	if err := f.flush(); err != nil {
		return 0, err
	}
	return len(p), nil
}

// flush writes the gathered bytes. After an error the engine writes the whole
// commit again, or gives it up.
func (f *roomLog) flush() error {
	if len(f.gather) == 0 {
		return nil
	}
	_, err := f.File.WriteAt(f.gather, f.at)
	f.gather = f.gather[:0]
	return fullCode(err)
}

// ReadAt implements vfs.File.
func (f *roomLog) ReadAt(p []byte, at int64) (int, error) {
	if err := f.flush(); err != nil {
		return 0, err
	}
	return f.File.ReadAt(p, at)
}

// Size implements vfs.File.
func (f *roomLog) Size() (int64, error) {
	if err := f.flush(); err != nil {
		return 0, err
	}
	return f.File.Size()
}

// Truncate implements vfs.File.
func (f *roomLog) Truncate(size int64) error {
	if err := f.flush(); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

// Sync implements vfs.File.
func (f *roomLog) Sync(flags vfs.SyncFlag) error {
	if err := f.flush(); err != nil {
		return err
	}
	return f.File.Sync(flags)
}

// Close implements vfs.File. Bytes that were not synced belong to no commit.
func (f *roomLog) Close() error {
	return errors.Join(f.flush(), f.File.Close())
}

// fullCode is the engine's code for a lack of room, and every other error as it
// is.
func fullCode(err error) error {
	if errors.Is(diskError(err), journal.ErrFull) {
		return sqlite3.FULL
	}
	return err
}
