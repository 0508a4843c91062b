package sqlite

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/journal/seal"
)

func openDir(t testing.TB, cfg Config) *Store {
	t.Helper()
	s, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestContract(t *testing.T) {
	journaltest.Run(t, journaltest.Driver{
		Open: func(t *testing.T) journal.Store { return openDir(t, Config{Dir: t.TempDir()}) },
		Reopen: func(t *testing.T, s journal.Store) journal.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return openDir(t, Config{Dir: s.(*Store).dir})
		},
	})
}

func TestOpenMakesPrivateFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b with ?#%[ signs")
	s := openDir(t, Config{Dir: dir})
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("got %v, %v, want mode 0700", info.Mode(), err)
	}
	journaltest.MustAppend(t, s, journal.Head{}, journal.Batch{Records: records(0, 1)})
	if _, err := os.Stat(filepath.Join(dir, "journal.db")); err != nil {
		t.Error(err)
	}
}

// TestFilesArePrivate opens a journal in a folder that others can look into.
func TestFilesArePrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "with & and % and ?")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s := openDir(t, Config{Dir: dir})
	journaltest.MustAppend(t, s, journal.Head{}, journal.Batch{Records: records(0, 1)})
	if err := s.WriteSnapshot(t.Context(), 1, func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"journal.db", "journal.db-wal", "journal.lock", "snapshot-1.snap"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: got %v, %v, want mode 0600", name, info, err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(t *testing.T, dir string) Config
		want  error
		says  string
	}{
		{"no name", func(*testing.T, string) Config { return Config{} }, journal.ErrNotFound, "names no folder"},
		{"no journal to read", func(_ *testing.T, dir string) Config {
			return Config{Dir: dir, ReadOnly: true}
		}, journal.ErrNotFound, "no journal in"},
		{"folder is a file", func(t *testing.T, dir string) Config {
			return Config{Dir: writeFile(t, dir, "plain", "x")}
		}, nil, "not a directory"},
		{"not a database", func(t *testing.T, dir string) Config {
			writeFile(t, dir, "journal.db", strings.Repeat("hello, world\n", 1000))
			return Config{Dir: dir}
		}, journal.ErrNotJournal, "journal.db"},
		{"folder in the way", func(t *testing.T, dir string) Config {
			return Config{Dir: filepath.Dir(writeFile(t, dir, "journal.db/x", ""))}.up()
		}, journal.ErrNotWritable, "journal.db"},
		{"other database", func(t *testing.T, dir string) Config {
			execRaw(t, filepath.Join(dir, "journal.db"), "CREATE TABLE songs(name)")
			return Config{Dir: dir}
		}, journal.ErrNotJournal, "database of something else"},
		{"newer schema", func(t *testing.T, dir string) Config {
			openDir(t, Config{Dir: dir}).Close()
			execRaw(t, filepath.Join(dir, "journal.db"), "INSERT INTO meta VALUES(4)")
			return Config{Dir: dir}
		}, journal.ErrNewer, "schema version 4"},
		{"second writer", func(t *testing.T, dir string) Config {
			openDir(t, Config{Dir: dir})
			return Config{Dir: dir}
		}, journal.ErrLocked, "choose another folder"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, err := Open(t.Context(), test.spoil(t, t.TempDir()))
			if err == nil {
				s.Close()
				t.Fatal("got no error")
			}
			if s != nil || !strings.Contains(err.Error(), test.says) || test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("got %v, %v, want %v saying %q", s, err, test.want, test.says)
			}
		})
	}
}

// up is the configuration of the folder above.
func (c Config) up() Config {
	c.Dir = filepath.Dir(c.Dir)
	return c
}

func writeFile(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

// execRaw runs SQL the way another program would.
func execRaw(t *testing.T, path, sql string) {
	t.Helper()
	if err := tryRaw(path, sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func tryRaw(path, sql string) error {
	c, err := sqlite3.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(c.Exec(sql), c.Close())
}

func TestFolderErrors(t *testing.T) {
	for _, test := range []struct{ err, want error }{
		{fs.ErrPermission, journal.ErrNotWritable},
		{fs.ErrNotExist, journal.ErrNotFound},
		{errors.New("odd"), nil},
	} {
		got := folderError("the/folder", &fs.PathError{Op: "open", Path: "x", Err: test.err})
		if !errors.Is(got, test.err) || test.want != nil && !errors.Is(got, test.want) || !strings.Contains(got.Error(), "the/folder") {
			t.Errorf("%v: got %v, want %v", test.err, got, test.want)
		}
	}
}

func TestUnwritableFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("the superuser may write anywhere; TestFolderErrors covers the class")
	}
	dir := filepath.Join(t.TempDir(), "locked")
	if err := os.Mkdir(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Config{Dir: dir}); !errors.Is(err, journal.ErrNotWritable) {
		t.Errorf("got %v, want %v", err, journal.ErrNotWritable)
	}
}

func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	w := openDir(t, Config{Dir: dir})
	head := journaltest.MustAppend(t, w, journal.Head{}, journal.Batch{Records: journaltest.Records(0, 5)})
	r := openDir(t, Config{Dir: dir, ReadOnly: true})
	if got, err := r.Head(t.Context()); err != nil || got != head {
		t.Errorf("got %v, %v, want %v", got, err, head)
	}
	journaltest.MustAppend(t, w, head, journal.Batch{Records: journaltest.Records(5, 5)})
	if got := journaltest.ReadAll(t, r, 0, 100); len(got) != 10 {
		t.Errorf("got %d records, want 10", len(got))
	}
	if _, err := r.Append(t.Context(), head, journal.Batch{}); !errors.Is(err, journal.ErrNotWritable) {
		t.Errorf("append: got %v, want %v", err, journal.ErrNotWritable)
	}
	if err := errors.Join(r.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	r = openDir(t, Config{Dir: dir, ReadOnly: true})
	if got := journaltest.ReadAll(t, r, 0, 100); len(got) != 10 {
		t.Errorf("without a writer: got %d records, want 10", len(got))
	}
	if err := r.WriteSnapshot(t.Context(), 1, nil); !errors.Is(err, journal.ErrNotWritable) {
		t.Errorf("snapshot: got %v, want %v", err, journal.ErrNotWritable)
	}
}

// TestErasedIsGone erases two texts, one while a reader reads, and looks for the
// keys of each in the files themselves: while the store is open and after it was
// closed and opened again.
func TestErasedIsGone(t *testing.T) {
	secret := []byte("the-text-that-has-to-go")
	dir := t.TempDir()
	s := openDir(t, Config{Dir: dir})
	batch := journal.Batch{Records: journaltest.Records(0, 20)}
	batch.Records[7].Private = secret
	batch.Records[9].Private = bytes.Repeat(secret, 5000) // spills over many pages
	head := journaltest.MustAppend(t, s, journal.Head{}, batch)
	if found := filesWith(t, dir, secret); len(found) > 0 {
		t.Errorf("the text is in %v", found)
	}
	first := keysOf(t, s, 7)
	keysIn(t, dir, first[:1], true)
	for r, err := range s.Read(t.Context(), 5, 10) { // a reader beside it
		if err != nil {
			t.Fatal(err)
		}
		if r.Seq == 7 {
			journaltest.MustAppend(t, s, head, journal.Batch{Erase: []uint64{7}})
		}
	}
	keysIn(t, dir, first, false)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openDir(t, Config{Dir: dir})
	second := keysOf(t, s, 9)[1:] // the secret went before
	keysIn(t, dir, second, true)
	journaltest.MustAppend(t, s, head, journal.Batch{Erase: []uint64{9}})
	keysIn(t, dir, append(first, second...), false)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	keysIn(t, dir, append(first, second...), false)
}

// An erasure beside a reader in another process leaves the key in the database
// until that reader is gone: then a later commit removes it, or the next start of a
// process that was ended.
func TestErasedIsGoneAfterAReaderOutside(t *testing.T) {
	dir := t.TempDir()
	s := openDir(t, Config{Dir: dir})
	head := journaltest.MustAppend(t, s, journal.Head{}, journal.Batch{Records: journaltest.Records(0, 20)})
	keys := keysOf(t, s, 7)
	outside, err := sqlite3.Open(filepath.Join(dir, "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer outside.Close()
	if err := outside.Exec("BEGIN; SELECT count(*) FROM batches"); err != nil {
		t.Fatal(err)
	}
	journaltest.MustAppend(t, s, head, journal.Batch{Erase: []uint64{7}})
	keysIn(t, dir, keys[:1], true)
	ended := t.TempDir()
	for _, name := range []string{"journal.db", "journal.db-wal"} {
		copyFile(t, filepath.Join(dir, name), filepath.Join(ended, name))
	}
	again := openDir(t, Config{Dir: ended})
	keysIn(t, ended, keys, false)
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}

	if err := outside.Exec("COMMIT"); err != nil {
		t.Fatal(err)
	}
	s.w.log.emptyAt = time.Now().Add(-time.Millisecond)
	journaltest.MustAppend(t, s, head, journal.Batch{Records: journaltest.Records(head.Size, 1)})
	keysIn(t, dir, keys, false)
}

// keysOf returns what opens the private part of an entry in the first batch: the
// stored keys of the batch, and the entry's own.
func keysOf(t *testing.T, s *Store, seq uint64) [][]byte {
	t.Helper()
	stmt, _, err := s.w.conn.Prepare(`SELECT keys FROM keys WHERE first = 0`)
	if err != nil {
		t.Fatal(err)
	}
	defer stmt.Close()
	if !stmt.Step() {
		t.Fatal("there are no keys")
	}
	stored := stmt.ColumnBlob(0, nil)
	keys, err := seal.ParseKeys(stored)
	if err != nil {
		t.Fatal(err)
	}
	key, held := keys.Key(seq)
	if !held {
		t.Fatalf("there is no key of entry %d", seq)
	}
	return [][]byte{stored, key[:]}
}

// keysIn looks for keys in the files of a folder.
func keysIn(t *testing.T, dir string, keys [][]byte, want bool) {
	t.Helper()
	for i, key := range keys {
		if found := filesWith(t, dir, key); len(found) > 0 != want {
			t.Errorf("key %d: got it in %v, want it found: %v", i, found, want)
		}
	}
}

func filesWith(t *testing.T, dir string, part []byte) (found []string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		content, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(content, part) {
			found = append(found, f.Name())
		}
	}
	return found
}

// TestConnections checks what every connection must be set to.
func TestConnections(t *testing.T) {
	s := openDir(t, Config{Dir: t.TempDir()})
	r, err := s.dialReader()
	if err != nil {
		t.Fatal(err)
	}
	defer closeConn(r.conn)
	for _, test := range []struct {
		conn   *sqlite3.Conn
		pragma string
		want   int64
	}{
		{s.w.conn, "synchronous", 2},
		{s.w.conn, "page_size", int64(measured.pageBytes)},
		{s.w.conn, "secure_delete", 1},
		{s.w.conn, "recursive_triggers", 1},
		{r.conn, "query_only", 1},
		{r.conn, "wal_autocheckpoint", 0},
	} {
		if got, err := queryInt(test.conn, "PRAGMA "+test.pragma); err != nil || got != test.want {
			t.Errorf("%s: got %d, %v, want %d", test.pragma, got, err, test.want)
		}
	}
	if got, err := queryInt(r.conn, `SELECT journal_mode = 'wal' FROM pragma_journal_mode`); err != nil || got != 1 {
		t.Errorf("the journal is not in WAL mode: %v", err)
	}
}
