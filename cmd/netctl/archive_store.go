package main

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"github.com/agentnet/netctl/netkit/archive"
	"github.com/agentnet/netctl/netkit/archive/s3"
	"github.com/agentnet/netctl/netkit/timespan"
	"github.com/agentnet/netctl/server/host"
)

// isArchive reports whether a word is the address of an archive.
func isArchive(word string) bool {
	u, err := url.Parse(word)
	return err == nil && (u.Scheme == "file" || u.Scheme == "s3")
}

// archiveURL accepts the address of an archive, or nothing.
func archiveURL(word string) error {
	if word == "" || isArchive(word) {
		return nil
	}
	return fmt.Errorf("must be file:///FOLDER or s3://BUCKET/FOLDER")
}

// openArchive opens the store of an archive. It sends no request.
func openArchive(word string) (archive.Store, error) {
	u, err := url.Parse(word)
	if err == nil {
		err = archiveURL(word)
	}
	if err != nil || word == "" {
		return nil, usage(fmt.Errorf("an archive is named by its address, file:///FOLDER or s3://BUCKET/FOLDER"))
	}
	if u.Scheme == "s3" {
		return s3.Open(word)
	}
	return archive.NewFolder(filepath.FromSlash(u.Host + u.Path))
}

// archiveRecipients returns who can open the private side of the archive.
func (s *settings) archiveRecipients() ([]string, error) {
	if s.v.GetString("serve.archive-recipient") == "" {
		return s.recipients()
	}
	return s.keysOf("serve.archive-recipient")
}

// archive returns how the server archives its journal, nil if it does not.
func (s *service) archive() (*host.ArchiveConfig, error) {
	v := s.set.v
	to := v.GetString("serve.archive")
	if to == "" {
		if v.GetBool("serve.archive-sync") {
			return nil, usage(fmt.Errorf("serve.archive-sync is set, and serve.archive is not: set both"))
		}
		return nil, nil
	}
	store, err := openArchive(to)
	if err != nil {
		return nil, err
	}
	recipients, err := s.set.archiveRecipients()
	if err == nil && len(recipients) == 0 {
		err = usage(fmt.Errorf("serve.archive is set, and its private side needs a recipient: set serve.archive-recipient or backup.recipient to a public key of age"))
	}
	if err != nil {
		return nil, err
	}
	cfg := &host.ArchiveConfig{Store: store, Recipients: recipients, Sync: v.GetBool("serve.archive-sync"), Settings: s.set.file, Address: to}
	if v.GetString("serve.archive-patience") != "0" {
		cfg.Patience = s.set.span("serve.archive-patience")
	}
	return cfg, nil
}

// stopWhenReplaced stops the server once another one writes its archive, and returns
// a function that waits for the end and returns the reason.
func (s *service) stopWhenReplaced(ctx context.Context, stop func()) (wait func() error) {
	if _, ok := s.host.Archive(); !ok {
		return func() error { return nil }
	}
	done := make(chan error, 1)
	go func() {
		for timespan.Wait(ctx, time.Second) {
			if status, _ := s.host.Archive(); status.Replaced {
				stop()
				done <- because(archive.ErrOtherWriter, "another server took over the archive %s: this one has stopped; netctl doctor lists the entries that only %s has", s.set.v.GetString("serve.archive"), s.dir)
				return
			}
		}
		done <- nil
	}()
	return func() error { return <-done }
}
