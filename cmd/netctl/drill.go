package main

import (
	"errors"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"filippo.io/age"

	"github.com/agentnet/netctl/server/host"
)

func drillCommand(a *app) *cobra.Command {
	var identity string
	return a.verb(verb{use: "drill [BACKUP|ARCHIVE]", short: "Restore a backup or an archive for a trial, and throw it away", offline: true, args: cobra.MaximumNArgs(1), files: true,
		long: `Restore a backup, or an archive by its address, into a temporary folder and check it: every byte, the root, the
last checkpoint and every balance. With --identity all of it is restored, with
private parts and recordings; without one its public side, and the encrypted rest is
compared with the manifest. Without BACKUP it takes the newest one in backup.to.

netctl serve does the latter once a day, and netctl doctor shows how it ended.`,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&identity, "identity", "", "file with the identity of age that opens the backup or the archive")
		},
		run: func(c *call) error {
			dir, err := c.localDir()
			if err != nil {
				return err
			}
			var ids []age.Identity
			if identity != "" {
				if ids, err = identities(identity); err != nil {
					return err
				}
			}
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return err
			}
			d, err := c.drill(dir, ids)
			if err == nil && host.Present(dir) {
				err = host.KeepDrill(dir, d)
			}
			if err == nil && d.Problem != "" {
				err = errors.New(d.Problem)
			}
			return c.show(d, err)
		}})
}

// drill tries the backup or the archive that was named, or the newest backup.
func (c *call) drill(dir string, ids []age.Identity) (d host.Drilled, err error) {
	if len(c.args) > 0 && isArchive(c.args[0]) && !backupInBucket(c.args[0]) {
		store, err := openArchive(c.args[0])
		if err != nil {
			return d, err
		}
		return host.DrillArchive(c.ctx, dir, store, ids, nil, nil)
	}
	file, err := c.chosenBackup(dir)
	if err != nil {
		return d, err
	}
	fetched, remove, err := fetchBackup(c.ctx, file, dir)
	if err != nil {
		return d, err
	}
	d, err = host.Drill(c.ctx, dir, fetched, ids, nil, nil)
	d.File = file
	return d, errors.Join(err, remove())
}

// chosenBackup is the backup that was named, or the newest one.
func (c *call) chosenBackup(dir string) (string, error) {
	if len(c.args) > 0 {
		return c.args[0], nil
	}
	none := usage(errors.New("there is no backup of this network in backup.to; name one, or netctl backup makes one"))
	to := c.set.v.GetString("backup.to")
	if to == "" {
		return "", none
	}
	network, err := host.NetworkOf(c.ctx, dir)
	if err != nil {
		return "", err
	}
	place, err := openPlace(to)
	if err != nil {
		return "", err
	}
	found, err := place.list(c.ctx, network)
	if err == nil && len(found) == 0 {
		err = none
	}
	if err != nil {
		return "", err
	}
	return found[len(found)-1].Path, nil
}
