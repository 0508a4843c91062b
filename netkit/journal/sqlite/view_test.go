package sqlite

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// The view shows a line an entry, in batches of any size, and finds one by its
// number.
func TestView(t *testing.T) {
	dir, _ := grownDir(t, 250)
	c, err := sqlite3.Open(filepath.Join(dir, "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	next := uint64(0)
	err = eachRow(c, `SELECT seq, batch, entry FROM journal ORDER BY seq`, func(row *sqlite3.Stmt) (bool, error) {
		want := string(journaltest.Record(next).Public)
		if seq := uint64(row.ColumnInt64(0)); seq != next || uint64(row.ColumnInt64(1)) != next/100*100 || row.ColumnText(2) != want {
			t.Errorf("got entry %d of batch %d, %s, want %s", seq, row.ColumnInt64(1), row.ColumnText(2), want)
		}
		next++
		return true, nil
	})
	if err != nil || next != 250 {
		t.Errorf("got %d entries, %v, want 250", next, err)
	}
	if got, err := queryInt(c, `SELECT entry ->> 'seq' FROM journal WHERE seq = 207`); err != nil || got != 207 {
		t.Errorf("got entry %d, %v, want 207", got, err)
	}
}

// The sqlite3 shell, whose SQLite is not ours, shows the same.
func TestViewInShell(t *testing.T) {
	shell, err := exec.LookPath("sqlite3")
	if err != nil {
		if os.Getenv("NETKIT_REQUIRE_ALL") == "1" {
			t.Fatal("the sqlite3 shell is not on PATH, and NETKIT_REQUIRE_ALL=1")
		}
		t.Skip("the sqlite3 shell is not on PATH; TestView reads the same view")
	}
	dir, _ := grownDir(t, 250)
	for sql, want := range map[string]string{
		"SELECT entry FROM journal WHERE seq = 100":                 `{"seq":100}`,
		"SELECT entry FROM journal WHERE seq = 249 AND batch = 200": `{"seq":249}`,
		"SELECT count(*), sum(seq) FROM journal":                    "250|31125",
	} {
		out, err := exec.Command(shell, "-readonly", filepath.Join(dir, "journal.db"), sql).CombinedOutput()
		if got := string(out); err != nil || got != fmt.Sprintln(want) {
			t.Errorf("%s: got %s, %v, want %s", sql, got, err, want)
		}
	}
}
