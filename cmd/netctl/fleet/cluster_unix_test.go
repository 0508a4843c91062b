//go:build unix

package fleet

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/cluster"
	"github.com/agentnet/netctl/netkit/netkittest"
)

// awaitVoter waits until a node votes and has the entries of the leader.
func (c *fleet) awaitVoter(name string) {
	c.t.Helper()
	netkittest.Until(c.t, name+" votes and lacks nothing", func() bool {
		s := c.status()
		for _, m := range s.Members {
			if m.Name == name {
				return m.Voter && m.Place != nil && s.Leader != "" && s.Behind(&m) == 0
			}
		}
		return false
	})
}

// expectSpawns checks that a node knows the agents of all acknowledged spawns.
func (c *fleet) expectSpawns(v *Server) {
	c.t.Helper()
	for slug := range c.acked {
		resp, err := http.Get(v.URL + "/agent/" + slug)
		if err != nil {
			c.t.Fatal(err)
		}
		if resp.Body.Close(); resp.StatusCode != http.StatusOK {
			c.t.Errorf("%s was acknowledged, and is not there: %d", slug, resp.StatusCode)
		}
	}
}

// Where a majority is lost, the node that is left begins a cluster of one with all that
// was acknowledged, and others join it.
func TestClusterRecoversFromOneNode(t *testing.T) {
	c := startCluster(t, layout{})
	c.spawn(t.Context(), "before", c.nodes)
	for i := range c.nodes {
		c.awaitVoter(fmt.Sprint("n", i))
	}
	for _, v := range c.nodes {
		v.Kill()
	}
	left := c.nodes[1]
	if code, _, said := Run("cluster", "recover", "--data", left.Dir); code != 2 || !strings.Contains(said, "--yes") {
		t.Errorf("recover without an answer: got %d %q, want that it asks", code, said)
	}
	MustRun(t, "cluster", "recover", "--yes", "--data", left.Dir)
	left.Start()
	c.expectSpawns(left)
	if err := os.RemoveAll(filepath.Join(c.nodes[2].Dir, "cluster")); err != nil {
		t.Fatal(err)
	}
	c.joinNode(c.nodes[2], "again", left)
	c.nodes[2].Start()
	c.nodes = c.nodes[1:]
	c.awaitVoter("again")
	MustRun(t, "cluster", "transfer", "again", "--yes", "--data", left.Dir)
	netkittest.Until(t, "the node leads", func() bool { return c.status().Leader == "again" })
	c.spawn(t.Context(), "after", []*Server{left})
	c.check()
}

// Where only the files of the network are left, a cluster begins on them.
func TestClusterBeginsOnAFolder(t *testing.T) {
	v := &Server{T: t, Dir: t.TempDir()}
	v.Start()
	c := fleetOf(t, v)
	c.spawn(t.Context(), "alone", c.nodes)
	v.Stop()
	monitor := FreeAddress(t)
	begin := []string{"--cluster-init", "--cluster-addr", FreeAddress(t), "--node-name", "oak", "--monitor-addr", monitor}
	for _, again := range []bool{false, true} {
		if again { // all is lost but this folder
			v.Kill()
			if said := refusedStart(t, "--data", v.Dir); !strings.Contains(said, "node.json") {
				t.Errorf("a start without the cluster says %q", said)
			}
			if said := refusedStart(t, append(begin, "--data", v.Dir)...); !strings.Contains(said, "begins once") {
				t.Errorf("a second beginning says %q", said)
			}
			if err := errors.Join(os.Remove(filepath.Join(v.Dir, "node.json")), os.RemoveAll(filepath.Join(v.Dir, "cluster"))); err != nil {
				t.Fatal(err)
			}
		}
		v.Flags = begin
		v.Start()
		c.expectSpawns(v)
		c.spawn(t.Context(), fmt.Sprint("cluster-", again), c.nodes)
		if out := MustRun(t, "ready", monitor); !strings.Contains(out, "cluster: oak leads, this node is oak") {
			t.Errorf("the probe says %q", out)
		}
	}
	if _, err := cluster.ReadMember(v.Dir); err != nil {
		t.Error(err)
	}
	c.check()
}
