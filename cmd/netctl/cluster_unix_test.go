//go:build unix

package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/agentnet/netctl/netkit/cluster"
)

// stop ends a server in order.
func (v *victim) stop() {
	v.t.Helper()
	if err := v.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		v.t.Fatal(err)
	}
	if err := v.cmd.Wait(); err != nil {
		v.t.Errorf("the server on %s ended: %v", v.dir, err)
	}
}

// flipBits changes a bit of each byte of a part of a file.
func flipBits(t *testing.T, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(b) / 3; i < len(b)*9/10; i++ {
		b[i] ^= 4
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// awaitVoter waits until a node votes and has the entries of the leader.
func (c *fleet) awaitVoter(name string) {
	c.t.Helper()
	eventually(c.t, name+" votes and lacks nothing", func() bool {
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
func (c *fleet) expectSpawns(v *victim) {
	c.t.Helper()
	for slug := range c.acked {
		resp, err := http.Get(v.url + "/agent/" + slug)
		if err != nil {
			c.t.Fatal(err)
		}
		if resp.Body.Close(); resp.StatusCode != http.StatusOK {
			c.t.Errorf("%s was acknowledged, and is not there: %d", slug, resp.StatusCode)
		}
	}
}

// Flipped bits in the files of one node are named, and the others continue and
// replace the files.
func TestClusterRepairsADisk(t *testing.T) {
	c := startCluster(t)
	hurt, others := c.nodes[2], c.nodes[:2]
	for i, test := range []struct{ file, named string }{{"journal.db", "the journal in "}, {"cluster/raft.db", "raft.db"}} {
		file := test.file
		c.spawn(t.Context(), fmt.Sprint("before-", i), others)
		c.awaitVoter("n2")
		hurt.stop()
		flipBits(t, filepath.Join(hurt.dir, file))
		if code, out, said := runNetctl("cluster", "repair", "--check", "--data", hurt.dir); code != 0 || !strings.Contains(out, test.named) {
			t.Errorf("%s: got %d %s %s, want it named", file, code, out, said)
		}
		if said := refusedStart(t, "--data", hurt.dir, "--cluster"); !strings.Contains(said, hurt.dir) {
			t.Errorf("%s: a start says %q", file, said)
		}
		c.spawn(t.Context(), fmt.Sprint("meanwhile-", i), others)
		mustNetctl(t, "cluster", "repair", "--data", hurt.dir)
		hurt.start()
		c.awaitVoter("n2")
	}
	hurt.stop()
	flipBits(t, filepath.Join(hurt.dir, "cluster", "keys.pem"))
	if said := refusedStart(t, "--data", hurt.dir, "--cluster"); !strings.Contains(said, "keys.pem") {
		t.Errorf("a start says %q", said)
	}
	mustNetctl(t, "cluster", "leave", "n2", "--data", others[0].dir)
	if err := os.RemoveAll(filepath.Join(hurt.dir, "cluster")); err != nil {
		t.Fatal(err)
	}
	c.joinNode(hurt, "n2", others[0])
	hurt.start()
	c.awaitVoter("n2")
	c.spawn(t.Context(), "after", []*victim{hurt})
	c.check()
}

// Where a majority is lost, the node that is left begins a cluster of one with all that
// was acknowledged, and others join it.
func TestClusterRecoversFromOneNode(t *testing.T) {
	c := startCluster(t)
	c.spawn(t.Context(), "before", c.nodes)
	for i := range c.nodes {
		c.awaitVoter(fmt.Sprint("n", i))
	}
	for _, v := range c.nodes {
		v.kill()
	}
	left := c.nodes[1]
	if code, _, said := runNetctl("cluster", "recover", "--data", left.dir); code != exitUsage || !strings.Contains(said, "--yes") {
		t.Errorf("recover without an answer: got %d %q, want that it asks", code, said)
	}
	mustNetctl(t, "cluster", "recover", "--yes", "--data", left.dir)
	left.start()
	c.expectSpawns(left)
	if err := os.RemoveAll(filepath.Join(c.nodes[2].dir, "cluster")); err != nil {
		t.Fatal(err)
	}
	c.joinNode(c.nodes[2], "again", left)
	c.nodes[2].start()
	c.nodes = c.nodes[1:]
	c.awaitVoter("again")
	mustNetctl(t, "cluster", "transfer", "again", "--data", left.dir)
	eventually(t, "the node leads", func() bool { return c.status().Leader == "again" })
	c.spawn(t.Context(), "after", []*victim{left})
	c.check()
}

// Where only the files of the network are left, a cluster begins on them.
func TestClusterBeginsOnAFolder(t *testing.T) {
	v := &victim{t: t, dir: t.TempDir()}
	v.start()
	c := &fleet{t: t, nodes: []*victim{v}, acked: map[string]uint64{}}
	c.spawn(t.Context(), "alone", c.nodes)
	v.stop()
	monitor := freeNodeAddress(t)
	begin := []string{"--cluster-init", "--cluster-addr", freeNodeAddress(t), "--node-name", "oak", "--monitor-addr", monitor}
	for _, again := range []bool{false, true} {
		if again { // all is lost but this folder
			v.kill()
			if said := refusedStart(t, "--data", v.dir); !strings.Contains(said, "node.json") {
				t.Errorf("a start without the cluster says %q", said)
			}
			if said := refusedStart(t, append(begin, "--data", v.dir)...); !strings.Contains(said, "begins once") {
				t.Errorf("a second beginning says %q", said)
			}
			if err := errors.Join(os.Remove(filepath.Join(v.dir, "node.json")), os.RemoveAll(filepath.Join(v.dir, "cluster"))); err != nil {
				t.Fatal(err)
			}
		}
		v.flags = begin
		v.start()
		c.expectSpawns(v)
		c.spawn(t.Context(), fmt.Sprint("cluster-", again), c.nodes)
		if out := mustNetctl(t, "ready", monitor); !strings.Contains(out, "cluster: oak leads, this node is oak") {
			t.Errorf("the probe says %q", out)
		}
	}
	if _, err := cluster.ReadMember(v.dir); err != nil {
		t.Error(err)
	}
	c.check()
}
