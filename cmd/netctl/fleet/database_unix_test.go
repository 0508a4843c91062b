//go:build unix

package fleet

import (
	"bytes"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// awaitEntry waits until a node answers by an entry.
func (c *fleet) awaitEntry(v *Server, seq uint64) {
	c.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		resp, err := nodeClient.Get(v.URL + "/api/agent/constitution?min_seq=" + strconv.FormatUint(seq, 10))
		if err != nil {
			continue
		}
		if resp.Body.Close(); resp.StatusCode == http.StatusOK {
			return
		}
	}
	c.t.Fatalf("the node at %s does not get entry %d", v.URL, seq)
}

// A database that crashes and starts again under load loses nothing, and the nodes write
// on without a restart.
func TestNodesOutliveACrashOfTheDatabase(t *testing.T) {
	db := startTables(t)
	c := startNodes(t, db.URL("node"), layout{})
	stop := c.load("crash", c.nodes)
	c.await(time.Now())
	db.Kill()
	db.Resume()
	c.await(time.Now())
	stop()
	c.check()
}

// A standby that is promoted without the latest entries is named by every node: each one
// stops, shows both heads, and does not start again.
func TestEveryNodeNamesAPromotionThatLosesEntries(t *testing.T) {
	db := startTables(t, "wal_level=replica")
	standby := db.Follow("s1")
	at := func(u string) string { p, _ := url.Parse(u); return p.Query().Get("host") }
	both := "postgres:///postgres?" + url.Values{"host": {at(db.URL("node")) + "," + at(standby.URL("node"))}, "user": {"node"}, "target_session_attrs": {"read-write"}}.Encode()
	c := startNodes(t, both, layout{})
	c.spawn(t.Context(), "kept", c.nodes)
	standby.Kill()
	last := c.spawn(t.Context(), "lost", c.nodes)
	for _, v := range c.nodes {
		c.awaitEntry(v, last.Seq)
	}
	db.Kill()
	standby.Resume()
	standby.Exec("SELECT pg_promote()")
	for _, v := range c.nodes {
		if err := v.Wait(); err == nil {
			t.Error("a node ended without an error")
		}
		if text := refusedStart(t, "--data", v.Dir, "--journal", both); strings.Count(text, "last leaf") != 2 || !strings.Contains(text, "different entries") {
			t.Errorf("got %s, want a fork with both heads", text)
		}
	}
}

// A node whose folder was damaged while it was down is named by doctor and repaired from
// the folder of another one, while the others write.
func TestADamagedNodeIsRepairedFromAnother(t *testing.T) {
	c := startOnDatabase(t, layout{})
	c.spawn(t.Context(), "spoiled", c.nodes)
	last := c.spawn(t.Context(), "later", c.nodes)
	for _, v := range c.nodes {
		c.awaitEntry(v, last.Seq)
	}
	v := c.others(c.writer())[0]
	v.Stop()
	flipBit(t, v.Dir, "spoiled")
	stop := c.load("meanwhile", c.others(v))
	c.await(time.Now())
	from := c.others(v)[0].Dir
	out, err := exec.Command("netctl", "doctor", "--data", v.Dir, "--repair", "--from", from).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "damaged") {
		t.Errorf("the repair: got %v\n%s", err, out)
	}
	v.Start()
	c.await(time.Now())
	stop()
	c.check()
}

// flipBit alters a text in the journal of a folder that no process has open.
func flipBit(t *testing.T, dir, text string) {
	t.Helper()
	flipped := 0
	for _, name := range []string{"journal.db", "journal.db-wal"} {
		path := filepath.Join(dir, name)
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		for at := bytes.Index(b, []byte(text)); at >= 0; at = bytes.Index(b, []byte(text)) {
			b[at+1] ^= 1
			flipped++
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if flipped == 0 {
		t.Fatalf("%q is not in the journal of %s", text, dir)
	}
}
