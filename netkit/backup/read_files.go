package backup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"

	"filippo.io/age"
)

// Recordings writes the recordings into a folder; Files does so with the other files.
// Both make the folders that they need, and sync nothing.
func (b *Backup) Recordings(ctx context.Context, ids []age.Identity, dir string) error {
	return b.restoreFiles(ctx, ids, recordingsFolder, dir)
}

// Files writes the files that are neither journal nor recordings into a folder.
func (b *Backup) Files(ctx context.Context, ids []age.Identity, dir string) error {
	return b.restoreFiles(ctx, ids, filesFolder, dir)
}

func (b *Backup) restoreFiles(ctx context.Context, ids []age.Identity, folder, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	err = b.each(ctx, ids, func(name string) bool { return strings.HasPrefix(name, folder) }, func(name string, content []byte) error {
		line, rest, _ := bytes.Cut(content, []byte("\n"))
		var h pieceHeader
		if json.Unmarshal(line, &h) != nil || h.Bytes != len(rest) || !fs.ValidPath(h.Path) {
			return damaged(name, "it is no piece of a file")
		}
		return writePiece(root, &h, rest)
	})
	return errors.Join(err, root.Close())
}

// writePiece writes a piece of a file. No path leads out of the folder.
func writePiece(root *os.Root, h *pieceHeader, content []byte) error {
	if err := root.MkdirAll(path.Dir(h.Path), 0o700); err != nil {
		return err
	}
	flags := os.O_WRONLY
	if h.From == 0 {
		flags |= os.O_CREATE | os.O_EXCL
	}
	f, err := root.OpenFile(h.Path, flags, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(content, h.From)
	return errors.Join(err, f.Sync(), f.Close())
}
