package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"filippo.io/age"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit/backup"
	"github.com/agentnet/netctl/server/host"
)

// repairFlags are those of netctl doctor that change something.
type repairFlags struct {
	wanted         bool
	from, identity string
}

func (r *repairFlags) add(f *pflag.FlagSet) {
	f.BoolVar(&r.wanted, "repair", false, "put back the parts that a copy has, first")
	f.StringVar(&r.from, "from", "", "copy to repair from: a backup, an archive by its address, or another folder of the network; default: the archive, else the newest backup in backup.to")
	f.StringVar(&r.identity, "identity", "", "file with the identity of age that opens the copy")
}

// repair puts back missing and damaged files, and returns a finding for each.
func (c *call) repair(r *repairFlags, dir string) (found []finding, err error) {
	if !r.wanted {
		if r.from != "" || r.identity != "" {
			return nil, usage(errors.New("--from and --identity belong to --repair"))
		}
		return nil, nil
	}
	if !host.Present(dir) {
		return nil, missingNetwork(dir)
	}
	if found, err = closeFolder(dir); err != nil {
		return nil, err
	}
	from, remove, err := c.unpackCopy(r, dir)
	if err != nil {
		return nil, err
	}
	repaired, err := host.Repair(c.ctx, dir, from)
	if err = errors.Join(err, remove()); err != nil {
		return nil, err
	}
	for _, one := range repaired {
		f := finding{"repair", fine, one.What, ""}
		if !one.Done {
			f.State, f.Advice = problem, one.Still
		}
		found = append(found, f)
	}
	if len(found) == 0 {
		found = []finding{{"repair", fine, "there was nothing to repair", ""}}
	}
	return found, nil
}

// closeFolder takes a folder and its secret files from the sight of others.
func closeFolder(dir string) (found []finding, err error) {
	modes := map[string]os.FileMode{dir: 0o700}
	for _, f := range folderFiles {
		if path := filepath.Join(dir, f.name); f.secret && tooOpen(path) {
			modes[path] = 0o600
		}
	}
	for path, mode := range modes {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if info.Mode().Perm()&0o077 == 0 {
			continue
		}
		if err := os.Chmod(path, mode); err != nil {
			return nil, err
		}
		found = append(found, finding{"repair", fine, "others could read " + path + ", and cannot any more", "replace the keys that they may have seen"})
	}
	return found, nil
}

// unpackCopy returns the folder of a copy to repair from, "" without one, and the
// function that removes it if it was unpacked.
func (c *call) unpackCopy(r *repairFlags, dir string) (folder string, remove func() error, err error) {
	remove = func() error { return nil }
	word := r.from
	if word == "" {
		if word, err = c.chosenCopy(r, dir); word == "" || err != nil {
			return "", remove, err
		}
	}
	if host.Present(word) {
		return word, remove, nil
	}
	var ids []age.Identity
	if r.identity != "" {
		if ids, err = identities(r.identity); err != nil {
			return "", remove, err
		}
	}
	temp, err := os.MkdirTemp(dir, fetchedBackup)
	if err != nil {
		return "", remove, err
	}
	to := filepath.Join(temp, "copy")
	if isArchive(word) && !backupInBucket(word) {
		folder, err = to, c.unpackArchive(word, ids, to)
	} else {
		folder, err = host.StagedDir(to), c.unpackBackup(word, ids, to)
	}
	if err != nil {
		return "", remove, errors.Join(err, os.RemoveAll(temp))
	}
	return folder, func() error { return os.RemoveAll(temp) }, nil
}

// chosenCopy returns the archive of a folder, or the newest backup if there is an
// identity to open it, "" without either.
func (c *call) chosenCopy(r *repairFlags, dir string) (string, error) {
	for _, address := range []string{c.set.v.GetString("serve.archive"), host.ArchiveAddress(dir)} {
		if address != "" {
			return address, nil
		}
	}
	if r.identity == "" || c.set.v.GetString("backup.to") == "" {
		return "", nil
	}
	return c.chosenBackup(dir)
}

func (c *call) unpackArchive(address string, ids []age.Identity, to string) error {
	store, err := openArchive(address)
	if err != nil {
		return err
	}
	f, err := host.OpenFollower(c.ctx, host.FollowConfig{Dir: to, Store: store, IDs: ids, Progress: c.progress()})
	if err != nil {
		return err
	}
	return errors.Join(f.Follow(c.ctx), f.Close())
}

func (c *call) unpackBackup(word string, ids []age.Identity, to string) (err error) {
	if ids == nil {
		return usage(errors.New("--identity names the file with the identity of age that opens the backup"))
	}
	file, remove, err := fetchBackup(c.ctx, word, filepath.Dir(to))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	return stageBackup(c.ctx, file, ids, to, c.progress())
}

func stageBackup(ctx context.Context, file string, ids []age.Identity, to string, progress func(done, total uint64)) error {
	b, err := backup.Open(ctx, file)
	if err != nil {
		return err
	}
	return errors.Join(host.Stage(ctx, b, ids, to, progress), b.Close())
}
