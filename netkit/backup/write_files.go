package backup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// pieceHeader is the first line of a piece of a file.
type pieceHeader struct {
	Path  string `json:"path"`
	From  int64  `json:"from"` // place of the piece
	Bytes int    `json:"bytes"`
}

// writeFiles adds files in pieces and returns how many were there.
func (b *writer) writeFiles(ctx context.Context, folder string, list func() ([]File, error)) (written int, err error) {
	files, err := list()
	if err != nil {
		return 0, err
	}
	n := uint64(0)
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return written, err
		}
		r, err := f.open()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return written, err
		}
		err = b.writePieces(folder, f.Path, r, &n)
		if err = errors.Join(err, r.Close()); err != nil {
			return written, err
		}
		written++
	}
	return written, nil
}

func (f *File) open() (io.ReadCloser, error) {
	if f.Content != nil {
		return io.NopCloser(bytes.NewReader(f.Content)), nil
	}
	return os.Open(f.Source)
}

func (b *writer) writePieces(folder, path string, r io.Reader, n *uint64) error {
	buf := make([]byte, pieceSize)
	for from := int64(0); ; {
		size, err := io.ReadFull(r, buf)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("backup: reading %s: %w", path, err)
		}
		if size == 0 && from > 0 {
			return nil
		}
		head, err := json.Marshal(pieceHeader{path, from, size})
		if err == nil {
			err = b.encrypt(numbered(folder, *n), append(append(head, '\n'), buf[:size]...))
		}
		if err != nil {
			return err
		}
		if *n, from = *n+1, from+int64(size); size < pieceSize {
			return nil
		}
	}
}
