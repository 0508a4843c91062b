//go:build linux

package fleet

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A full disk under one node, the writer or another one, stops no other: one of them
// writes, and the node follows by itself once there is room.
func TestAFullDiskStopsOneNode(t *testing.T) {
	for name, full := range map[string]int{"writer": 0, "follower": 2} {
		t.Run(name, func(t *testing.T) {
			dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
			disk := SmallDisk(t, "96m") // a node keeps 64 MiB free
			dirs[full] = filepath.Join(disk, "net")
			if err := os.Mkdir(dirs[full], 0o700); err != nil {
				t.Fatal(err)
			}
			c := startNodes(t, startTables(t).URL("node"), dirs...)
			v := c.nodes[full]
			if wrote := c.writer() == v; wrote != (name == "writer") {
				t.Fatalf("the first node to start is not the writer")
			}
			c.spawn(t.Context(), "before", c.nodes)
			room := Fill(t, disk)
			stop := c.load("full", c.others(v))
			for range 20 {
				c.await(time.Now())
			}
			stop()
			if c.writer() == v {
				t.Error("the node with a full disk writes still")
			}
			if err := os.Remove(room); err != nil {
				t.Fatal(err)
			}
			last := c.spawn(t.Context(), "after", c.others(v))
			c.awaitEntry(v, last.Seq)
			c.check()
		})
	}
}
