package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit/backup"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/private"
)

// BackupConfig says what to back up, and where to. Dir, To and Recipients are
// required.
type BackupConfig struct {
	Dir        string         // folder of the network
	Journal    journal.Copier // of the process that writes it; nil opens the folder for reading
	To         string         // file, or an existing folder in which the backup gets a name with its time
	Recipients []string       // of age
	Settings   string         // file with the configuration; "" is none
	Now        func() time.Time
	Progress   func(done, total uint64) // nil shows nothing
}

// backupSuffix ends the name of a backup in a folder of backups.
const backupSuffix = ".netctl.tar"

// backupTime is the form of the time in that name.
const backupTime = "20060102T150405Z"

// unfinishedBackup is the pattern of a backup that is being written.
const unfinishedBackup = ".netctl-backup-*"

// Backup writes a backup of a network's folder, beside the server that runs on it or
// without one, and returns its path. The file has its name once it is whole and
// synced; a stop before leaves no file of that name.
func Backup(ctx context.Context, cfg BackupConfig) (path string, m backup.Manifest, err error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	recipients, err := ParseRecipients(cfg.Recipients)
	if err != nil {
		return "", m, err
	}
	folder := cfg.To
	if info, err := os.Stat(cfg.To); err != nil || !info.IsDir() {
		folder = filepath.Dir(cfg.To)
	}
	if err := removeOldParts(folder, cfg.Now()); err != nil {
		return "", m, err
	}
	f, err := os.CreateTemp(folder, unfinishedBackup) // mode 0600
	if err != nil {
		return "", m, fmt.Errorf("host: a backup cannot be written to %s: %w; name a file or a folder that exists", cfg.To, err)
	}
	m, err = cfg.write(ctx, &syncedWriter{f: f}, recipients)
	err = errors.Join(err, f.Sync(), f.Close())
	if path = cfg.To; err == nil && folder == cfg.To {
		path = filepath.Join(folder, BackupName(m.Network, m.At))
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return "", m, errors.Join(err, os.Remove(f.Name()))
	}
	return path, m, private.SyncFolder(folder)
}

// WriteBackup writes a backup to w, as [Backup] does to a file. The To of cfg is not used.
func WriteBackup(ctx context.Context, cfg BackupConfig, w io.Writer) (m backup.Manifest, err error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	recipients, err := ParseRecipients(cfg.Recipients)
	if err != nil {
		return m, err
	}
	return cfg.write(ctx, w, recipients)
}

// syncedWriter syncs a file every so often, so that no writer of the journal on the
// same disk waits for all of it at the end.
type syncedWriter struct {
	f       *os.File
	pending int
}

const syncEvery = 16 << 20

// Write implements io.Writer.
func (w *syncedWriter) Write(p []byte) (int, error) {
	n, err := w.f.Write(p)
	if w.pending += n; err == nil && w.pending >= syncEvery {
		w.pending, err = 0, w.f.Sync()
	}
	return n, err
}

// ParseRecipients reads public keys of age.
func ParseRecipients(texts []string) ([]age.Recipient, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	recipients, err := age.ParseRecipients(strings.NewReader(strings.Join(texts, "\n")))
	if err != nil {
		return nil, fmt.Errorf("host: a recipient of backups is no public key of age, such as age1…: %w; age-keygen makes one", err)
	}
	return recipients, nil
}

// removeOldParts removes what a process that was killed left of a backup.
func removeOldParts(folder string, now time.Time) error {
	names, err := filepath.Glob(filepath.Join(folder, unfinishedBackup))
	for _, name := range names {
		if info, gone := os.Lstat(name); gone == nil && now.Sub(info.ModTime()) > time.Hour {
			err = errors.Join(err, os.Remove(name))
		}
	}
	return err
}

// write puts the backup together. Checkpoints are read before the head of the
// journal, which runs ahead of them, and recordings after it.
func (cfg *BackupConfig) write(ctx context.Context, w io.Writer, recipients []age.Recipient) (m backup.Manifest, err error) {
	kept, err := keptCheckpoints(cfg.Dir)
	if err != nil {
		return m, err
	}
	if cfg.Journal == nil {
		store, err := sqlite.Open(ctx, sqlite.Config{Dir: cfg.Dir, ReadOnly: true})
		if err != nil {
			return m, err
		}
		defer func() { err = errors.Join(err, store.Close()) }()
		cfg.Journal = store
	}
	network, key, err := foundation(ctx, cfg.Journal)
	if err != nil {
		return m, err
	}
	if _, err := os.Stat(filepath.Join(cfg.Dir, "log.key")); err != nil && key != "" {
		return m, fmt.Errorf("host: a backup without log.key could never be served: %w; put the key back first", err)
	}
	drill, err := drillKey(cfg.Dir, cfg.Recipients)
	if err != nil {
		return m, err
	}
	return backup.Write(ctx, w, backup.Config{Journal: cfg.Journal, Network: network, Key: key, Checkpoint: kept[filepath.Join(cfg.Dir, shownFile)],
		Recordings: func() ([]backup.File, error) { return listRecordings(filepath.Join(cfg.Dir, "audio")) },
		Files:      func() ([]backup.File, error) { return cfg.smallFiles(kept) },
		Recipients: recipients, Names: cfg.Recipients, Drill: drill, Now: cfg.Now, Progress: cfg.Progress})
}

// listRecordings lists the stored files with the lists of their uploaders.
func listRecordings(dir string) (files []backup.File, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() && d.Name() != "tmp" {
			return err
		}
		if d.IsDir() {
			return fs.SkipDir // uploads under way
		}
		if rel, err := filepath.Rel(dir, path); err != nil {
			return err
		} else if d.Type().IsRegular() {
			files = append(files, backup.File{Path: filepath.ToSlash(rel), Source: path})
		}
		return nil
	})
	return files, err
}

// keptFiles are the small files of a folder that a backup holds. Left out are the
// snapshot and its key, which the next start makes, and what belongs to one run.
var keptFiles = []string{"log.key", publicFile, signingKeyFile, "invitations"}

// SettingsFile is the name of the configuration in a restored folder.
const SettingsFile = "config.yaml"

func (cfg *BackupConfig) smallFiles(kept map[string][]byte) (files []backup.File, err error) {
	for _, name := range keptFiles {
		files = append(files, backup.File{Path: name, Source: filepath.Join(cfg.Dir, name)})
	}
	if text := kept[filepath.Join(cfg.Dir, signedFile)]; text != nil {
		files = append(files, backup.File{Path: signedFile, Content: text})
	}
	if cfg.Settings != "" {
		files = append(files, backup.File{Path: SettingsFile, Source: cfg.Settings})
	}
	db, log, err := readWebhooks(filepath.Join(cfg.Dir, "webhooks.db"))
	if err != nil || db == nil {
		return files, err
	}
	return append(files, backup.File{Path: "webhooks.db", Content: db}, backup.File{Path: "webhooks.db-wal", Content: log}), nil
}

// readWebhooks reads a database that a server may have open for itself alone, with
// its write-ahead log. The database is read first: whatever page of it changes
// meanwhile is in the log, unless the log was begun again, which its header shows.
func readWebhooks(path string) (db, log []byte, err error) {
	for range 100 {
		before, err := logStart(path + "-wal")
		if err != nil {
			return nil, nil, err
		}
		if db, err = readIfThere(path); err != nil || db == nil {
			return nil, nil, err
		}
		if log, err = readIfThere(path + "-wal"); err != nil {
			return nil, nil, err
		}
		after, err := logStart(path + "-wal")
		if err != nil {
			return nil, nil, err
		}
		if bytes.Equal(before, after) && bytes.HasPrefix(log, after) {
			return db, log, nil
		}
	}
	return nil, nil, fmt.Errorf("host: %s changes too fast to be copied; try again", path)
}

func readIfThere(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// logStart reads the header of a write-ahead log, nothing where there is none.
func logStart(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 32))
	return b, err
}

// BackupName returns the name of a backup, in a folder or a bucket of backups, that was
// begun at a time.
func BackupName(network string, at time.Time) string {
	return network + "-" + at.UTC().Format(backupTime) + backupSuffix
}

// BackupFile is a backup among others.
type BackupFile struct {
	Path string    // of the file, or its address in a bucket
	At   time.Time // when it was begun, from its name
}

// Backups lists the backups of a network in a folder, oldest first.
func Backups(folder, network string) (found []BackupFile, err error) {
	names, err := filepath.Glob(filepath.Join(folder, "*"+backupSuffix))
	return NamedBackups(names, network), err
}

// NamedBackups returns the backups of a network among files, oldest first.
func NamedBackups(paths []string, network string) (found []BackupFile) {
	for _, path := range paths {
		name, whole := strings.CutSuffix(filepath.Base(path), backupSuffix)
		text, ours := strings.CutPrefix(name, network+"-")
		if at, err := time.Parse(backupTime, text); whole && ours && err == nil {
			found = append(found, BackupFile{path, at})
		}
	}
	slices.SortFunc(found, func(a, b BackupFile) int { return a.At.Compare(b.At) })
	return found
}

// OldBackups returns those of found, which are sorted, that are older than keep, but
// never the newest one.
func OldBackups(found []BackupFile, keep time.Duration, now time.Time) []BackupFile {
	for i, f := range found {
		if i == len(found)-1 || now.Sub(f.At) <= keep {
			return found[:i]
		}
	}
	return nil
}
