//go:build linux

package fleet

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/netkittest"
)

// A full disk under one node, the writer or another one, stops no other: one of them
// writes, and the node follows by itself once there is room. On a database that holds
// without a floor of free space too, where the disk fills up in the middle of a write.
func TestAFullDiskStopsOneNode(t *testing.T) {
	for _, e := range engines {
		for _, floor := range []string{"64", "0"} {
			for i, node := range []string{0: "writer", 2: "follower"} {
				if node == "" || floor == "0" && e.name == "cluster" {
					continue
				}
				t.Run(e.name+"/"+node+"/floor "+floor, func(t *testing.T) {
					l := layout{flags: []string{"--space-floor", floor}}
					disk := SmallDisk(t, "96m")
					l.dirs[i] = filepath.Join(disk, "net")
					if err := os.Mkdir(l.dirs[i], 0o700); err != nil {
						t.Fatal(err)
					}
					c := e.start(t, l)
					v := c.nodes[i]
					if wrote := c.writer() == v; wrote != (node == "writer") {
						t.Fatal("the first node to start is not the writer")
					}
					c.fillDisk(v, disk)
					c.check()
				})
			}
		}
	}
}

// fillDisk fills the disk of a node under load, until the others write and it does not,
// and makes room again.
func (c *fleet) fillDisk(v *Server, disk string) {
	c.t.Helper()
	c.spawn(c.t.Context(), "before", c.nodes)
	room := Fill(c.t, disk)
	stop := c.load("full", c.others(v))
	for range 20 {
		c.await(time.Now())
	}
	netkittest.Until(c.t, "a writer with room", func() bool { return c.writer() != v })
	c.await(time.Now())
	stop()
	if err := os.Remove(room); err != nil {
		c.t.Fatal(err)
	}
	last := c.spawn(c.t.Context(), "after", c.others(v))
	c.awaitEntry(v, last.Seq)
}
