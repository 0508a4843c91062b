package sqlite

import (
	"io"
	"os"
)

// disk changes the files that the engine does not manage; the engine has a file layer
// of its own: it names whole files, and makes names durable. Simulations of power
// cuts take its place.
type disk interface {
	// CreateTemp makes a file whose name begins as pattern does; see [os.CreateTemp].
	CreateTemp(dir, pattern string) (tempFile, error)
	Rename(from, to string) error
	Link(from, to string) error
	Remove(path string) error
	// SyncFile makes the contents of a file durable, and SyncDir its name.
	SyncFile(path string) error
	SyncDir(dir string) error
}

// tempFile is a file that is being written.
type tempFile interface {
	io.WriteCloser
	Name() string
	Sync() error
}

// systemDisk is the disk of the system.
type systemDisk struct{}

func (systemDisk) CreateTemp(dir, pattern string) (tempFile, error) {
	return os.CreateTemp(dir, pattern)
}

func (systemDisk) Rename(from, to string) error { return os.Rename(from, to) }
func (systemDisk) Link(from, to string) error   { return os.Link(from, to) }
func (systemDisk) Remove(path string) error     { return os.Remove(path) }
func (systemDisk) SyncDir(dir string) error     { return syncDir(dir) }

func (systemDisk) SyncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0) // Windows syncs no file that was opened for reading
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
