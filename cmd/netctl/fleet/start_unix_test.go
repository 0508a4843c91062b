//go:build unix

package fleet

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/cluster"
	"github.com/agentnet/netctl/netkit/journal/postgres"
	"github.com/agentnet/netctl/netkit/journal/postgres/pgtest"
	"github.com/agentnet/netctl/netkit/netkittest"
)

// layout is how the nodes of a fleet are laid out. The zero value has folders on the
// disk of the tests.
type layout struct {
	dirs  [3]string // folders; "" is a new one
	flags []string  // of every node
}

// engines start three nodes of one network.
var engines = []struct {
	name  string
	start func(t *testing.T, l layout) *fleet
}{
	{"postgres", startOnDatabase},
	{"cluster", startCluster},
}

// newFleet returns a fleet without nodes.
func newFleet(t *testing.T, l layout) *fleet {
	return &fleet{t: t, acked: map[string]uint64{}, names: map[string]*Server{}, layout: l}
}

// fleetOf returns a fleet of one server, which runs.
func fleetOf(t *testing.T, v *Server) *fleet {
	c := newFleet(t, layout{})
	c.nodes = []*Server{v}
	return c
}

// newNode returns the next node of a fleet, which is called n0, n1 or n2.
func (c *fleet) newNode(flags ...string) *Server {
	i := len(c.nodes)
	v := &Server{T: c.t, Dir: c.layout.dirs[i], Flags: append(flags, c.layout.flags...)}
	if v.Dir == "" {
		v.Dir = c.t.TempDir()
	}
	c.names[fmt.Sprint("n", i)] = v
	c.nodes = append(c.nodes, v)
	return v
}

// startOnDatabase starts three nodes on a database.
func startOnDatabase(t *testing.T, l layout) *fleet {
	return startNodes(t, startTables(t).URL("node"), l)
}

// startTables starts a database with the tables of a network.
func startTables(t *testing.T, settings ...string) *pgtest.Server {
	t.Helper()
	db := pgtest.Start(t, settings...)
	db.Exec("CREATE ROLE node LOGIN")
	MustRun(t, "node", "database", db.URL("owner"), "--grant", "node")
	return db
}

// startNodes starts three nodes that reach a database at an address.
func startNodes(t *testing.T, at string, l layout) *fleet {
	t.Helper()
	engine, err := postgres.Open(t.Context(), postgres.Config{URL: at})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	c := newFleet(t, l)
	c.named = func() string {
		w, err := engine.Writer(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return w.Node
	}
	for i := range l.dirs {
		v := c.newNode("--node-name", fmt.Sprint("n", i))
		v.Flags = append(v.Flags, "--journal", at)
		if i > 0 {
			c.shareKeys(c.nodes[0].Dir, v.Dir)
		}
		v.Start()
	}
	return c
}

// shareKeys gives a new node the keys of another one.
func (c *fleet) shareKeys(from, to string) {
	for _, name := range []string{"log.key", "signing.key"} {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), text, 0o600)
		}
		if err != nil {
			c.t.Fatal(err)
		}
	}
}

// startCluster starts three nodes that are a cluster.
func startCluster(t *testing.T, l layout) *fleet {
	c := newFleet(t, l)
	c.named = func() string { return c.status().Leader }
	first := c.newNode()
	flags, at := first.Flags, FreeAddress(t)
	first.Flags = append(flags, "--cluster-init", "--cluster-addr", at, "--node-name", "n0")
	first.Start()
	first.Flags = append(flags, "--cluster")
	for range 2 {
		v := c.newNode("--cluster")
		c.joinNode(v, fmt.Sprint("n", len(c.nodes)-1), first)
		v.Start()
	}
	netkittest.Until(t, "three nodes vote", func() bool {
		voters := 0
		for _, m := range c.status().Members {
			if m.Voter {
				voters++
			}
		}
		return voters == 3
	})
	return c
}

// joinNode makes the folder of a server that of a new node, by a token of another one.
func (c *fleet) joinNode(v *Server, name string, by *Server) {
	c.t.Helper()
	at := FreeAddress(c.t)
	token := strings.Trim(c.runLed("cluster", "invite", "--data", by.Dir, "--jq", ".token"), `"`)
	c.runLed("cluster", "join", token, "--addr", at, "--name", name, "--data", v.Dir)
	c.names[name] = v
}

// runLed runs a command as [MustRun] does, again while no node of the cluster leads.
func (c *fleet) runLed(args ...string) (out string) {
	c.t.Helper()
	netkittest.Until(c.t, "a leader", func() bool {
		code, text, said := Run(args...)
		if out = strings.TrimSpace(text); code != 0 && !strings.Contains(said, cluster.ErrNoLeader.Error()) {
			c.t.Fatalf("netctl %s: exit %d: %s", strings.Join(args, " "), code, said)
		}
		return code == 0
	})
	return out
}

// status returns the cluster as a node that answers sees it.
func (c *fleet) status() cluster.Status {
	for _, v := range c.nodes {
		client, err := cluster.NewClient(v.Dir)
		if err != nil {
			c.t.Fatal(err)
		}
		if s, err := client.Status(c.t.Context()); err == nil {
			return s
		}
	}
	return cluster.Status{}
}
