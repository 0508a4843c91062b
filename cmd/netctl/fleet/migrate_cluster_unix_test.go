//go:build unix

package fleet

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/server/host"
)

// A network that is served by a cluster moves into a folder. Nothing that was
// acknowledged is lost, and the nodes stop and do not start again.
func TestMigrateFromAClusterUnderLoad(t *testing.T) {
	c := startCluster(t, layout{})
	for i := range c.nodes {
		c.awaitVoter(fmt.Sprint("n", i))
	}
	stop := c.load("cluster", c.nodes[:2])
	c.await(time.Now())
	away := c.nodes[2]
	if _, said, err := migrate(t, "--from", away.Dir, "--to", t.TempDir(), "--dry-run"); err == nil || !strings.Contains(said, "stop it first") {
		t.Errorf("from a node that serves: got %v\n%s", err, said)
	}
	away.Stop()
	c.await(time.Now())
	to := filepath.Join(t.TempDir(), "alone")
	out, said, err := migrate(t, "--from", away.Dir, "--to", to)
	if err != nil || out.Entries == 0 || out.Accounts == 0 || len(out.Missing) != 0 {
		t.Fatalf("got %+v, %v\n%s", out, err, said)
	}
	for _, v := range c.nodes[:2] {
		netkittest.Until(t, "the node on "+v.Dir+" ends", func() bool {
			select {
			case <-v.process.ended:
				return true
			default:
				return false
			}
		})
		if err := v.Wait(); err == nil {
			t.Errorf("the node on %s ended without an error", v.Dir)
		}
	}
	for _, v := range c.nodes {
		if text := refusedStart(t, "--data", v.Dir, "--cluster"); !strings.Contains(text, to) {
			t.Errorf("the node on %s again: got %s", v.Dir, text)
		}
	}
	back := &Server{T: t, Dir: to}
	back.Start()
	stop()
	c.nodes = []*Server{back}
	c.check()
}

// A move that is killed at any time is repeated to its end, to a cluster and from it.
func TestMigrateToAClusterIsKilled(t *testing.T) {
	v := &Server{T: t, Dir: t.TempDir()}
	v.Start()
	c := &fleet{t: t, nodes: []*Server{v}, acked: map[string]uint64{}}
	c.spawn(t.Context(), "alone", c.nodes)
	v.Kill()
	address := FreeAddress(t)
	there := []string{"--from", v.Dir, "--to", "cluster://" + address, "--node-name", "oak"}
	if _, said, err := migrate(t, append(there, "--dry-run")...); !strings.Contains(said, "can begin") {
		t.Errorf("a dry run: got %v, %s", err, said)
	}
	killed(t, there...)
	if text := refusedStart(t, "--data", v.Dir); !strings.Contains(text, "node oak") {
		t.Errorf("the folder alone: got %s", text)
	}
	v.Flags = []string{"--cluster"}
	v.Start()
	c.expectSpawns(v)
	c.spawn(t.Context(), "cluster", c.nodes)
	v.Kill()
	before, err := host.Inspect(t.Context(), v.Dir)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "back")
	killed(t, "--from", v.Dir, "--to", to)
	if report := Audit(t, to); report.Entries != before {
		t.Errorf("got %+v, want %d entries", report, before)
	}
	if text, err := os.ReadFile(filepath.Join(to, "node.json")); err == nil {
		t.Errorf("the folder is still marked as that of a node: %s", text)
	}
}

// The nodes of a cluster know which others run. An order that would end the majority is
// refused, and one without an answer asks.
func TestClusterOrdersAsk(t *testing.T) {
	c := startCluster(t, layout{})
	for i := range c.nodes {
		c.awaitVoter(fmt.Sprint("n", i))
	}
	dir := c.nodes[0].Dir
	netkittest.Until(t, "n0 lists three nodes that run", func() bool {
		return strings.Count(MustRun(t, "node", "list", "--data", dir, "--jq", ".[].runs"), "true") == 3
	})
	c.nodes[2].Kill()
	netkittest.Until(t, "n2 does not answer", func() bool {
		for _, m := range c.status().Members {
			if m.Name == "n2" {
				return m.Place == nil
			}
		}
		return false
	})
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"leave", "n2"}, 2, "end the membership of n2, voter; then 2 nodes vote, a majority is 2, and 2 answer"},
		{[]string{"leave", "n1", "--yes"}, 5, "nothing could be written"},
		{[]string{"leave", "n7", "--yes"}, 3, "no member"},
		{[]string{"transfer", "n1"}, 2, "writes wait a moment"},
		{[]string{"leave", "n2", "--yes"}, 0, "n2 is no member any more"},
	} {
		code, _, said := Run(append(append([]string{"cluster"}, test.args...), "--data", dir)...)
		if code != test.code || !strings.Contains(said, test.want) {
			t.Errorf("%v: got %d %q, want %d %q", test.args, code, said, test.code, test.want)
		}
	}
	text := MustRun(t, "cluster", "status", "--data", dir, "-o", "json")
	var s struct{ Members []struct{ Name string } }
	if err := json.Unmarshal([]byte(text), &s); err != nil || len(s.Members) != 2 {
		t.Errorf("got %s, %v, want 2 members", text, err)
	}
}
