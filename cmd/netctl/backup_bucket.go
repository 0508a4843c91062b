package main

import (
	"errors"
	"net/url"
	"path"
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
