package cluster

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/raft"
)

// filledLog returns the path of a closed log with entries 5 to 204, and what it holds.
func filledLog(t *testing.T) (string, []*raft.Log) {
	t.Helper()
	path := filepath.Join(t.TempDir(), raftFile)
	l, err := openRaftLog(path, true)
	if err != nil {
		t.Fatal(err)
	}
	var entries []*raft.Log
	for i := range uint64(200) {
		entries = append(entries, &raft.Log{Index: 5 + i, Term: 1 + i/50, Type: raft.LogCommand, Data: bytes.Repeat(fmt.Appendf(nil, "%d,", i), 40)})
	}
	err = errors.Join(l.StoreLogs(entries), l.SetUint64([]byte("CurrentTerm"), 4), l.Set([]byte("LastVoteCand"), []byte("a")), l.Close())
	if err != nil {
		t.Fatal(err)
	}
	return path, entries
}

// expectLog compares a log with entries, after it was opened again.
func expectLog(t *testing.T, path string, want []*raft.Log) {
	t.Helper()
	l, err := openRaftLog(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	first, _ := l.FirstIndex()
	last, _ := l.LastIndex()
	if len(want) == 0 {
		if first != 0 || last != 0 {
			t.Errorf("got the entries %d to %d, want none", first, last)
		}
		return
	}
	if first != want[0].Index || last != want[len(want)-1].Index {
		t.Errorf("got the entries %d to %d, want %d to %d", first, last, want[0].Index, want[len(want)-1].Index)
	}
	for _, w := range want {
		var got raft.Log
		if err := l.GetLog(w.Index, &got); err != nil || got.Term != w.Term || got.Type != w.Type || !bytes.Equal(got.Data, w.Data) {
			t.Errorf("entry %d: got %+v, %v, want %+v", w.Index, got, err, w)
		}
	}
}

func TestLogDeletesFromItsEnds(t *testing.T) {
	tests := []struct {
		name     string
		from, to uint64
		keep     func([]*raft.Log) []*raft.Log
	}{
		{"prefix", 1, 104, func(e []*raft.Log) []*raft.Log { return e[100:] }},
		{"suffix", 105, 900, func(e []*raft.Log) []*raft.Log { return e[:100] }},
		{"all", 0, 1 << 40, func([]*raft.Log) []*raft.Log { return nil }},
		{"nothing", 300, 400, func(e []*raft.Log) []*raft.Log { return e }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path, entries := filledLog(t)
			l, err := openRaftLog(path, false)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(l.DeleteRange(test.from, test.to), l.Close()); err != nil {
				t.Fatal(err)
			}
			expectLog(t, path, test.keep(entries))
		})
	}
	path, entries := filledLog(t)
	l, err := openRaftLog(path, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.DeleteRange(50, 60); err == nil {
		t.Error("deleting from the middle left a gap")
	}
	if err := l.GetLog(500, new(raft.Log)); err != raft.ErrLogNotFound { // raft compares it so
		t.Errorf("got %v, want %v", err, raft.ErrLogNotFound)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	expectLog(t, path, entries)
}

// Wherever a bit of the file flips, the log is named as damaged or has all that was
// written.
func TestLogNamesFlippedBits(t *testing.T) {
	path, entries := filledLog(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for i := range 128 {
		b := bytes.Clone(whole)
		b[i*len(b)/128] ^= 1 << (i % 8)
		path := filepath.Join(t.TempDir(), raftFile)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := openRaftLog(path, false)
		if err == nil {
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			expectLog(t, path, entries)
			continue
		}
		if named++; !errors.Is(err, ErrDamaged) {
			t.Errorf("byte %d: got %v, want %v", i*len(b)/128, err, ErrDamaged)
		}
	}
	if named < 64 {
		t.Errorf("%d of 128 flipped bits were named", named)
	}
}

// A flipped bit in the write-ahead log, by which SQLite would drop the commits behind it,
// is named, also at the next start. A log as a crash leaves it is sound.
func TestDamagedTailIsNamed(t *testing.T) {
	l, err := openRaftLog(filepath.Join(t.TempDir(), raftFile), true)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for i := range uint64(20) {
		if err := l.StoreLog(&raft.Log{Index: i + 1, Term: 1, Data: make([]byte, 2000)}); err != nil {
			t.Fatal(err)
		}
	}
	for name, damaged := range map[string]bool{"crashed": false, "flipped": true} {
		path := filepath.Join(t.TempDir(), raftFile)
		for _, part := range []string{"", "-wal"} {
			b, err := os.ReadFile(l.path + part)
			if err == nil {
				err = os.WriteFile(path+part, b, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if damaged {
			flip(t, path+"-wal", 0.5, 0.6)
		}
		for range 2 {
			copied, err := openRaftLog(path, false)
			if errors.Is(err, ErrDamaged) != damaged || !damaged && (err != nil || copied.last != 20) {
				t.Errorf("%s: got %v, want damage %v", name, err, damaged)
			}
			if err == nil {
				copied.Close()
			}
		}
	}
}
