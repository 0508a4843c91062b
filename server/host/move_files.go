package host

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/backup"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/private"
)

// copyNodeFiles copies the keys, recordings and small files of a node, which may run,
// into a folder. A file that is there stays.
func copyNodeFiles(from, to string) error {
	kept, err := keptCheckpoints(from) // before the journal is copied, which is ahead of them
	if err != nil {
		return err
	}
	cfg := BackupConfig{Dir: from}
	files, err := cfg.smallFiles(kept)
	if err != nil {
		return err
	}
	files = append(files, backup.File{Path: shownFile, Content: kept[filepath.Join(from, shownFile)]})
	recordings, err := listRecordings(filepath.Join(from, "audio"))
	if err != nil {
		return err
	}
	for _, f := range recordings {
		f.Path = "audio/" + f.Path
		files = append(files, f)
	}
	for _, f := range slices.Backward(files) { // a write-ahead log comes after its database, and is copied before
		if err := copyMissing(f, to); err != nil {
			return err
		}
	}
	return syncFolders(to)
}

// copyMissing copies a file into a folder that lacks it. A write-ahead log belongs to its
// database, and would change another one that is there.
func copyMissing(f backup.File, to string) error {
	path := filepath.Join(to, filepath.FromSlash(f.Path))
	if _, err := os.Lstat(strings.TrimSuffix(path, "-wal")); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if f.Content != nil {
		return private.WriteFile(path, f.Content)
	}
	if f.Source == "" {
		return nil
	}
	if _, err := os.Stat(f.Source); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return copyFile(f.Source, path)
}

// shownEngine is an engine of which the batches are counted as they are read.
type shownEngine struct {
	journal.Engine
	progress func(done, total uint64)
}

// Batches implements journal.Engine.
func (e shownEngine) Batches(ctx context.Context, from uint64) iter.Seq2[journal.EngineBatch, error] {
	if e.progress == nil {
		return e.Engine.Batches(ctx, from)
	}
	return func(yield func(journal.EngineBatch, error) bool) {
		head, err := e.Head(ctx)
		if moved := (*journal.RetiredError)(nil); errors.As(err, &moved) {
			head = moved.Head
		}
		for b, err := range e.Engine.Batches(ctx, from) {
			if !yield(b, err) {
				return
			}
			if done := b.First + uint64(len(b.Public)); done <= head.Size && done > from {
				e.progress(done, head.Size)
			}
		}
	}
}
