package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit/audit"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/plural"
	"github.com/agentnet/netctl/server/host"
)

// verifying is what ledger verify was told.
type verifying struct {
	trust
	from, seen, against string
	public              bool
}

func (v *verifying) flags(f *pflag.FlagSet) {
	v.trust.flags(f)
	f.StringVar(&v.from, "from", "", "address of a network, its data folder, or a folder with a mirror of its tiles; default: the network in use")
	f.StringVar(&v.seen, "seen", "", "folder in which to keep what was seen; default: in the user's state folder")
	f.BoolVar(&v.public, "public", false, "of a data folder check the public parts, and count the private parts that it does not hold")
	f.StringVar(&v.against, "against", "", "file with a checkpoint that somebody else was shown")
}

func ledgerVerify(a *app) *cobra.Command {
	var v verifying
	return a.verb(verb{use: "verify [FILE]", short: "Check a whole network, or a proof in a file, trusting nobody", offline: true,
		args: cobra.MaximumNArgs(1), files: true, flags: v.flags,
		long: `Download the public journal of a network and check all of it: every leaf, the
root and the signature of the checkpoint; that the history continues the one
seen last time, which is kept on this machine; that every entry is what the
rules in force made of what its actor asked for, and that nothing due was left
out. Then ask the network for its books, the last night, the registry of rogue
agents, every profile and balances, and compare them with what the entries up
to the very one that each answer names add up to.

What is wrong first is named by its entry and its rule. A network that is
checked for the first time is trusted to have named its own key in genesis;
--key takes it from somewhere else. A journal that is ahead of this clock is an
error of its own and not damage; a sandbox, whose clock is moved, is compared
with the time of its own answers.

On a data folder the journal itself is read, beside a server that runs on it,
with its private parts, of which none may be missing without an erasure, the
stored tree, the guards of the database, and the snapshot, which must be what
the entries add up to; nothing else is compared there. A copy without the keys of
private parts is checked with --public, which counts those that are neither there
nor erased and leaves the snapshot out. No file in the folder is
made or changed, so a backup on a read-only file system can be checked as well.

With FILE it checks without a network what netctl ledger prove or netctl agent
credential wrote: that the network of --key signed it, that the entry is in the
journal, and, with --witness, who cosigned that.`,
		run: func(c *call) error {
			if len(c.args) > 0 {
				if v.from != "" || v.seen != "" || v.against != "" {
					return usage(errors.New("--from, --seen and --against are for a whole network; a FILE is checked by itself"))
				}
				if about, err := os.Stat(c.args[0]); err == nil && about.IsDir() {
					return usage(fmt.Errorf("%s is a folder; netctl ledger verify --from %s checks a network or a mirror in one", c.args[0], c.args[0]))
				}
				return v.verifyFile(c, c.args[0])
			}
			cfg, err := v.config(c)
			if err != nil {
				return err
			}
			spaceCollections()
			check := audit.Run
			if host.Present(cfg.From) {
				check = verifyFolder
			}
			found, err := check(c.ctx, cfg)
			if err == nil && c.table() {
				c.verdict(&found)
			}
			return c.show(found, err)
		}})
}

// verdict says in a sentence what an audit came to, then what it rests on.
func (c *call) verdict(r *audit.Report) {
	seen := "seen for the first time"
	if r.Continues != nil {
		seen = "continues what you saw on " + second(*r.Continues)
	}
	fmt.Fprintf(c.out, "✓ %s: every rule holds, the books sum to %s, %s\n", plural.Count(r.Entries, "entry", "entries"), r.Books.Sum, seen)
	if r.NotHeld > 0 {
		fmt.Fprintf(c.out, "! %s not held here; only the public parts were checked\n", plural.Count(r.NotHeld, "private part is", "private parts are"))
	}
	if strings.HasPrefix(r.KeyFrom, "genesis") {
		fmt.Fprintln(c.out, "! the key that signs was taken on trust from the network's first entry; --key takes it from somewhere else")
	}
	fmt.Fprintln(c.out)
}

// config settles what to check. Whoever checks is a stranger: no token is sent.
func (v *verifying) config(c *call) (cfg audit.Config, err error) {
	t := target{url: v.from}
	switch {
	case v.from == "":
		t, err = c.target()
	case !strings.HasPrefix(v.from, "http://") && !strings.HasPrefix(v.from, "https://"):
		t, err = c.folder(v.from)
	}
	if err != nil {
		return cfg, err
	}
	if err = v.readWitnesses(); err != nil {
		return cfg, err
	}
	if v.quorum < 0 || v.quorum > len(v.witnesses) {
		return cfg, usage(fmt.Errorf("a quorum of %d cannot come from %d witnesses; name more with --witness", v.quorum, len(v.witnesses)))
	}
	if v.public && t.data == "" {
		return cfg, usage(errors.New("--public is for a data folder; name one with --from"))
	}
	cfg = audit.Config{Public: v.public, Witnesses: v.witnesses, Quorum: v.quorum, Now: time.Now, Progress: c.progress()}
	if cfg.Seen, err = c.seenFolder(v.seen); err != nil {
		return cfg, err
	}
	if v.key != "" {
		if cfg.Key, err = keyText(v.key); err != nil {
			return cfg, err
		}
	}
	if v.against != "" {
		if cfg.Against, err = smallFile(v.against); err != nil {
			return cfg, err
		}
	}
	if t.data != "" {
		return cfg, mirrored(&cfg, t.data)
	}
	t.token = ""
	cfg.From = strings.TrimSuffix(t.url, "/")
	client, err := c.client(t, http.DefaultTransport)
	if err != nil {
		return cfg, usage(err)
	}
	// Tiles are asked for with long patience; a wrong address shows at once.
	if _, err := client.Health(c.ctx); err != nil {
		return cfg, err
	}
	cfg.Shown = client
	cfg.Log, err = audit.Fetcher(cfg.From, "netctl/"+version(), http.DefaultTransport)
	return cfg, err
}

// mirrored reads a folder: a journal by itself, tiles as a log.
func mirrored(cfg *audit.Config, dir string) error {
	cfg.From = dir
	if _, err := os.Stat(filepath.Join(dir, "checkpoint")); err != nil && !host.Present(dir) {
		return missingNetwork(dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	cfg.Log, err = audit.Mirror(root.FS()) // closed with the process
	return err
}

// verifyFolder opens the journal of a data folder read-only. It checks the
// write-ahead log first: SQLite drops all frames after a damaged one, and the rest
// is a sound journal.
func verifyFolder(ctx context.Context, cfg audit.Config) (_ audit.Report, err error) {
	if _, err := sqlite.CheckLog(cfg.From); err != nil {
		return audit.Report{}, err
	}
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: cfg.From, ReadOnly: true})
	if err != nil {
		return audit.Report{}, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	head, err := store.Head(ctx)
	if err != nil {
		return audit.Report{}, err
	}
	if head.Size == 0 {
		return audit.Report{}, missingNetwork(cfg.From)
	}
	return audit.Folder(ctx, store, cfg)
}

// seenFolder is where an auditor keeps what it saw.
func (a *app) seenFolder(said string) (audit.Seen, error) {
	if said != "" {
		return audit.Seen(said), nil
	}
	state, given := a.env("XDG_STATE_HOME")
	if !given || !filepath.IsAbs(state) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("there is no folder to keep what was seen; name one with --seen: %w", err)
		}
		state = filepath.Join(home, ".local", "state")
	}
	return audit.Seen(filepath.Join(state, "netctl", "seen")), nil
}

// A check that takes longer than soon shows how far it has come, and on what is
// no terminal once in every often.
const (
	soon  = time.Second
	often = 10 * time.Second
)

// progress shows on stderr how far a long check has come: a bar on a terminal,
// lines elsewhere. Beside -o json, stderr is kept for an error.
func (a *app) progress() func(done, total uint64) {
	switch {
	case a.set.quiet():
		return nil
	case a.terminal:
		return barred(a.err, time.Now)
	case a.set.v.GetString("output") == "json":
		return nil
	}
	return lined(a.err, time.Now)
}

func barred(w io.Writer, now func() time.Time) func(done, total uint64) {
	begun, drawn := now(), false
	return func(done, total uint64) {
		if !drawn && now().Sub(begun) < soon {
			return
		}
		drawn = true
		b := bar{w: w, done: int(done), of: int(total)}
		if b.draw(); done == total {
			b.end()
		}
	}
}

func lined(w io.Writer, now func() time.Time) func(done, total uint64) {
	last := now()
	return func(done, total uint64) {
		if t := now(); t.Sub(last) >= often {
			last = t
			fmt.Fprintf(w, "%d of %d entries\n", done, total)
		}
	}
}
