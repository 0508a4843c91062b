package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/server/host"
)

// folderFile is a file beside the journal, and what its absence means.
type folderFile struct {
	name    string
	secret  bool // only its owner may read it
	state   string
	missing string
}

var folderFiles = []folderFile{
	{"log.key", true, problem, "restore it from a copy: without it the network does not start"},
	{"log.pub", false, note, "the next start writes it again from log.key"},
	{"checkpoint", false, note, "without it, and checkpoint.signed, the network starts with --accept-loss only"},
	{"signing.key", true, note, "the next start makes another one; addresses of recordings and invitations end"},
	{"snapshot.key", true, note, "the next start makes another one and replays the journal"},
	{"webhooks.db", true, note, "events are sent to webhooks from the next start on; their owners can replay earlier ones"},
}

// checkOutdated announces that the next start rewrites a journal of an older version.
// The start names every other fault of the journal, and so does checkJournal.
func checkOutdated(ctx context.Context, dir string) []finding {
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: dir, ReadOnly: true})
	if err != nil {
		return nil
	}
	version := store.Outdated()
	if err := store.Close(); err != nil || version == 0 {
		return nil
	}
	var size int64
	for _, name := range []string{"journal.db", "journal.db-wal"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil {
			size += info.Size()
		}
	}
	return []finding{{"journal version", note, fmt.Sprintf("journal.db has schema version %d: the next start rewrites it and keeps the old file for %d days", version, sqlite.KeepOld/(24*time.Hour)),
		fmt.Sprintf("see that up to %d MiB more are free for the new file", size>>20+1)}}
}

// checkKept names the copy that was kept when the journal was rewritten for a
// newer version.
func checkKept(dir string) (found []finding) {
	if path := filepath.Join(dir, host.DamagedJournal); fileThere(path) {
		found = append(found, finding{"kept journal", note, path + " is the journal from before a repair; later erasures do not reach it", "remove it once the network runs"})
	}
	path, until, err := sqlite.KeptCopy(dir)
	switch {
	case err != nil:
		return append(found, finding{"kept journal", note, plainly(err), "see that you may read the folder"})
	case path == "":
		return found
	}
	return append(found, finding{"kept journal", note, path + " is the journal from before the upgrade, with its texts in the clear",
		"it is removed on " + until.UTC().Format(time.DateOnly) + " or with the first erasure; remove it sooner if you need no way back"})
}

func fileThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// checkFiles lists the files beside the journal of a folder that holds a network.
// Whether the checkpoint agrees with the journal is checked with the journal.
func checkFiles(dir string) (found []finding) {
	for _, f := range folderFiles {
		path := filepath.Join(dir, f.name)
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist) && f.name == "webhooks.db":
			found = append(found, finding{f.name, fine, "there is none; the first webhook makes it", ""})
		case errors.Is(err, fs.ErrNotExist):
			found = append(found, finding{f.name, f.state, "is missing", f.missing})
		case err != nil:
			found = append(found, finding{f.name, problem, err.Error(), "see that you may read the folder"})
		case info.Size() == 0:
			found = append(found, finding{f.name, problem, "is empty", f.missing})
		case f.secret && tooOpen(path):
			found = append(found, finding{f.name, problem, "others may read " + path, "chmod 600 " + path})
		default:
			found = append(found, finding{f.name, fine, "is there", ""})
		}
	}
	return found
}
