//go:build unix

package fleet

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// clusterFiles are the files of a node that matter, with the text by which damage is
// named, "" where a start makes the file again, and the way to mend it.
var clusterFiles = []struct {
	file, named string
	killed      bool // the file exists only after a crash
	mend        func(c *fleet, hurt *Server, file string)
}{
	{file: "journal.db", named: "journal.db is damaged", mend: (*fleet).repairNode},
	{file: "cluster/raft.db", named: "raft.db", mend: (*fleet).repairNode},
	{file: "cluster/raft.db-wal", named: "raft.db-wal", killed: true, mend: (*fleet).repairNode},
	{file: "cluster/keys.pem", named: "keys.pem", mend: (*fleet).rejoinNode},
	{file: "cluster/member.json", named: "member.json", mend: (*fleet).rejoinNode},
	{file: "log.key", named: "log.key", mend: (*fleet).rejoinNode},
	{file: "signing.key", named: "signing.key", mend: (*fleet).rejoinNode},
	{file: "node.json", named: "node.json", mend: (*fleet).removeFile},
	{file: "checkpoint", named: "checkpoint", mend: (*fleet).acceptLoss},
	{file: "log.pub"},
	{file: "snapshot.key"},
}

// Flipped bits in each file of one node are named by its start. The others continue, and
// the node is whole again by them.
func TestClusterNamesEachDamagedFile(t *testing.T) {
	c := startCluster(t, layout{})
	hurt, others := c.nodes[2], c.nodes[:2]
	for i, f := range clusterFiles {
		for k := range 3 { // commits in each write-ahead log
			c.spawn(t.Context(), fmt.Sprintf("before-%d-%d", i, k), others)
		}
		c.awaitVoter("n2")
		if f.killed {
			hurt.Kill()
		} else {
			hurt.Stop()
		}
		flipBits(t, filepath.Join(hurt.Dir, f.file))
		said, ok := hurt.TryStart()
		if ok != (f.named == "") || !strings.Contains(said, f.named) {
			t.Errorf("%s: got a start %v that says %q, want %q", f.file, ok, said, f.named)
		}
		c.spawn(t.Context(), fmt.Sprint("meanwhile-", i), others)
		if !ok {
			f.mend(c, hurt, f.file)
		}
	}
	c.awaitVoter("n2")
	c.spawn(t.Context(), "after", []*Server{hurt})
	c.check()
}

// repairNode has a node move damaged files aside, which it names, and get new ones from
// the others.
func (c *fleet) repairNode(v *Server, file string) {
	c.t.Helper()
	if code, out, said := Run("cluster", "repair", "--check", "--data", v.Dir); code != 0 || !strings.Contains(out, v.Dir) {
		c.t.Errorf("%s: got %d %s %s, want the damage named", file, code, out, said)
	}
	c.runLed("cluster", "repair", "--data", v.Dir)
	v.Start()
}

// rejoinNode makes the folder of a node that of a new one of the same name. It keeps the
// journal.
func (c *fleet) rejoinNode(v *Server, file string) {
	c.t.Helper()
	c.runLed("cluster", "leave", "n2", "--yes", "--data", c.nodes[0].Dir)
	if err := errors.Join(os.RemoveAll(filepath.Join(v.Dir, "cluster")), os.RemoveAll(filepath.Join(v.Dir, file))); err != nil {
		c.t.Fatal(err)
	}
	c.joinNode(v, "n2", c.nodes[0])
	v.Start()
}

// removeFile removes a file that a start makes again.
func (c *fleet) removeFile(v *Server, file string) {
	c.t.Helper()
	if err := os.Remove(filepath.Join(v.Dir, file)); err != nil {
		c.t.Fatal(err)
	}
	v.Start()
}

// acceptLoss starts a node without the checkpoint that vouches for its journal: the
// cluster does.
func (c *fleet) acceptLoss(v *Server, _ string) {
	c.t.Helper()
	flags := v.Flags
	v.Flags = append(slices.Clone(flags), "--accept-loss")
	v.Start()
	v.Flags = flags
}

// flipBits changes a bit of each byte of a part of a file: of the first page in a
// write-ahead log, which lies behind 56 bytes of headers, or of the greater part of
// another file.
func flipBits(t *testing.T, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	from, to := len(b)/3, len(b)*9/10
	if strings.HasSuffix(path, "-wal") {
		from, to = 100, 200
	}
	for i := from; i < to; i++ {
		b[i] ^= 4
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}
