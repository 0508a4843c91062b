package host

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/ncruces/go-sqlite3"
)

// The database of webhooks, which a server has for itself, is copied whole while it is
// written: each copy is sound, and holds the rows that were committed before it.
func TestWebhooksAreCopiedWhileTheyChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "webhooks.db")
	c, err := sqlite3.Open("file:" + filepath.ToSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 20;
		CREATE TABLE rows(n INTEGER PRIMARY KEY, text TEXT)`); err != nil {
		t.Fatal(err)
	}
	// Each round writes three rows while one copy is taken, at any speed of the machine:
	// the log is begun again in the middle of some copies, which are then taken once more.
	var wrote atomic.Int64
	rounds, done := make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(done)
		for range rounds {
			for range 3 {
				if err := c.Exec(fmt.Sprintf("INSERT INTO rows VALUES(%d, hex(randomblob(1500)))", wrote.Load())); err != nil {
					done <- err
					return
				}
				wrote.Add(1)
			}
		}
	}()
	defer func() {
		close(rounds)
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	for range 150 {
		select {
		case rounds <- struct{}{}:
		case err := <-done:
			t.Fatalf("the writer ended: %v", err)
		}
		least := int(wrote.Load())
		db, log, err := readWebhooks(path)
		if err != nil {
			t.Fatal(err)
		}
		rows, state := openCopy(t, db, log)
		if state != "ok" || rows < least {
			t.Fatalf("got a copy with %d rows that is %q, want at least %d", rows, state, least)
		}
	}
}

// openCopy counts the rows of a copy and checks it.
func openCopy(t *testing.T, db, log []byte) (rows int, state string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "copy.db")
	for name, content := range map[string][]byte{path: db, path + "-wal": log} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := sqlite3.Open("file:" + filepath.ToSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	stmt, _, err := c.Prepare("SELECT count(*), (SELECT integrity_check FROM pragma_integrity_check) FROM rows")
	if err != nil {
		t.Fatal(err)
	}
	defer stmt.Close()
	if !stmt.Step() {
		t.Fatal(stmt.Err())
	}
	return stmt.ColumnInt(0), stmt.ColumnText(1)
}
