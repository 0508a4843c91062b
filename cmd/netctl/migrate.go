package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit/plural"
	"github.com/agentnet/netctl/server/host"
)

// migration holds the flags of netctl migrate.
type migration struct {
	from, to, files   string
	name              string // of the first node of a cluster
	owner, acceptLoss bool
	dry               bool
}

// migrated is the result of netctl migrate.
type migrated struct {
	From string `json:"from"`
	To   string `json:"to"`
	host.Moved
}

func migrateCommand(a *app) *cobra.Command {
	var m migration
	return a.verb(verb{use: "migrate", short: "Move a network between a folder and a PostgreSQL database or a cluster", offline: true, needs: []string{"from", "to"},
		long: `Move a network from the folder of one machine to a database that several servers
share (netctl help postgres) or to a cluster (netctl help cluster), or back. The
entries are copied while the network is served. At the end, both sides are compared:
the number of entries, the Merkle root, every private part with its key, and the
balance of every account. A move that was interrupted, at any point, is repeated with
the same command line.

From a folder: while netctl serve runs on it, new entries follow, and the move waits
for you to stop that server. Then the folder is that of the first node, with its keys,
recordings and small files: netctl serve --journal continues with it, and without
--journal it does not open any more. The tables of the database are made before, by
netctl node database.

From a database: the folder of a node that does not run takes the network, or an empty
one, which gets keys, recordings and small files from the folder of a node on this
machine (--files). All nodes stop when the entries are copied, and a node that is
started on the database later is refused with the new place. The database keeps its
entries. Next comes netctl serve with the folder.

To a cluster: nothing is copied. Once netctl serve on the folder has ended, the folder
becomes the first node of a cluster, which other nodes reach at --to. Next come netctl
serve --cluster with it, and netctl cluster invite for the others.

From a cluster: --from is the folder of a node that votes and whose server is stopped;
the others continue meanwhile. An empty folder takes the network, with the keys,
recordings and small files of that node. Then the cluster takes no more entries, and
its nodes stop. A network moves between a database and a cluster through a folder.`,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&m.from, "from", "", "where the network is: a folder, also that of a stopped node of a cluster, or postgres://ROLE@HOST/DATABASE")
			f.StringVar(&m.to, "to", "", "where it moves to: a folder, postgres://ROLE@HOST/DATABASE, or cluster://HOST:PORT, where other nodes will reach the folder of --from")
			f.StringVar(&m.name, "node-name", "", "to a cluster: name of the first node; default: random")
			f.StringVar(&m.files, "files", "", "from a database or a cluster: folder of a node whose keys, recordings and small files are copied where they are missing")
			f.BoolVar(&m.owner, "journal-owner", false, "connect to the database although the role may change or remove entries")
			f.BoolVar(&m.acceptLoss, "accept-loss", false, "use the database although its settings lose acknowledged entries in a power cut")
			f.BoolVar(&m.dry, "dry-run", false, "check that the move can begin, and change nothing")
		},
		run: func(c *call) error { return c.migrate(&m) }})
}

// migrate moves a network by the flags.
func (c *call) migrate(m *migration) (err error) {
	from, to, err := c.parseSides(m)
	if err != nil {
		return err
	}
	if to.first != "" {
		return c.beginCluster(m, from, to)
	}
	folder, engine := from, to
	if from.dir == "" {
		folder, engine = to, from
	}
	cfg := host.MoveConfig{Dir: folder.dir, Files: cmp.Or(m.files, from.files), Comparing: c.progress()}
	c.followMove(&cfg, "copied")
	if cfg.Place, err = folder.describe(); err != nil {
		return err
	}
	if cfg.Engine, err = engine.open(c.ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cfg.Engine.Close()) }()
	check, move := cfg.CheckToEngine, host.MoveToEngine
	if from.dir == "" {
		check, move = cfg.CheckToFolder, host.MoveToFolder
	}
	if m.dry {
		return c.dryMove(check)
	}
	out, err := move(c.ctx, cfg)
	if err != nil {
		return err
	}
	c.describeMove(from, to, &out)
	return c.show(migrated{from.text, to.text, out}, nil)
}

// dryMove checks that a move can begin.
func (c *call) dryMove(check func(context.Context) error) error {
	if err := check(c.ctx); err != nil {
		return err
	}
	c.talk("the move can begin; nothing was changed")
	return nil
}

// followMove shows how far the first copy is, and asks for the end of the writer after it.
// By then the entries are as done says.
func (c *call) followMove(cfg *host.MoveConfig, done string) {
	progress, waits := c.progress(), false
	cfg.Waiting = func(entries uint64) {
		waits = true
		c.askToStop(cfg.Dir, entries, done)
	}
	cfg.Copying = func(done, total uint64) {
		if progress != nil && !waits {
			progress(done, total)
		}
	}
}

// askToStop names the server that the move waits for.
func (c *call) askToStop(dir string, entries uint64, done string) {
	server := "the server"
	if r, ok := findRunning(c.ctx, dir); ok {
		server = fmt.Sprintf("the server, process %d at %s", r.PID, r.URL)
	}
	c.talk("%s %s; now stop %s on %s. New entries follow until it has ended", plural.Count(entries, "entry is", "entries are"), done, server, dir)
}

// describeMove names the remains of the source and the next step.
func (c *call) describeMove(from, to movePlace, out *host.Moved) {
	c.describeCompared(out)
	if from.dir != "" {
		c.talk("%s is the folder of the node %s now (node.json): its keys, recordings and small files stay there, and it opens with the database only", from.dir, out.Node)
		c.talk("next: netctl serve --data %s --journal %s", from.dir, to.text)
		return
	}
	for _, recording := range out.Missing {
		c.talk("! the recording or transcript %s is not in %s", recording, to.dir)
	}
	if len(out.Missing) > 0 {
		c.talk("recordings are in the folders of the nodes that received them: netctl doctor --repair --from FOLDER --data %s copies them", to.dir)
	}
	c.talk("the %s keeps its entries and takes no more; its nodes have stopped, and their folders are copies (node.json)", from.noun)
	c.talk("next: netctl serve --data %s", to.dir)
}

// describeCompared names the amounts that were compared.
func (c *call) describeCompared(out *host.Moved) {
	c.talk("%s, the root %s, %s and %s are the same on both sides", plural.Count(out.Entries, "entry", "entries"), out.Root,
		plural.Count(out.Private, "private part", "private parts"), plural.Count(uint64(out.Accounts), "balance", "balances"))
}
