package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"filippo.io/age"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/server/host"
)

// backedUp is the result of netctl backup.
type backedUp struct {
	File       string          `json:"file"`
	Bytes      int64           `json:"bytes"`
	Network    string          `json:"network"`
	Tree       netkit.TreeHead `json:"tree"`
	LastEntry  netkit.Millis   `json:"last_entry" doc:"time of the last entry in it"`
	Recordings int             `json:"recordings"`
	Recipients []string        `json:"recipients" doc:"of age: who can restore it"`
}

func backupCommand(a *app) *cobra.Command {
	return a.verb(verb{use: "backup", short: "Back up a network on this machine, encrypted, while it runs", offline: true,
		long: `Write a backup of the folder of --data, or of the context local: the journal with
its sealed private parts and their keys, the recordings, the keys and the small
files of the folder, and your configuration. It is consistent, and a server that
runs on the folder goes on writing.

The backup is one file, encrypted with age to each --recipient: make a key with
age-keygen, keep its identity away from this machine, and give the public half
here. A stop at any point leaves no half backup. In a folder it gets a name with
its time, and backups older than backup.keep are removed there. So it is in a
bucket, s3://BUCKET/FOLDER; netctl help archive describes its address and keys.

netctl serve makes backups by itself once backup.every is set. netctl help worst-days
describes how to restore one.`,
		flags: func(f *pflag.FlagSet) {
			f.String("to", "", "file, or folder of backups")
			f.Var(new(words), "recipient", "public key of age (age1…) that can restore it, or a file of them; may be given more than once")
			f.String("keep", "35d", "remove backups in the folder that are older than this")
		},
		run: func(c *call) error {
			dir, err := c.localDir()
			if err != nil {
				return err
			}
			if !host.Present(dir) {
				return missingNetwork(dir)
			}
			return c.show(c.backUp(dir))
		}})
}

func (c *call) backUp(dir string) (out backedUp, err error) {
	to := c.set.v.GetString("backup.to")
	if to == "" {
		return out, usage(errors.New("--to names the file or the folder of the backup; netctl config set backup.to keeps one"))
	}
	recipients, err := c.set.recipients()
	if err != nil {
		return out, err
	}
	if len(recipients) == 0 {
		return out, usage(errors.New("--recipient names who can restore the backup: age-keygen -o backup.key makes an identity and prints its public key"))
	}
	place, err := openPlace(to)
	if err != nil {
		return out, err
	}
	w, err := place.write(c.ctx, host.BackupConfig{Dir: dir, Recipients: recipients, Settings: c.set.file, Progress: c.progress()})
	if err != nil {
		return out, err
	}
	m := w.manifest
	out = backedUp{File: w.path, Bytes: w.bytes, Network: m.Network, Tree: m.Tree, LastEntry: m.LastEntry, Recordings: m.Recordings, Recipients: recipients}
	if w.path != to {
		err = removeOld(c.ctx, place, m.Network, c.set.span("backup.keep"))
	}
	return out, err
}

// recipients returns the public keys of backup.recipient; a word that is a file
// stands for the keys in it.
func (s *settings) recipients() ([]string, error) { return s.keysOf("backup.recipient") }

// keysOf returns the public keys of age that a setting names.
func (s *settings) keysOf(key string) (all []string, err error) {
	for word := range strings.FieldsSeq(s.v.GetString(key)) {
		if strings.HasPrefix(word, "age1") {
			all = append(all, word)
			continue
		}
		text, err := os.ReadFile(word)
		if err != nil {
			return nil, usage(fmt.Errorf("%s is neither a public key of age, such as age1…, nor a file of them: %w", key, err))
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				all = append(all, line)
			}
		}
	}
	if _, err := host.ParseRecipients(all); err != nil {
		return nil, usage(err)
	}
	return all, nil
}

// identities reads the private keys in a file that age-keygen made.
func identities(path string) ([]age.Identity, error) {
	if path == "" {
		return nil, usage(errors.New("--identity names the file with the identity of age that opens the backup"))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	ids, err := age.ParseIdentities(f)
	if err != nil {
		return nil, fmt.Errorf("%s holds no identity of age: %w; age-keygen makes one", path, err)
	}
	return ids, nil
}
