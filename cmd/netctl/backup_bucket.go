package main

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/agentnet/netctl/netkit/archive/s3"
)

// inBucket reports whether a word is the address of something in a bucket.
func inBucket(word string) bool { return strings.HasPrefix(word, "s3://") }

// backupInBucket reports whether a word is the address of a backup in a bucket, and
// not of an archive.
func backupInBucket(word string) bool {
	u, err := url.Parse(word)
	return err == nil && inBucket(word) && path.Ext(u.Path) == ".tar"
}

// within returns the address of a file in the folder that an address names.
func within(folder, name string) (string, error) {
	u, err := url.Parse(folder)
	if err != nil {
		return "", usage(errors.New("a folder in a bucket is named by s3://BUCKET/FOLDER"))
	}
	u.Path = path.Join("/", u.Path, name)
	return u.String(), nil
}

// openFile opens the bucket of a file and returns the file's name in it.
func openFile(address string) (*s3.Bucket, string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, "", usage(errors.New("a backup in a bucket is named by s3://BUCKET/FOLDER/NAME.netctl.tar"))
	}
	name := path.Base(u.Path)
	u.Path = path.Dir(u.Path)
	b, err := s3.Open(u.String())
	return b, name, err
}

// uploadBackup copies a backup into a folder of a bucket, and returns its address.
func uploadBackup(ctx context.Context, folder, file string) (address string, err error) {
	if address, err = within(folder, filepath.Base(file)); err != nil {
		return "", err
	}
	b, name, err := openFile(address)
	if err != nil {
		return "", err
	}
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	return address, b.Upload(ctx, name, f, info.Size())
}

// fetchBackup returns the path of a backup: its own, or that of a copy of one in a
// bucket, which the function that it returns removes.
func fetchBackup(ctx context.Context, word string) (file string, remove func() error, err error) {
	remove = func() error { return nil }
	if !backupInBucket(word) {
		return word, remove, nil
	}
	b, name, err := openFile(word)
	if err != nil {
		return "", remove, err
	}
	dir, err := os.MkdirTemp("", "netctl-backup-*")
	if err != nil {
		return "", remove, err
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
