package host

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/audit"
	"github.com/agentnet/netctl/netkit/backup"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
)

// Verified is what the audit of a staged restore found, and what is missing.
type Verified struct {
	Backup     time.Time    `json:"backup_at"` // when the backup was begun
	Report     audit.Report `json:"report"`
	Recordings int          `json:"recordings"` // that dispatches name, present and whole
	Missing    []string     `json:"missing"`    // for people: what the restored network will lack
	Ahead      uint64       `json:"ahead"`      // entries that the source has beyond the backup
	Erasures   int          `json:"erasures"`   // of them, which finish repeats
}

// Verify opens the staged restore for dir, replays it, and compares its root, its
// last checkpoint, every balance, every private part and every recording with what
// the entries say. It changes nothing but the mark that finish asks for.
func Verify(ctx context.Context, dir string, later *Later, progress func(done, total uint64)) (out Verified, err error) {
	staged := StagedDir(dir)
	s, err := readStage(staged)
	if err != nil {
		return out, err
	}
	if !s.Whole {
		return out, fmt.Errorf("%w: %s was not unpacked to the end; stage the backup again", ErrStage, staged)
	}
	out.Backup, out.Missing = s.At, []string{}
	if out.Report, err = auditFolder(ctx, staged, s.Key, false, later, progress); err != nil {
		return out, err
	}
	if got := (netkit.TreeHead{Size: out.Report.Entries, Root: out.Report.Root}); got != s.Tree {
		return out, fmt.Errorf("%w: %s holds %d entries with the root %s, and the backup has %d with %s; stage it again", backup.ErrDamaged, staged, got.Size, got.Root, s.Tree.Size, s.Tree.Root)
	}
	if out.Recordings, err = findRecordings(ctx, staged, &out.Missing); err != nil {
		return out, err
	}
	out.nameMissingFiles(staged, s)
	out.nameLaterEntries(s, later)
	s.Verified = true
	return out, writeStage(staged, s)
}

// auditFolder audits the journal of a folder; public checks its public parts only.
func auditFolder(ctx context.Context, dir, key string, public bool, later *Later, progress func(done, total uint64)) (r audit.Report, err error) {
	seen, err := os.MkdirTemp("", "netctl-seen-*")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(seen)) }()
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: dir, ReadOnly: true, ErasedLater: later.erases()})
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return audit.Folder(ctx, store, audit.Config{From: dir, Key: key, Seen: audit.Seen(seen), Public: public, Now: time.Now, Progress: progress})
}

// findRecordings counts the recordings and transcripts that standing dispatches name
// and that are whole, and names the others.
func findRecordings(ctx context.Context, dir string, missing *[]string) (found int, err error) {
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: dir, ReadOnly: true})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	named, err := namedRecordings(ctx, store)
	if err != nil {
		return 0, err
	}
	for seq, hashes := range named {
		for _, h := range hashes {
			switch err := checkRecording(dir, h); {
			case errors.Is(err, fs.ErrNotExist):
				*missing = append(*missing, fmt.Sprintf("the recording or transcript %s of dispatch %d", h, seq))
			case err != nil:
				return 0, err
			default:
				found++
			}
		}
	}
	return found, nil
}

// checkRecording compares a stored file with its name.
func checkRecording(dir string, want netkit.Hash) error {
	name := want.String()
	f, err := os.Open(filepath.Join(dir, "audio", name[:2], name))
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err = io.Copy(sum, f); err == nil && netkit.Hash(sum.Sum(nil)) != want {
		err = fmt.Errorf("%w: the recording %s holds other bytes", backup.ErrDamaged, want)
	}
	return err
}

// nameMissingFiles names the small files that the restored network will lack.
func (out *Verified) nameMissingFiles(staged string, s *stage) {
	for _, f := range []struct{ name, lost string }{
		{"log.key", "log.key: the network cannot sign, and does not start without it"},
		{shownFile, "checkpoint: the network starts with --accept-loss only"},
		{signingKeyFile, "signing.key: addresses of recordings and invitations that were given out end"},
		{"webhooks.db", "webhooks.db: no webhook was set, or their owners replay events that were not sent"},
	} {
		if _, err := os.Stat(filepath.Join(staged, f.name)); err != nil && (s.Key != "" || f.name != "log.key") {
			out.Missing = append(out.Missing, f.lost)
		}
	}
}

// nameLaterEntries names what happened after the backup.
func (out *Verified) nameLaterEntries(s *stage, later *Later) {
	out.Missing = append(out.Missing, "every entry after "+s.LastEntry.String()+", the last one in the backup")
	if later == nil {
		out.Missing = append(out.Missing, "erasures after that: without a source, texts erased since are there again; give --erasures with a mirror, another folder or a list")
		return
	}
	if later.Tree.Size > s.Tree.Size {
		out.Ahead = later.Tree.Size - s.Tree.Size
	}
	for _, e := range later.Erasures {
		if e.Entry < s.Tree.Size {
			out.Erasures++
		}
	}
}
