package sqlite

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// forbidden is what no program may do to a journal of two batches and five
// entries, of which entry 1 is erased.
var forbidden = []string{
	"UPDATE batches SET public = x'7b7d'",
	"UPDATE batches SET sealed = x'' WHERE first = 0",
	"UPDATE batches SET first = 9 WHERE first = 3",
	"UPDATE OR REPLACE batches SET first = 0 WHERE first = 3",
	"DELETE FROM batches",
	"DELETE FROM batches WHERE first = 3",
	"REPLACE INTO batches SELECT * FROM batches WHERE first = 3",
	"REPLACE INTO batches SELECT 0, entries, before, after, nodes, leaves, ends, public, sealed FROM batches WHERE first = 3",
	"INSERT INTO batches SELECT 99, entries, before, after, nodes, leaves, ends, public, sealed FROM batches WHERE first = 3",
	"INSERT INTO batches SELECT 5, entries, before, after, nodes, leaves, ends, public, sealed FROM batches WHERE first = 3",
	"INSERT INTO batches SELECT NULL, entries, after, after, nodes, leaves, ends, public, sealed FROM batches WHERE first = 3",
	"INSERT INTO batches SELECT 5, 0, after, after, nodes, leaves, ends, public, sealed FROM batches WHERE first = 3",
	"INSERT INTO batches SELECT 5, entries, after, after, nodes, x'00', ends, public, sealed FROM batches WHERE first = 3",
	"INSERT INTO batches SELECT first, entries, before, after, nodes, leaves, ends, public, sealed FROM batches WHERE first = 3 ON CONFLICT(first) DO UPDATE SET public = x'7b7d'",
	"UPDATE keys SET keys = x''",
	"UPDATE keys SET keys = zeroblob(32)",
	"UPDATE keys SET keys = x'' WHERE first = 0",
	"UPDATE keys SET keys = zeroblob(40) WHERE first = 0",
	"UPDATE keys SET keys = zeroblob(40), erased = 2 WHERE first = 0",
	"UPDATE keys SET keys = x'', erased = 2 WHERE first = 0",
	"UPDATE keys SET keys = zeroblob(80) WHERE first = 3",
	"UPDATE keys SET keys = zeroblob(40), erased = 1 WHERE first = 3",
	"UPDATE keys SET first = 7, keys = zeroblob(40), erased = 1 WHERE first = 3",
	"UPDATE keys SET parts = 0, keys = x'' WHERE first = 3",
	"DELETE FROM keys",
	"DELETE FROM keys WHERE first = 3",
	"REPLACE INTO keys VALUES(3, 2, 2, 0, zeroblob(32))",
	"INSERT INTO keys VALUES(5, 1, 1, 0, zeroblob(32))",
	"INSERT INTO keys VALUES(NULL, 1, 1, 0, zeroblob(32))",
	"INSERT INTO erasures VALUES(5)",
	"INSERT INTO erasures VALUES(-1)",
	"INSERT INTO erasures VALUES(NULL)",
	"REPLACE INTO erasures VALUES(1)",
	"UPDATE erasures SET seq = 3",
	"DELETE FROM erasures",
	"INSERT INTO head VALUES(1)",
	"REPLACE INTO entries VALUES(NULL)",
	"INSERT INTO nodes VALUES(0)",
	"DELETE FROM journal",
	"UPDATE journal SET entry = '{}'",
	"INSERT INTO journal VALUES(5, 5, '{}')",
	"UPDATE meta SET version = 7",
	"DELETE FROM meta",
	"REPLACE INTO meta VALUES(3)",
	"INSERT INTO meta VALUES(0)",
}

// guarded tests the triggers with try, which runs SQL as another program would.
func guarded(t *testing.T, try func(path, sql string) error) {
	dir := t.TempDir()
	path := filepath.Join(dir, "journal.db")
	s := openDir(t, Config{Dir: dir})
	want := journaltest.Records(0, 5)
	head := journaltest.MustAppend(t, s, journal.Head{}, journal.Batch{Records: want[:3], Nodes: []journal.Node{{Index: 1, Hash: [32]byte{1}}}})
	head = journaltest.MustAppend(t, s, head, journal.Batch{Records: want[3:]})
	head = journaltest.MustAppend(t, s, head, journal.Batch{Erase: []uint64{1}})
	want[1].Private = nil
	for _, sql := range forbidden {
		if err := try(path, sql); err == nil {
			t.Errorf("%s: allowed, want it refused", sql)
		}
	}
	if diff := cmp.Diff(want, journaltest.ReadAll(t, s, 0, 100)); diff != "" {
		t.Errorf("the journal changed (-want +got):\n%s", diff)
	}
	if got, err := s.Head(t.Context()); err != nil || got != head {
		t.Errorf("got head %v, %v, want %v", got, err, head)
	}
	journaltest.MustAppend(t, s, head, journal.Batch{Erase: []uint64{1, 3}}) // again
	want[3].Private = nil
	if diff := cmp.Diff(want, journaltest.ReadAll(t, s, 0, 100)); diff != "" {
		t.Errorf("after erasing (-want +got):\n%s", diff)
	}
	behindBack(t, s, head, func(sql string) error { return try(path, sql) })
}

// behindBack adds what only this package should, and sees the writer notice.
func behindBack(t *testing.T, s *Store, head journal.Head, try func(sql string) error) {
	if err := try("INSERT INTO batches SELECT 5, 1, after, zeroblob(32), x'', x'', '[2]', x'7b7d', x'' FROM batches WHERE first = 3"); err != nil {
		t.Fatal(err)
	}
	for _, b := range []journal.Batch{{}, {Records: journaltest.Records(5, 1)}} {
		if _, err := s.Append(t.Context(), head, b); !errors.Is(err, journal.ErrHeadMoved) {
			t.Errorf("a batch of another program: got %v, want %v", err, journal.ErrHeadMoved)
		}
	}
	if err := s.Check(t.Context()); !errors.Is(err, journal.ErrNotJournal) || !strings.Contains(err.Error(), "last entry, 5") {
		t.Errorf("a batch of another program: got %v, want %v", err, journal.ErrNotJournal)
	}
}

func TestGuardConnection(t *testing.T) { guarded(t, tryRaw) }

// TestGuardShell drives the sqlite3 shell, whose SQLite is not ours.
func TestGuardShell(t *testing.T) {
	shell, err := exec.LookPath("sqlite3")
	if err != nil {
		if os.Getenv("NETKIT_REQUIRE_ALL") == "1" {
			t.Fatal("the sqlite3 shell is not on PATH, and NETKIT_REQUIRE_ALL=1")
		}
		t.Skip("the sqlite3 shell is not on PATH; TestGuardConnection proves the same")
	}
	guarded(t, func(path, sql string) error {
		return exec.Command(shell, "-bail", path, sql).Run()
	})
}

// TestAltered changes what surrounds the entries; each change is named, and the
// journal is opened for reading alone.
func TestAltered(t *testing.T) {
	for _, test := range []struct{ name, sql, says string }{
		{"guard dropped", "DROP TRIGGER batches_update", "its trigger batches_update is missing"},
		{"guard weakened", "DROP TRIGGER keys_delete; CREATE TRIGGER keys_delete BEFORE DELETE ON keys WHEN 0 BEGIN SELECT 1; END", "its trigger keys_delete was altered"},
		{"guard added", "CREATE TRIGGER more AFTER INSERT ON head BEGIN SELECT 1; END", "its trigger more was added"},
		{"table added", "CREATE TABLE songs(name)", "its table songs was added"},
		{"table altered", "ALTER TABLE batches ADD COLUMN more BLOB", "its table batches was altered"},
		{"tip", "DROP TRIGGER batches_update; UPDATE batches SET after = zeroblob(32); " + guard("batches_update"), "last entry, 4"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			s := openDir(t, Config{Dir: dir})
			journaltest.MustAppend(t, s, journal.Head{}, journal.Batch{Records: journaltest.Records(0, 5)})
			if err := errors.Join(s.Check(t.Context()), s.Close()); err != nil {
				t.Fatal(err)
			}
			execRaw(t, s.path, test.sql)
			named := func(how string, err error) {
				if !errors.Is(err, journal.ErrNotJournal) || !strings.Contains(err.Error(), test.says) {
					t.Errorf("%s: got %v, want %v naming the %s", how, err, journal.ErrNotJournal, test.says)
				}
			}
			_, err := Open(t.Context(), Config{Dir: dir})
			named("open", err)
			r := openDir(t, Config{Dir: dir, ReadOnly: true})
			named("check", r.Check(t.Context()))
			if got := journaltest.ReadAll(t, r, 0, 9); len(got) != 5 {
				t.Errorf("got %d records to audit, want 5", len(got))
			}
		})
	}
}

// guard returns the statement that makes a trigger.
func guard(name string) string {
	all, err := schemaOf(schemaVersion)
	if err != nil {
		panic(err)
	}
	return all["trigger "+name]
}
