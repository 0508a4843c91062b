package host

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

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
	stop, done := make(chan struct{}), make(chan error)
	wrote := make(chan int, 1)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			if err := c.Exec(fmt.Sprintf("INSERT INTO rows VALUES(%d, hex(randomblob(1500)))", n)); err != nil {
				done <- err
				return
			}
			select {
			case <-wrote:
			default:
			}
			wrote <- n
			if n%10 == 9 { // a checkpoint comes every few rows, and a copy needs a moment between two
				time.Sleep(5 * time.Millisecond)
			}
		}
	}()
	for range 40 {
		least := <-wrote
		db, log, err := readWebhooks(path)
		if err != nil {
			t.Error(err)
			break
		}
		rows, state := openCopy(t, db, log)
		if state != "ok" || rows <= least {
			t.Errorf("got a copy with %d rows that is %q, want more than %d", rows, state, least)
		}
	}
	close(stop)
	if err := <-done; err != nil {
		t.Error(err)
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
