package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"filippo.io/age"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/backup"
	"github.com/agentnet/netctl/netkit/plural"
	"github.com/agentnet/netctl/server/host"
)

func restoreCommand(a *app) *cobra.Command {
	return noun("restore", "Bring a network back from a backup, in three steps", restoreStage(a), restoreVerify(a), restoreFinish(a))
}

// staged is the result of netctl restore stage.
type staged struct {
	Staged    string          `json:"staged" doc:"folder in which the restore is prepared"`
	Network   string          `json:"network"`
	Tree      netkit.TreeHead `json:"tree"`
	LastEntry netkit.Millis   `json:"last_entry"`
}

func restoreStage(a *app) *cobra.Command {
	var identity, at string
	return a.verb(verb{use: "stage BACKUP|ARCHIVE", short: "Unpack a backup or an archive beside an empty folder", offline: true, args: exactly("BACKUP"), files: true, needs: []string{"identity"},
		long: `Compare every byte of a backup with its checksum, decrypt it, and unpack it for the
folder of --data, which must be missing or empty, into DATA.restoring beside it.
A damaged member is named and nothing is served from it. Next comes netctl restore
verify.

An archive, file:///FOLDER or s3://BUCKET/FOLDER, is unpacked up to its last entry,
or up to the second that --at names. Erasures that it knows from later are repeated
by netctl restore finish.`,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&at, "at", "", "of an archive: the last second to restore, as 2026-11-24T05:00:00Z")
			f.StringVar(&identity, "identity", "", "file with the identity of age that opens the backup")
		},
		run: func(c *call) error {
			dir, err := c.localDir()
			if err != nil {
				return err
			}
			ids, err := identities(identity)
			if err != nil {
				return err
			}
			if isArchive(c.args[0]) && !backupInBucket(c.args[0]) {
				return c.stageArchive(dir, ids, at)
			}
			if at != "" {
				return usage(errors.New("--at names a second of an archive; a backup holds one moment"))
			}
			file, remove, err := fetchBackup(c.ctx, c.args[0], "")
			if err != nil {
				return err
			}
			b, err := backup.Open(c.ctx, file)
			if err != nil {
				return errors.Join(err, remove())
			}
			err = host.Stage(c.ctx, b, ids, dir, c.progress())
			if err = errors.Join(err, b.Close(), remove()); err == nil {
				c.talk("next: netctl restore verify --data %s", dir)
			}
			return c.show(staged{host.StagedDir(dir), b.Manifest.Network, b.Manifest.Tree, b.Manifest.LastEntry}, err)
		}})
}

// stageArchive unpacks an archive, up to a second.
func (c *call) stageArchive(dir string, ids []age.Identity, at string) error {
	var until time.Time
	if at != "" {
		var err error
		if until, err = time.Parse(time.RFC3339, at); err != nil {
			return usage(errors.New("--at takes a time such as 2026-11-24T05:00:00Z"))
		}
		until = until.Add(time.Second - time.Millisecond) // all of that second
	}
	store, err := openArchive(c.args[0])
	if err != nil {
		return err
	}
	m, err := host.StageArchive(c.ctx, store, c.args[0], ids, dir, until, c.progress())
	if err == nil {
		c.talk("next: netctl restore verify --data %s", dir)
	}
	return c.show(staged{host.StagedDir(dir), m.Network, m.Tree, m.LastEntry}, err)
}

const erasuresHelp = "source of later erasures: another data folder of the network, a mirror of its log, an archive, or a JSON list; default: the archive that was restored"

// later reads the erasures beyond the backup, nil without a source.
func (c *call) later(dir, from string) (*host.Later, error) {
	address := from
	if address == "" {
		var err error
		if address, err = host.StagedArchive(dir); err != nil {
			return nil, err
		}
	}
	if isArchive(address) {
		store, err := openArchive(address)
		if err != nil {
			return nil, err
		}
		return host.ReadLaterArchive(c.ctx, dir, store)
	}
	if from == "" {
		c.talk("! erasures after the backup are unknown: texts that were erased since are there again. --erasures names a mirror, another folder or a list")
		return nil, nil
	}
	return host.ReadLater(c.ctx, dir, from)
}

func restoreVerify(a *app) *cobra.Command {
	var from string
	return a.verb(verb{use: "verify", short: "Replay the staged restore and compare all of it", offline: true,
		long: `Replay the journal that was unpacked by the rules, as an auditor does, and compare
its root, its last checkpoint, every balance, every private part and every recording.
Then say what the restored network will lack. Next comes netctl restore finish.`,
		flags: func(f *pflag.FlagSet) { f.StringVar(&from, "erasures", "", erasuresHelp) },
		run: func(c *call) error {
			dir, err := c.localDir()
			if err != nil {
				return err
			}
			later, err := c.later(dir, from)
			if err != nil {
				return err
			}
			found, err := host.Verify(c.ctx, dir, later, c.progress())
			if err == nil && c.table() {
				c.restorable(dir, &found)
				return nil
			}
			return c.show(found, err)
		}})
}

// restorable says in sentences what Verify came to.
func (c *call) restorable(dir string, v *host.Verified) {
	fmt.Fprintf(c.out, "✓ %s of %s: every rule holds, the root is that of the backup\n", plural.Count(v.Report.Entries, "entry", "entries"), v.Report.Network)
	fmt.Fprintf(c.out, "✓ the books of %s sum to %s\n", plural.Count(uint64(v.Report.Books.Accounts), "account", "accounts"), v.Report.Books.Sum)
	fmt.Fprintf(c.out, "✓ the last checkpoint counts %s\n", plural.Count(v.Report.Checkpoint, "entry", "entries"))
	fmt.Fprintf(c.out, "✓ %s whole\n", plural.Count(uint64(v.Recordings), "recording is", "recordings are"))
	if v.Ahead > 0 {
		fmt.Fprintf(c.out, "! the source has %s more, which are lost here; %s repeated\n", plural.Count(v.Ahead, "entry", "entries"), plural.Count(uint64(v.Erasures), "erasure is", "erasures are"))
	}
	for _, what := range v.Missing {
		fmt.Fprintf(c.out, "- will be missing: %s\n", what)
	}
	c.talk("next: netctl restore finish --data %s", dir)
}

func restoreFinish(a *app) *cobra.Command {
	var from string
	return a.verb(verb{use: "finish", short: "Record the restore and give the folder its name", offline: true,
		long: `Append the entry journal.restored to the verified restore, repeat each erasure that
the source of --erasures knows, and rename the folder to that of --data. A finish
that was stopped is repeated. Followers, witnesses and auditors who have seen later
entries then report a fork, and journal.restored explains it.`,
		flags: func(f *pflag.FlagSet) { f.StringVar(&from, "erasures", "", erasuresHelp) },
		run: func(c *call) error {
			dir, err := c.localDir()
			if err != nil {
				return err
			}
			later, err := c.later(dir, from)
			if err != nil {
				return err
			}
			done, err := host.Finish(c.ctx, dir, later, c.warn)
			if err == nil {
				for _, refused := range done.Refused {
					c.talk("! not erased yet: %s", refused)
				}
				if done.Settings != "" {
					c.talk("the configuration from the backup is %s; compare it with %s", filepath.Join(dir, done.Settings), c.set.file)
				}
				c.talk("tokens that were revoked after the backup are valid again; netctl help worst-days says what to look at. Next: netctl serve --data %s", dir)
			}
			return c.show(done, err)
		}})
}
