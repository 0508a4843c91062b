// Package private writes files that only their owner can read.
package private

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// Unfinished is the pattern of the files that become others once they are whole.
// A killed process may leave one behind.
const Unfinished = ".netctl-*"

// WriteFile replaces a file as a whole and durably, readable by its owner alone.
// It makes the folder if that is missing.
func WriteFile(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), Unfinished) // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return SyncFolder(filepath.Dir(path))
}

// Remove removes a file durably.
func Remove(path string) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	return SyncFolder(filepath.Dir(path))
}

// SyncFolder makes the names in a folder durable. Windows writes them through,
// and has no way to ask for it.
func SyncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
