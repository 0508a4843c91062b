package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentnet/netctl/netkit/private"
)

// Folder is a [Store] in a folder of this machine, or of a file server that has hard
// links. Objects in public/ are readable by everybody.
type Folder struct{ dir string }

// NewFolder returns the store of a folder, which it makes if it is missing.
func NewFolder(dir string) (*Folder, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	return &Folder{dir}, nil
}

// String implements [Store].
func (f *Folder) String() string { return "file://" + filepath.ToSlash(f.dir) }

func (f *Folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// Create implements [Store]. The object gets its name by a link, which fails where
// the name is taken.
func (f *Folder) Create(ctx context.Context, name string, content []byte) (err error) {
	if err := errors.Join(checkName(name), ctx.Err()); err != nil {
		return err
	}
	folder, mode := os.FileMode(0o700), os.FileMode(0o600)
	if strings.HasPrefix(name, "public/") {
		folder, mode = 0o755, 0o644
	}
	path := f.path(name)
	if err := os.MkdirAll(filepath.Dir(path), folder); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), private.Unfinished)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(temp.Name())) }()
	_, err = temp.Write(content)
	err = errors.Join(err, temp.Chmod(mode), temp.Sync(), temp.Close())
	if err == nil {
		err = os.Link(temp.Name(), path)
	}
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: %s", ErrExists, name)
	}
	if err != nil {
		return err
	}
	return private.SyncFolder(filepath.Dir(path))
}

// Read implements [Store].
func (f *Folder) Read(ctx context.Context, name string) ([]byte, error) {
	if err := errors.Join(checkName(name), ctx.Err()); err != nil {
		return nil, err
	}
	content, err := os.ReadFile(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", ErrNotFound, name)
	}
	return content, err
}

// List implements [Store]. A prefix ends with a slash or within the last part of a
// name.
func (f *Folder) List(ctx context.Context, prefix, after string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		top := f.path(prefix[:strings.LastIndex(prefix, "/")+1])
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // removed meanwhile
			}
			if err = errors.Join(err, ctx.Err()); err != nil || d.IsDir() {
				return err
			}
			rel, err := filepath.Rel(f.dir, path)
			name := filepath.ToSlash(rel)
			if err != nil || !strings.HasPrefix(name, prefix) || name <= after || strings.HasPrefix(d.Name(), ".") {
				return err
			}
			if !yield(name, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield("", err)
		}
	}
}

// Remove implements [Store].
func (f *Folder) Remove(ctx context.Context, name string) error {
	if err := errors.Join(checkName(name), ctx.Err()); err != nil {
		return err
	}
	if !Removable(name) {
		return fmt.Errorf("archive: %s is never removed", name)
	}
	err := private.Remove(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
