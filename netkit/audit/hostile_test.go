package audit_test

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/audit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/netkittest"
)

// A list that never ends holds an auditor for no longer than it shows something
// new.
func TestEndlessPages(t *testing.T) {
	dir := founded(t)
	for _, c := range []struct {
		name, path string
		empty      bool // what follows the last page, or else the first page again
	}{
		{"the directory goes on empty", "/directory", true},
		{"the directory begins again", "/directory", false},
		{"the registry goes on empty", "/api/rogues", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := 0
			bend := func(h http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if !strings.HasPrefix(r.URL.Path, c.path) {
						h.ServeHTTP(w, r)
						return
					}
					if asked++; asked > 20 {
						w.WriteHeader(http.StatusTeapot)
						return
					}
					beyond := r.URL.Query().Get("cursor") == "beyond"
					if beyond {
						r.URL.RawQuery = "limit=200"
					}
					rec := httptest.NewRecorder()
					h.ServeHTTP(rec, r)
					var page map[string]json.RawMessage
					if err := json.Unmarshal(rec.Body.Bytes(), &page); err != nil {
						t.Error(err)
					}
					if page["next_cursor"] == nil || beyond {
						page["next_cursor"] = json.RawMessage(`"beyond"`)
					}
					if beyond && c.empty {
						page["items"] = json.RawMessage(`[]`)
					}
					w.Header().Set("Content-Type", "application/json")
					_ = json.NewEncoder(w).Encode(page)
				})
			}
			if _, err := audit.Run(t.Context(), remote(t, audit.Seen(t.TempDir()), copied(t, dir), bend)); !errors.Is(err, audit.ErrShown) {
				t.Errorf("got %v after %d pages, want ErrShown", err, asked)
			}
		})
	}
}

// A body that unpacks to more than a file of a log can hold is cut where it is
// surely wrong, and does not fill the memory.
func TestBomb(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.CopyN(z, zeros{}, 4*audit.MaxFile)
		_ = z.Close()
	}))
	defer s.Close()
	log := netkittest.Must[torchwood.TileReader](t)(audit.Fetcher(s.URL, "test", http.DefaultTransport))
	b, err := log.ReadEndpoint(t.Context(), "checkpoint")
	if err != nil || len(b) != audit.MaxFile+1 {
		t.Errorf("got %d bytes, %v; want %d: enough to be wrong, and no more", len(b), err, audit.MaxFile+1)
	}
	if _, err := audit.Run(t.Context(), audit.Config{From: s.URL, Log: log, Seen: audit.Seen(t.TempDir())}); !errors.Is(err, audit.ErrUnsigned) {
		t.Errorf("got %v, want ErrUnsigned", err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 0
	}
	return len(p), nil
}

// A server that is out of order makes an audit fail, and is not what a forged
// log is. It is asked again where that may help, and nobody waits for as long as
// it says.
func TestServerOutOfOrder(t *testing.T) {
	for status, want := range map[int]int32{429: 3, 500: 1, 503: 3} {
		var asked atomic.Int32
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked.Add(1)
			w.Header().Set("Retry-After", "1000000000")
			w.WriteHeader(status)
		}))
		log := netkittest.Must[torchwood.TileReader](t)(audit.Fetcher(s.URL, "test", http.DefaultTransport)).(*audit.HTTPReader)
		log.SetPauses(1, 1)
		_, err := log.ReadEndpoint(t.Context(), "checkpoint")
		s.Close()
		if err == nil || !strings.Contains(err.Error(), fmt.Sprint(status)) || asked.Load() != want {
			t.Errorf("got %v after %d requests, want the status %d after %d", err, asked.Load(), status, want)
		}
		if !errors.Is(err, audit.ErrFetch) {
			t.Errorf("status %d: got %v, want no word against the log", status, err)
		}
	}
}

// What a server cannot read of its own journal is named by its entries, and
// without waiting for it to come back.
func TestHoleFromAfar(t *testing.T) {
	asked := 0
	bend := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/tile/entries/001") {
				asked++
				w.WriteHeader(http.StatusInternalServerError)
				return
			}
			h.ServeHTTP(w, r)
		})
	}
	_, err := audit.Run(t.Context(), remote(t, audit.Seen(t.TempDir()), founded(t), bend))
	if err == nil || errors.Is(err, netkit.ErrCorrupt) || !strings.Contains(err.Error(), "entries 256 to ") || !strings.Contains(err.Error(), "answers 500") {
		t.Errorf("got %v, want the entries from 256 named, and no word against the log", err)
	}
	if asked != 1 {
		t.Errorf("asked %d times, want once", asked)
	}
}

// In a mirror only files of a log's size are opened.
func TestOddFilesOfMirror(t *testing.T) {
	files := audit.Regular{fstest.MapFS{
		"pipe": {Mode: fs.ModeNamedPipe}, "device": {Mode: fs.ModeDevice}, "checkpoint": {Data: []byte("c")},
	}}
	for _, name := range []string{"pipe", "device"} {
		if _, err := files.Open(name); err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s: got %v, want it refused", name, err)
		}
	}
	if b, err := fs.ReadFile(files, "checkpoint"); err != nil || string(b) != "c" {
		t.Errorf("got %q, %v, want the file", b, err)
	}
	dir := mirror(t, founded(t))
	if err := os.Truncate(filepath.Join(dir, "tile", "entries", "000"), 1<<34); err != nil {
		t.Fatal(err)
	}
	if _, err := mirrored(t, audit.Seen(t.TempDir()), dir); err == nil || !strings.Contains(err.Error(), "bytes") {
		t.Errorf("got %v, want a file of 16 GiB refused", err)
	}
}

// resign has the log's key sign another size or root over a mirror's tiles.
func resign(t *testing.T, dir, mirror string, change func(*torchwood.Checkpoint)) {
	t.Helper()
	path := filepath.Join(mirror, "checkpoint")
	c := netkittest.Must[torchwood.Checkpoint](t)(torchwood.ParseCheckpoint(audit.Unsigned(netkittest.Must[[]byte](t)(os.ReadFile(path)))))
	change(&c)
	key := strings.TrimSpace(string(netkittest.Must[[]byte](t)(os.ReadFile(filepath.Join(dir, "log.key")))))
	signed := netkittest.Must[[]byte](t)(note.Sign(&note.Note{Text: c.String()}, netkittest.Must[note.Signer](t)(note.NewSigner(key))))
	if err := os.WriteFile(path, signed, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Sizes that no tree can have are refused like any that the tiles do not bear
// out.
func TestSignedSizesWithoutTree(t *testing.T) {
	dir := founded(t)
	honest := mirror(t, dir)
	for _, size := range []int64{0, 1 << 40, 1 << 48, 1 << 61, 1<<62 - 1, 1 << 62, math.MaxInt64} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			m := copied(t, honest)
			resign(t, dir, m, func(c *torchwood.Checkpoint) { c.N = size })
			if r, err := mirrored(t, audit.Seen(t.TempDir()), m); err == nil {
				t.Errorf("got %+v, want a refusal", r)
			}
		})
	}
	m := copied(t, honest)
	resign(t, dir, m, func(c *torchwood.Checkpoint) { c.Hash = tlog.Hash{1} })
	if _, err := mirrored(t, audit.Seen(t.TempDir()), m); !errors.Is(err, netkit.ErrCorrupt) {
		t.Errorf("another root: got %v, want ErrCorrupt", err)
	}
}

// What was seen never goes back: an old checkpoint beside the journal would let
// it be rolled back unseen.
func TestSeenNeverGoesBack(t *testing.T) {
	dir, seen := founded(t), audit.Seen(t.TempDir())
	early := netkittest.Must[[]byte](t)(os.ReadFile(filepath.Join(withCheckpoint(t, copied(t, dir)), "checkpoint")))
	h := open(t, dir, now)
	spawn(t, h, "later", 3)
	done(t, h)
	newest := netkittest.Must[audit.Report](t)(mirrored(t, seen, mirror(t, dir)))
	if err := os.WriteFile(filepath.Join(dir, "checkpoint"), early, 0o600); err != nil {
		t.Fatal(err)
	}
	netkittest.Must[audit.Report](t)(folder(t, seen, dir))
	was := netkittest.Must[*audit.Sight](t)(seen.Read("agentnet/testnet"))
	if got := audit.TreeOf(was.Checkpoint).N; uint64(got) != newest.Entries {
		t.Errorf("got a checkpoint of %d entries kept, want that of %d", got, newest.Entries)
	}
	if len(was.From) != 2 {
		t.Errorf("got %q, want both places where it was found", was.From)
	}
}

// Two audits that end at one time on two histories do not pass over it.
func TestSeenMeanwhile(t *testing.T) {
	dir, seen := founded(t), audit.Seen(t.TempDir())
	netkittest.Must[audit.Report](t)(mirrored(t, seen, mirror(t, dir)))
	was := netkittest.Must[*audit.Sight](t)(seen.Read("agentnet/testnet"))
	fork := mirror(t, dir)
	resign(t, dir, fork, func(c *torchwood.Checkpoint) { c.Hash = tlog.Hash{1} })
	cfg := audit.Config{From: "there", Seen: seen, Now: func() time.Time { return now }}
	if err := audit.KeepSeen(t.Context(), cfg, was, netkittest.Must[[]byte](t)(os.ReadFile(filepath.Join(fork, "checkpoint")))); !errors.Is(err, audit.ErrRewritten) {
		t.Errorf("got %v, want ErrRewritten", err)
	}
}

// A state file that was spoilt makes no first visit of a second one, and is not
// the log's fault.
func TestSpoiltSeen(t *testing.T) {
	dir, seen := founded(t), audit.Seen(filepath.Join(t.TempDir(), "a[b]"))
	m := mirror(t, dir)
	netkittest.Must[audit.Report](t)(mirrored(t, seen, m))
	path := seen.File("agentnet/testnet")
	good := string(netkittest.Must[[]byte](t)(os.ReadFile(path)))
	for name, text := range map[string]string{
		"empty": "", "nothing": "{}", "null": "null",
		"another log":     strings.Replace(good, `"origin": "agentnet/testnet"`, `"origin": "agentnet/other"`, 1),
		"no checkpoint":   strings.Replace(good, `"checkpoint": "agentnet`, `"checkpoint": "`, 1),
		"a bent size":     strings.Replace(good, `testnet\n`, `testnet\n1`, 1),
		"no key of a log": strings.Replace(good, `"key": "agentnet`, `"key": "`, 1),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := mirrored(t, seen, m)
		if err == nil || errors.Is(err, audit.ErrUnsigned) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v, want the file named, and no word against the log", name, err)
		}
	}
}

// Whoever has seen a log at an address finds out if another stands there,
// whatever the folder is called in which it was kept.
func TestAddressIsRemembered(t *testing.T) {
	seen := audit.Seen(filepath.Join(t.TempDir(), "a[b]*"))
	dir := founded(t)
	netkittest.Must[audit.Report](t)(folder(t, seen, withCheckpoint(t, dir)))
	key := strings.TrimSpace(string(netkittest.Must[[]byte](t)(os.ReadFile(filepath.Join(dir, "log.pub")))))
	forge(t, dir, func(all []journal.Record) []journal.Record {
		public := strings.Replace(string(all[0].Public), `"log_key":"`+key+`"`, `"log_key":""`, 1)
		if public == string(all[0].Public) {
			t.Fatalf("%s names no key", public)
		}
		public = strings.Replace(public, `,"log_key":""`, "", 1)
		all[0].Public = []byte(public)
		return all
	})
	if r, err := folder(t, seen, dir); !errors.Is(err, audit.ErrRewritten) {
		t.Errorf("a genesis without a key: got %+v, %v, want ErrRewritten", r, err)
	}
}

// Cosignatures that are asked for are asked for of a folder too.
func TestFolderWithoutWitnesses(t *testing.T) {
	dir := withCheckpoint(t, founded(t))
	store := netkittest.Must[*sqlite.Store](t)(sqlite.Open(t.Context(), sqlite.Config{Dir: dir, ReadOnly: true}))
	defer store.Close()
	const witness = "w1.example.org+aeb8cbfb+BMmrjoiinjp/FWZ4FOZ9yGlLzx8UxxC1e8H6YDqvnCyr"
	cfg := audit.Config{From: dir, Seen: audit.Seen(t.TempDir()), Now: func() time.Time { return now }, Witnesses: []string{witness}, Quorum: 1}
	if r, err := audit.Folder(t.Context(), store, cfg); !errors.Is(err, audit.ErrUnsigned) {
		t.Errorf("got %+v, %v, want ErrUnsigned", r, err)
	}
	clearCheckpoint(t, dir)
	if r, err := audit.Folder(t.Context(), store, cfg); !errors.Is(err, audit.ErrUnsigned) {
		t.Errorf("without a checkpoint: got %+v, %v, want ErrUnsigned", r, err)
	}
}

// A log that grows behind an answer's back does not fill the memory; entries up
// to the one that the answer names are taken as they come.
func TestEntriesAhead(t *testing.T) {
	dir := founded(t)
	h := open(t, dir, now)
	before, behind, prefix := 0, 0, "first"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked := strings.HasPrefix(r.URL.Path, "/api/ledger/conservation")
		if asked {
			spawn(t, h, prefix+"-before", before)
		}
		h.Server.Handler().ServeHTTP(w, r)
		if asked {
			spawn(t, h, prefix+"-behind", behind)
		}
	}))
	defer func() { s.Close(); done(t, h) }()
	cfg := remote(t, audit.Seen(t.TempDir()), copied(t, dir), nil)
	cfg.Shown, cfg.Log = address(t, s.URL)
	check := func() error { return audit.CompareInRoom(t.Context(), cfg, 1000) }
	before = 40
	if err := check(); err != nil {
		t.Errorf("40 agents before the answer: got %v", err)
	}
	before, behind = 1, 40
	prefix = "again"
	if err := check(); err == nil || !strings.Contains(err.Error(), "too many to hold") {
		t.Errorf("40 agents after it: got %v, want them not held", err)
	}
}

// What is not a checkpoint is not a word against the log that it is compared with.
func TestAgainstRubbish(t *testing.T) {
	dir := withCheckpoint(t, founded(t))
	m := mirror(t, dir)
	for _, text := range []string{"", "rubbish", "agentnet/testnet\n1\nAA==\n\n"} {
		cfg := audit.Config{From: m, Log: netkittest.Must[torchwood.TileReader](t)(audit.Mirror(os.DirFS(m))), Seen: audit.Seen(t.TempDir()), Now: func() time.Time { return now }, Against: []byte(text)}
		_, err := audit.Run(t.Context(), cfg)
		if err == nil || errors.Is(err, audit.ErrUnsigned) || !strings.Contains(err.Error(), "somebody else was shown") {
			t.Errorf("%q: got %v, want what was to be compared named, and no word against the log", text, err)
		}
	}
}
