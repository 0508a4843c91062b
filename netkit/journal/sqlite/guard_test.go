package sqlite

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// forbidden is what no program may do to a journal of five entries.
var forbidden = []string{
	"UPDATE entries SET public = x'7b7d'",
	"UPDATE entries SET public = x'7b7d', private = NULL WHERE seq = 2",
	"UPDATE entries SET public = CAST(public AS TEXT), private = NULL",
	"UPDATE entries SET private = x'00'",
	"UPDATE entries SET private = x'' WHERE seq = 2",
	"UPDATE entries SET private = NULL",
	"UPDATE entries SET private = NULL WHERE seq = 3",
	"INSERT INTO erasures VALUES(5)",
	"INSERT INTO erasures VALUES(-1)",
	"UPDATE erasures SET seq = 3",
	"DELETE FROM erasures",
	"UPDATE entries SET seq = 99, private = NULL WHERE seq = 4",
	"UPDATE entries SET rowid = 99, private = NULL WHERE seq = 4",
	"UPDATE OR REPLACE entries SET seq = 0, private = NULL WHERE seq = 4",
	"DELETE FROM entries",
	"DELETE FROM entries WHERE seq = 4",
	"INSERT INTO entries VALUES(99, x'7b7d', NULL)",
	"INSERT INTO entries VALUES(-1, x'7b7d', NULL)",
	"INSERT INTO entries(public) VALUES(x'7b7d')",
	"INSERT INTO entries VALUES(NULL, x'7b7d', NULL)",
	"INSERT OR REPLACE INTO entries VALUES(2, x'7b7d', NULL)",
	"REPLACE INTO entries VALUES(4, x'7b7d', NULL)",
	"REPLACE INTO entries(rowid, public) VALUES(4, x'7b7d')",
	"INSERT INTO entries VALUES(2, x'7b7d', NULL) ON CONFLICT(seq) DO UPDATE SET private = NULL, public = x'7b7d'",
	"INSERT OR REPLACE INTO entries SELECT 4 - seq, public, private FROM entries",
	"INSERT INTO entries VALUES(5, '{}', NULL)",
	"INSERT INTO entries VALUES(5, NULL, NULL)",
	"UPDATE nodes SET hash = zeroblob(32)",
	"DELETE FROM nodes",
	"REPLACE INTO nodes VALUES(1, zeroblob(32))",
	"UPDATE head SET size = 4",
	"UPDATE head SET size = 5, tip = zeroblob(32)",
	"UPDATE head SET size = 6",
	"UPDATE head SET one = 1",
	"DELETE FROM head",
	"REPLACE INTO head VALUES(0, 1, zeroblob(32))",
	"INSERT INTO head VALUES(1, 1, zeroblob(32))",
	"UPDATE meta SET version = 7",
	"DELETE FROM meta",
	"REPLACE INTO meta VALUES(1)",
	"INSERT INTO meta VALUES(0)",
}

// guarded tests the triggers with try, which runs SQL as another program would.
func guarded(t *testing.T, try func(path, sql string) error) {
	dir := t.TempDir()
	path := filepath.Join(dir, "journal.db")
	s := openDir(t, Config{Dir: dir})
	want := journaltest.Records(0, 5)
	head := journaltest.MustAppend(t, s, journal.Head{}, journal.Batch{Records: want, Nodes: []journal.Node{{Index: 1, Hash: [32]byte{1}}}})
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
	if err := try("INSERT INTO entries VALUES(5, x'7b7d', NULL)"); err != nil {
		t.Fatal(err)
	}
	for _, b := range []journal.Batch{{}, {Records: journaltest.Records(5, 1)}, {Records: journaltest.Records(6, 1)}} {
		if _, err := s.Append(t.Context(), head, b); !errors.Is(err, journal.ErrNotJournal) {
			t.Errorf("an entry without its head: got %v, want %v", err, journal.ErrNotJournal)
		}
	}
	if got := journaltest.ReadAll(t, s, 0, 100); len(got) != 5 {
		t.Errorf("got %d records, want 5: the stray one must not show", len(got))
	}
	if err := try("UPDATE head SET size = 6, tip = zeroblob(32)"); err != nil {
		t.Fatal(err)
	}
	for _, b := range []journal.Batch{{}, {Records: journaltest.Records(5, 1)}} {
		if _, err := s.Append(t.Context(), head, b); !errors.Is(err, journal.ErrHeadMoved) {
			t.Errorf("an entry with its head: got %v, want %v", err, journal.ErrHeadMoved)
		}
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
		{"guard dropped", "DROP TRIGGER entries_update", "its trigger entries_update is missing"},
		{"guard weakened", "DROP TRIGGER nodes_delete; CREATE TRIGGER nodes_delete BEFORE DELETE ON nodes WHEN 0 BEGIN SELECT 1; END", "its trigger nodes_delete was altered"},
		{"guard added", "CREATE TRIGGER more AFTER INSERT ON head BEGIN SELECT 1; END", "its trigger more was added"},
		{"table added", "CREATE TABLE songs(name)", "its table songs was added"},
		{"table altered", "ALTER TABLE entries ADD COLUMN more BLOB", "its table entries was altered"},
		{"tip", "DROP TRIGGER head_update; UPDATE head SET tip = zeroblob(32); " + guard("head_update"), "last entry, 4"},
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
	all, err := schemaOf(len(steps))
	if err != nil {
		panic(err)
	}
	return all["trigger "+name]
}

// older makes a journal of three entries of schema version 1.
func older(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	execRaw(t, filepath.Join(dir, "journal.db"), schema1)
	for _, r := range journaltest.Records(0, 3) {
		execRaw(t, filepath.Join(dir, "journal.db"), fmt.Sprintf("INSERT INTO entries VALUES(%d, x'%x', x'%x')", r.Seq, r.Public, r.Private))
	}
	last := journal.Leaf(journaltest.Records(2, 1)[0].Public)
	execRaw(t, filepath.Join(dir, "journal.db"), fmt.Sprintf("UPDATE head SET size = 3, tip = x'%x'", last))
	return dir
}

// TestMigrate opens a journal of an older version: for reading as it is, for
// writing as a new one.
func TestMigrate(t *testing.T) {
	dir := older(t)
	r := openDir(t, Config{Dir: dir, ReadOnly: true})
	if err := errors.Join(r.Check(t.Context()), r.Close()); err != nil {
		t.Errorf("reading version 1: %v", err)
	}
	s := openDir(t, Config{Dir: dir})
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(journaltest.Records(0, 3), journaltest.ReadAll(t, s, 0, 9)); diff != "" {
		t.Errorf("after the migration (-want +got):\n%s", diff)
	}
	if err := tryRaw(s.path, "UPDATE entries SET private = NULL WHERE seq = 1"); err == nil {
		t.Error("another program may clear a private part after the migration")
	}
	head, err := s.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	journaltest.MustAppend(t, s, head, journal.Batch{Erase: []uint64{1}})
	if got := journaltest.ReadAll(t, s, 1, 2); got[0].Private != nil {
		t.Error("an erasure left the private part")
	}
}

// TestMigrateAltered sees that a migration makes nothing good in silence.
func TestMigrateAltered(t *testing.T) {
	dir := older(t)
	execRaw(t, filepath.Join(dir, "journal.db"), "DROP TRIGGER entries_update")
	if _, err := Open(t.Context(), Config{Dir: dir}); !errors.Is(err, journal.ErrNotJournal) || !strings.Contains(err.Error(), "entries_update") {
		t.Errorf("got %v, want %v naming entries_update", err, journal.ErrNotJournal)
	}
}
