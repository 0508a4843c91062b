package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/agentnet/netctl/netkit/archive/s3"
	"github.com/agentnet/netctl/netkit/backup"
	"github.com/agentnet/netctl/server/host"
)

// backupPlace is where backups are: a folder or a bucket.
type backupPlace interface {
	// list returns the backups of a network, oldest first.
	list(ctx context.Context, network string) ([]host.BackupFile, error)
	// write writes a backup, which appears when it is whole.
	write(ctx context.Context, cfg host.BackupConfig) (writtenBackup, error)
	remove(ctx context.Context, path string) error
}

// writtenBackup is a backup that was written.
type writtenBackup struct {
	path     string
	bytes    int64
	manifest backup.Manifest
}

// openPlace returns the place that an address names. A name that is no folder is the
// file of one backup.
func openPlace(to string) (backupPlace, error) {
	if !inBucket(to) {
		return folder(to), nil
	}
	b, err := s3.Open(to)
	return &bucket{to, b}, err
}

// removeOld removes the backups of a network that are older than keep, but never the
// newest one.
func removeOld(ctx context.Context, p backupPlace, network string, keep time.Duration) error {
	found, err := p.list(ctx, network)
	for _, f := range host.OldBackups(found, keep, time.Now()) {
		err = errors.Join(err, p.remove(ctx, f.Path))
	}
	return err
}

// folder is a folder of backups.
type folder string

func (p folder) list(_ context.Context, network string) ([]host.BackupFile, error) {
	return host.Backups(string(p), network)
}

func (p folder) write(ctx context.Context, cfg host.BackupConfig) (out writtenBackup, err error) {
	cfg.To = string(p)
	if out.path, out.manifest, err = host.Backup(ctx, cfg); err != nil {
		return out, err
	}
	info, err := os.Stat(out.path)
	if err == nil {
		out.bytes = info.Size()
	}
	return out, err
}

func (folder) remove(_ context.Context, path string) error { return os.Remove(path) }

// bucket is a folder of backups in a bucket.
type bucket struct {
	address string
	files   *s3.Bucket
}

func (p *bucket) list(ctx context.Context, network string) ([]host.BackupFile, error) {
	var names []string
	for name, err := range p.files.List(ctx, network+"-", "") {
		if err != nil {
			return nil, err
		}
		if path.Dir(name) == "." {
			names = append(names, name)
		}
	}
	found := host.NamedBackups(names, network)
	for i := range found {
		at, err := within(p.address, found[i].Path)
		if err != nil {
			return nil, err
		}
		found[i].Path = at
	}
	return found, nil
}

// write uploads a backup while it is made, so that the disk needs no room for it.
func (p *bucket) write(ctx context.Context, cfg host.BackupConfig) (out writtenBackup, err error) {
	network, err := host.NetworkOf(ctx, cfg.Dir)
	if err != nil {
		return out, err
	}
	at := time.Now()
	cfg.Now = func() time.Time { return at }
	name := host.BackupName(network, at)
	if out.path, err = within(p.address, name); err != nil {
		return out, err
	}
	r, w := io.Pipe()
	made := make(chan error, 1)
	go func() {
		var err error
		out.manifest, err = host.WriteBackup(ctx, cfg, &countingWriter{w, &out.bytes})
		made <- err
		w.CloseWithError(err)
	}()
	err = p.files.Upload(ctx, name, r)
	r.CloseWithError(errors.New("the bucket takes no more"))
	if failed := <-made; err == nil {
		err = failed
	}
	return out, err
}

// countingWriter counts the bytes that were written.
type countingWriter struct {
	to io.Writer
	n  *int64
}

// Write implements io.Writer.
func (w *countingWriter) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	*w.n += int64(n)
	return n, err
}

func (p *bucket) remove(ctx context.Context, address string) error {
	_, name, err := openFile(address)
	if err != nil {
		return err
	}
	return p.files.Delete(ctx, name)
}

// fetchBackup returns the path of a backup: its own, or that of a copy of one in a
// bucket, which the function that it returns removes. The copy is made in a folder, in
// that of the system if it is "".
func fetchBackup(ctx context.Context, word, folder string) (file string, remove func() error, err error) {
	remove = func() error { return nil }
	if !backupInBucket(word) {
		return word, remove, nil
	}
	b, name, err := openFile(word)
	if err != nil {
		return "", remove, err
	}
	dir, err := os.MkdirTemp(folder, fetchedBackup)
	if err != nil {
		return "", remove, fmt.Errorf("a copy of the backup cannot be made: %w; set TMPDIR to a folder with room for it", err)
	}
	remove = func() error { return os.RemoveAll(dir) }
	f, err := os.Create(filepath.Join(dir, name))
	if err == nil {
		err = errors.Join(b.Download(ctx, name, f), f.Close())
	}
	if err != nil {
		return "", func() error { return nil }, errors.Join(err, remove())
	}
	return f.Name(), remove, nil
}

// fetchedBackup is the pattern of the folders with copies of backups in buckets.
const fetchedBackup = ".netctl-fetched-*"

// removeFetched removes the copies of backups that a killed process left in a folder.
func removeFetched(folder string) error {
	names, err := filepath.Glob(filepath.Join(folder, fetchedBackup))
	for _, name := range names {
		err = errors.Join(err, os.RemoveAll(name))
	}
	return err
}
