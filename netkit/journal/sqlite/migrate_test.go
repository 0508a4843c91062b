package sqlite

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// older makes a journal of an older schema version as the programs of that time
// did. Version 2 stores the nodes of the tree and has erased entry 4.
func older(t testing.TB, version int, records []journal.Record) (dir string) {
	t.Helper()
	dir = t.TempDir()
	c, err := sqlite3.Open(filepath.Join(dir, "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	run := func(sql string, args ...any) {
		t.Helper()
		stmt, _, err := c.Prepare(sql)
		if err != nil {
			t.Fatal(err)
		}
		for i, arg := range args {
			switch arg := arg.(type) {
			case int64:
				err = stmt.BindInt64(i+1, arg)
			case []byte:
				err = bindPart(stmt, i+1, arg)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(stmt.Exec(), stmt.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Exec("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL;" + schemas[version-1] + "BEGIN"); err != nil {
		t.Fatal(err)
	}
	var tree journal.Tree
	for _, r := range records {
		run("INSERT INTO entries VALUES(?, ?, ?)", int64(r.Seq), r.Public, r.Private)
		for _, n := range tree.Append(journal.Leaf(r.Public), nil) {
			if version > 1 {
				run("INSERT INTO nodes VALUES(?, ?)", int64(n.Index), n.Hash[:])
			}
		}
	}
	if len(records) > 0 {
		last := journal.Leaf(records[len(records)-1].Public)
		run("UPDATE head SET size = ?, tip = ?", int64(len(records)), last[:])
	}
	if version > 1 && len(records) > 4 {
		run("INSERT INTO erasures VALUES(4)")
		run("UPDATE entries SET private = NULL WHERE seq = 4")
	}
	if err := errors.Join(c.Exec("COMMIT"), c.Close()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// bindPart binds a private part; an empty one is none.
func bindPart(stmt *sqlite3.Stmt, param int, part []byte) error {
	if len(part) == 0 {
		return stmt.BindNull(param)
	}
	return stmt.BindBlob(param, part)
}

// oldRecords are what older holds.
func oldRecords(version, n int) []journal.Record {
	all := journaltest.Records(0, n)
	if version > 1 && n > 4 {
		all[4].Private = nil
	}
	return all
}

// TestMigrate opens journals of older versions: for reading as they are, for
// writing as new ones, with the nodes that a journal of version 1 lacks.
func TestMigrate(t *testing.T) {
	for version := 1; version < schemaVersion; version++ {
		for _, n := range []int{0, 1, 255, 256, 257, 700, 5000} {
			t.Run(fmt.Sprintf("version %d with %d", version, n), func(t *testing.T) {
				testMigrate(t, version, n)
			})
		}
	}
}

func testMigrate(t *testing.T, version, n int) {
	dir := older(t, version, journaltest.Records(0, n))
	var want []journal.Record
	if n > 0 {
		want = oldRecords(version, n)
	}
	r := openDir(t, Config{Dir: dir, ReadOnly: true})
	if diff := cmp.Diff(want, journaltest.ReadAll(t, r, 0, 1<<40)); diff != "" {
		t.Errorf("as it is (-want +got):\n%s", diff)
	}
	if err := errors.Join(r.Check(t.Context()), r.Close()); err != nil {
		t.Errorf("reading version %d: %v", version, err)
	}
	var shown []uint64
	s := openDir(t, Config{Dir: dir, Progress: func(done, total uint64) { shown = append(shown, done, total) }})
	if n > 0 && (len(shown) < 2 || shown[len(shown)-2] != uint64(n) || shown[len(shown)-1] != uint64(n)) {
		t.Errorf("got the progress %v, want one that ends at %d of %d", shown, n, n)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(want, journaltest.ReadAll(t, s, 0, 1<<40)); diff != "" {
		t.Errorf("after the migration (-want +got):\n%s", diff)
	}
	var tree journal.Tree
	for _, rec := range want {
		tree.Append(journal.Leaf(rec.Public), nil)
	}
	if got, err := journal.OpenTree(t.Context(), s, uint64(n)); err != nil || got.Root() != tree.Root() {
		t.Errorf("got the tree %v, %v, want the root %x", got, err, tree.Root())
	}
	head, err := s.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	journaltest.MustAppend(t, s, head, journal.Batch{Records: journaltest.Records(head.Size, 3)})
}

// A folder whose migration was interrupted can be read without being written, as
// the checks before a start do, and so can the journal that is kept.
func TestInterruptedMigrationIsReadable(t *testing.T) {
	dir := older(t, 2, journaltest.Records(0, 600))
	var copies []string
	openDir(t, Config{Dir: dir, Progress: func(uint64, uint64) {
		to := t.TempDir()
		if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
			t.Error(err)
		}
		copies = append(copies, to)
	}})
	if len(copies) < 4 {
		t.Fatalf("got %d interruptions, want some while copying and some while comparing", len(copies))
	}
	want := oldRecords(2, 600)
	for i, at := range copies {
		s, err := Open(t.Context(), Config{Dir: at, ReadOnly: true})
		if err != nil {
			t.Errorf("interruption %d: %v", i, err)
			continue
		}
		if diff := cmp.Diff(want, journaltest.ReadAll(t, s, 0, 1<<40)); diff != "" {
			t.Errorf("interruption %d (-want +got):\n%s", i, diff)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The file as it was is kept, and is a journal of the old version. It goes with
// an erasure, or when it is old.
func TestKeptCopy(t *testing.T) {
	now := time.Now()
	clock := func() time.Time { return now }
	migrated := func() (*Store, string) {
		dir := older(t, 2, journaltest.Records(0, 9))
		long := now.Add(-2 * KeepOld) // since the last entry
		if err := os.Chtimes(filepath.Join(dir, "journal.db"), long, long); err != nil {
			t.Fatal(err)
		}
		s := openDir(t, Config{Dir: dir, Now: clock})
		path, until, err := KeptCopy(dir)
		if err != nil || path != filepath.Join(dir, "journal.db.schema-2") || until.Sub(now).Round(24*time.Hour) != KeepOld {
			t.Fatalf("got the copy %q until %v, %v", path, until, err)
		}
		return s, path
	}
	s, path := migrated()
	back := t.TempDir()
	copyFile(t, path, filepath.Join(back, "journal.db"))
	if diff := cmp.Diff(oldRecords(2, 9), journaltest.ReadAll(t, openDir(t, Config{Dir: back, ReadOnly: true}), 0, 100)); diff != "" {
		t.Errorf("the copy (-want +got):\n%s", diff)
	}
	head, err := s.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	journaltest.MustAppend(t, s, head, journal.Batch{Erase: []uint64{3}})
	gone(t, path, "an erasure")

	s, path = migrated()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	now = now.Add(KeepOld - time.Hour)
	if err := openDir(t, Config{Dir: s.dir, Now: clock}).Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("an hour too early: got %v, want the copy", err)
	}
	now = now.Add(2 * time.Hour)
	openDir(t, Config{Dir: s.dir, Now: clock})
	gone(t, path, "35 days")
}

func gone(t *testing.T, path, when string) {
	t.Helper()
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after %s: got %v, want the copy to be gone", when, err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Dir(to), filepath.Base(to), string(b))
}

// TestMigrateAltered sees that a migration makes nothing good in silence.
func TestMigrateAltered(t *testing.T) {
	for _, test := range []struct{ name, sql, says string }{
		{"guard dropped", "DROP TRIGGER entries_update", "entries_update"},
		{"entry changed", `DROP TRIGGER entries_update;
			UPDATE entries SET public = x'7b7d' WHERE seq = 7;` + oldGuard("entries_update"), "entries 0 to 255"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := older(t, 2, journaltest.Records(0, 300))
			execRaw(t, filepath.Join(dir, "journal.db"), test.sql)
			if _, err := Open(t.Context(), Config{Dir: dir}); !errors.Is(err, journal.ErrNotJournal) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want %v naming %s", err, journal.ErrNotJournal, test.says)
			}
			if left, err := filepath.Glob(filepath.Join(dir, "*"+newSuffix+"*")); err != nil || len(left) > 0 {
				t.Errorf("got %v, %v, want nothing left of what was begun", left, err)
			}
			if kept, _, err := KeptCopy(dir); kept != "" || err != nil {
				t.Errorf("got the copy %q, %v, want none", kept, err)
			}
		})
	}
}

// oldGuard returns the statement that makes a trigger of version 2.
func oldGuard(name string) string {
	all, err := schemaOf(2)
	if err != nil {
		panic(err)
	}
	return all["trigger "+name]
}

// TestGoldenJournal opens the file that the last release with schema 2 wrote. It is
// never changed.
func TestGoldenJournal(t *testing.T) {
	f, err := os.Open("testdata/schema-2.db.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(writeFile(t, t.TempDir(), "journal.db", string(b)))
	for i, cfg := range []Config{{Dir: dir, ReadOnly: true}, {Dir: dir}, {Dir: dir, ReadOnly: true}} {
		s := openDir(t, cfg)
		if got, want := s.Outdated(), []int{2, 0, 0}[i]; got != want {
			t.Errorf("opening %d: got the outdated version %d, want %d", i, got, want)
		}
		if err := s.Check(t.Context()); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(oldRecords(2, 300), journaltest.ReadAll(t, s, 0, 1<<40)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", cfg, diff)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
