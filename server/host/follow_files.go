package host

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/archive"
	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/netkit/proof"
)

// copyRecordings copies the recordings that an entry publishes and that the archive
// still has.
func (f *Follower) copyRecordings(ctx context.Context, e *archive.Entry) error {
	for _, file := range e.Recordings {
		if !e.Open && f.cfg.IDs == nil {
			continue
		}
		path := recordingPath(f.cfg.Dir, file)
		if _, err := os.Stat(path); err == nil {
			continue
		}
		content, err := f.reader.Recording(ctx, file, e.Open)
		if errors.Is(err, archive.ErrNotFound) {
			continue // erased since
		}
		if err == nil {
			err = private.WriteFile(path, content)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// noteLeaving notes the recordings of an entry that is erased.
func (f *Follower) noteLeaving(ctx context.Context, entry uint64) error {
	for r, err := range f.Store.Read(ctx, entry, entry+1) {
		if err != nil {
			return err
		}
		e, err := archivedEntry(r.Seq, r.Public)
		if err != nil {
			return err
		}
		for _, file := range e.Recordings {
			if f.leaving == nil {
				f.leaving = map[netkit.Hash]bool{}
			}
			f.leaving[file] = e.Open
		}
	}
	return nil
}

// removeRecordings removes those recordings of erased dispatches that the archive has
// removed by now. One that another dispatch names stays there and here.
func (f *Follower) removeRecordings(ctx context.Context) error {
	for file, open := range f.leaving {
		there, err := f.reader.HasRecording(ctx, file, open)
		if err == nil && !there {
			delete(f.leaving, file)
			if err = private.Remove(recordingPath(f.cfg.Dir, file)); errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keepCheckpoint keeps a checkpoint that the journal bears out.
func (f *Follower) keepCheckpoint(ctx context.Context, text string) error {
	if text == "" || text == f.shown {
		return nil
	}
	if f.last.Key != "" {
		if err := proof.CheckStart(ctx, f.Store, f.last.Key, []byte(text)); err != nil {
			return err
		}
	}
	f.shown = text
	return private.WriteFile(filepath.Join(f.cfg.Dir, shownFile), []byte(text))
}

// copyFiles copies the small files of the folder, once an hour.
func (f *Follower) copyFiles(ctx context.Context) error {
	if f.cfg.IDs == nil || time.Since(f.filesAt) < time.Hour || f.ahead {
		return nil
	}
	content, err := f.reader.Files(ctx)
	if err != nil {
		return err
	}
	if err := unpackFiles(f.cfg.Dir, content, f.served == nil); err != nil {
		return err
	}
	if content != nil {
		f.filesAt = time.Now()
	}
	return nil
}

// unpackFiles writes the small files in a tar file into a folder, those of webhooks if
// no server has them open.
func unpackFiles(dir string, content []byte, webhooks bool) error {
	for r := tar.NewReader(bytes.NewReader(content)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && !fs.ValidPath(h.Name) {
			err = fmt.Errorf("%w: the small files name %q", archive.ErrDamaged, h.Name)
		}
		if err == nil && !webhooks && strings.HasPrefix(h.Name, "webhooks.db") {
			continue
		}
		var text []byte
		if err == nil {
			text, err = io.ReadAll(r)
		}
		if err == nil {
			err = private.WriteFile(filepath.Join(dir, filepath.FromSlash(h.Name)), text)
		}
		if err != nil {
			return err
		}
	}
}
