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

// fleets start three nodes of one network, on each engine.
var fleets = []struct {
	name  string
	start func(t *testing.T) *fleet
}{
	{"postgres", startOnDatabase},
	{"cluster", startCluster},
}

// startOnDatabase starts three nodes on a database.
func startOnDatabase(t *testing.T) *fleet {
	return startNodes(t, startTables(t).URL("node"), t.TempDir(), t.TempDir(), t.TempDir())
}

// startTables starts a database with the tables of a network.
func startTables(t *testing.T, settings ...string) *pgtest.Server {
	t.Helper()
	db := pgtest.Start(t, settings...)
	db.Exec("CREATE ROLE node LOGIN")
	MustRun(t, "node", "database", db.URL("owner"), "--grant", "node")
	return db
}

// startNodes starts a node on each folder. They reach the database at an address.
func startNodes(t *testing.T, url string, dirs ...string) *fleet {
	t.Helper()
	engine, err := postgres.Open(t.Context(), postgres.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	c := &fleet{t: t, acked: map[string]uint64{}, named: func() string {
		w, err := engine.Writer(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return w.Address
	}}
	for i, dir := range dirs {
		v := &Server{T: t, Dir: dir, Flags: []string{"--journal", url}}
		if i > 0 {
			c.shareKeys(c.nodes[0].Dir, v.Dir)
		}
		v.Start()
		c.nodes = append(c.nodes, v)
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
func startCluster(t *testing.T) *fleet {
	c := &fleet{t: t, acked: map[string]uint64{}}
	c.named = func() string { return c.urlOf(c.status().Leader) }
	first := &Server{T: t, Dir: t.TempDir(), Flags: []string{"--cluster-init", "--cluster-addr", FreeAddress(t), "--node-name", "n0"}}
	first.Start()
	first.Flags = []string{"--cluster"}
	c.nodes = append(c.nodes, first)
	for i := range 2 {
		v := &Server{T: t, Dir: t.TempDir(), Flags: first.Flags}
		c.joinNode(v, fmt.Sprintf("n%d", i+1), first)
		v.Start()
		c.nodes = append(c.nodes, v)
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
	token := strings.Trim(MustRun(c.t, "cluster", "invite", "--data", by.Dir, "--jq", ".token"), `"`)
	MustRun(c.t, "cluster", "join", token, "--addr", FreeAddress(c.t), "--name", name, "--data", v.Dir)
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

// urlOf returns the address of the API of the node of a name, "" for another name.
func (c *fleet) urlOf(name string) string {
	for _, v := range c.nodes {
		if m, err := cluster.ReadMember(v.Dir); err == nil && m.Name == name {
			return v.URL
		}
	}
	return ""
}
