package backup

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
)

// grown makes a journal of n entries, each a batch.
func grown(tb testing.TB, n int) (*sqlite.Store, journal.Head, *journal.Tree) {
	tb.Helper()
	s, err := sqlite.Open(tb.Context(), sqlite.Config{Dir: tb.TempDir()})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	var head journal.Head
	tree := &journal.Tree{}
	for head.Size < uint64(n) {
		head = appended(tb, s, head, tree, 64)
	}
	return s, head, tree
}

func appended(tb testing.TB, s *sqlite.Store, head journal.Head, tree *journal.Tree, n int) journal.Head {
	tb.Helper()
	b := journal.Batch{}
	for i := range n {
		seq := head.Size + uint64(i)
		r := journal.Record{Seq: seq, Public: fmt.Appendf(nil, `{"seq":%d,"at":%d,"padding":%q}`, seq, seq, bytes.Repeat([]byte("x"), 380)), Private: bytes.Repeat([]byte("y"), 350)}
		b.Records, b.Nodes = append(b.Records, r), tree.Append(journal.Leaf(r.Public), b.Nodes)
	}
	next, err := s.Append(context.Background(), head, b)
	if err != nil {
		tb.Fatal(err)
	}
	return next
}

// configOf is a backup of a journal and some files to a new identity.
func configOf(tb testing.TB, s journal.Copier, files ...File) (Config, []age.Identity) {
	tb.Helper()
	id, err := age.GenerateX25519Identity()
	if err != nil {
		tb.Fatal(err)
	}
	return Config{Journal: s, Network: "test", Recipients: []age.Recipient{id.Recipient()}, Names: []string{id.Recipient().String()}, Now: time.Now,
		Recordings: func() ([]File, error) { return nil, nil }, Files: func() ([]File, error) { return files, nil }}, []age.Identity{id}
}

// A journal of several members, with a file of several pieces, comes back as it was:
// with everything to the recipient, and with its public parts to the drill.
func TestBackupHoldsWhatWasWritten(t *testing.T) {
	s, head, _ := grown(t, 12_000)
	long := bytes.Repeat([]byte("0123456789abcdef"), pieceSize/16*2+5)
	cfg, ids := configOf(t, s, File{Path: "a/long", Content: long}, File{Path: "empty", Content: []byte{}}, File{Path: "gone", Source: filepath.Join(t.TempDir(), "gone")})
	drill, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	cfg.Drill = drill.Recipient()
	path := filepath.Join(t.TempDir(), "b")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Write(t.Context(), f, cfg)
	if err != nil || m.Tree.Size != head.Size || uint64(m.LastEntry) != head.Size-1 {
		t.Fatalf("got %+v, %v, want %d entries", m.Tree, err, head.Size)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for _, c := range []struct {
		name    string
		ids     []age.Identity
		private bool
	}{{"recipient", ids, true}, {"drill", []age.Identity{drill}, false}} {
		next, sealed := uint64(0), 0
		err := b.Batches(t.Context(), c.ids, c.private, func(batch journal.SealedBatch, keys journal.BatchKeys) error {
			for i := range batch.Public {
				if want := fmt.Sprintf(`{"seq":%d,`, next); !bytes.HasPrefix(batch.Public[i], []byte(want)) {
					return fmt.Errorf("entry %d: got %s", next, batch.Public[i])
				}
				if next++; batch.Sealed[i] != nil && keys.Held {
					sealed++
				}
			}
			return nil
		})
		if want := map[bool]int{true: int(head.Size)}[c.private]; err != nil || next != head.Size || sealed != want {
			t.Errorf("%s: got %d entries, %d of them sealed, and %v, want %d and %d", c.name, next, sealed, err, head.Size, want)
		}
	}
	if err := b.Files(t.Context(), []age.Identity{drill}, t.TempDir()); err == nil {
		t.Error("the drill's key opens private members")
	}
	to := t.TempDir()
	if err := b.Files(t.Context(), ids, to); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(to, "a", "long")); err != nil || !bytes.Equal(got, long) {
		t.Errorf("the long file: got %d bytes, %v", len(got), err)
	}
	if _, err := os.Stat(filepath.Join(to, "empty")); err != nil {
		t.Errorf("the empty file: %v", err)
	}
}

// A member that was encrypted by somebody else leads no file out of the folder.
func TestNoPathLeavesTheFolder(t *testing.T) {
	s, _, _ := grown(t, 64)
	for _, path := range []string{"../out", "/etc/out", "a/../../out"} {
		cfg, ids := configOf(t, s, File{Path: path, Content: []byte("x")})
		file := filepath.Join(t.TempDir(), "b")
		f, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Write(t.Context(), f, cfg); err != nil {
			t.Fatal(err)
		}
		f.Close()
		b, err := Open(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Files(t.Context(), ids, t.TempDir()); err == nil {
			t.Errorf("%s was written", path)
		}
		b.Close()
	}
}

// Members of damaged content are refused, whatever it is.
func FuzzJournalMembers(f *testing.F) {
	f.Add([]byte("\x01\x21"+string(make([]byte, 32))), []byte("{}\n"), []byte("\x00"))
	f.Add(binary.AppendUvarint(nil, 1<<40), []byte("\n\n"), []byte("\xff\xff"))
	f.Fuzz(func(t *testing.T, keys, public, sealed []byte) {
		j := &journalReader{private: true, add: func(b journal.SealedBatch, _ journal.BatchKeys) error {
			if len(b.Public) != len(b.Sealed) {
				t.Errorf("got %d public and %d sealed parts", len(b.Public), len(b.Sealed))
			}
			return nil
		}}
		if j.take(keysFolder, keys) == nil && j.take(publicFolder, public) == nil {
			_ = j.take(sealedFolder, sealed)
		}
	})
}

// BenchmarkAppendBesideBackup measures a writer by itself and beside backups without
// a pause: the ratio of the 99th percentiles is its metric.
func BenchmarkAppendBesideBackup(b *testing.B) {
	s, head, tree := grown(b, 50_000)
	cfg, _ := configOf(b, s)
	p99 := func(n int) time.Duration {
		took := make([]time.Duration, n)
		for i := range took {
			at := time.Now()
			head = appended(b, s, head, tree, 32)
			took[i] = time.Since(at)
		}
		slices.Sort(took)
		return took[n*99/100]
	}
	for b.Loop() {
		alone := p99(1000)
		var stop atomic.Bool
		done, backups := make(chan struct{}), 0
		go func() {
			defer close(done)
			for !stop.Load() {
				if _, err := Write(context.Background(), discard{}, cfg); err != nil {
					b.Error(err)
					return
				}
				backups++
			}
		}()
		beside := p99(1000)
		stop.Store(true)
		<-done
		b.ReportMetric(float64(beside)/float64(alone), "p99-ratio")
		b.ReportMetric(float64(alone.Microseconds()), "alone-µs")
		b.ReportMetric(float64(beside.Microseconds()), "beside-µs")
		b.ReportMetric(float64(backups), "backups")
	}
}

// discard is a place without an end.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
