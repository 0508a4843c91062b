package sqlite

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

// What a killed process leaves is sound, also when it is opened and killed again.
func TestCheckLogAfterKill(t *testing.T) {
	dir := t.TempDir()
	for round := range 4 {
		killChild(t, dir, 25*(round+1))
		if end, err := CheckLog(dir); err != nil {
			t.Fatalf("round %d: got %+v, %v, want a sound log", round, end, err)
		}
	}
	if err := openDir(t, Config{Dir: dir}).Close(); err != nil {
		t.Fatal(err)
	}
	if end, err := CheckLog(dir); end != (LogEnd{}) || err != nil {
		t.Errorf("closed: got %+v, %v, want no log", end, err)
	}
}

// Damage to the log that takes acknowledged entries is never silent: with the
// index that a killed process leaves each case is an error. Without it, as after a
// loss of power, the last commit may have been under way, and is counted.
func TestDamagedLogIsNoticed(t *testing.T) {
	dir := t.TempDir()
	acked := killChild(t, dir, 60)
	names := []string{"journal.db", "journal.db-wal", "journal.db-shm", "journal.lock"}
	random := rand.New(rand.NewPCG(1, 2))
	found := map[string]int{}
	for _, c := range []struct {
		name  string
		index bool
		bend  func([]byte) []byte
	}{
		{"flip", true, flipAny(random)}, {"flip", false, flipAny(random)},
		{"cut", true, cutAny(random)}, {"cut", false, cutAny(random)},
		{"gone", true, func([]byte) []byte { return nil }},
		{"header", true, flipHeader(random)}, {"header", false, flipHeader(random)},
	} {
		for range 12 {
			bent := copyFiles(t, dir, names...)
			if !c.index {
				removeFile(t, bent, "journal.db-shm")
			}
			path := filepath.Join(bent, "journal.db-wal")
			wal, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, bent, "journal.db-wal", string(c.bend(wal)))
			end, err := CheckLog(bent)
			if err != nil && !errors.Is(err, ErrLogDamaged) {
				t.Fatal(err)
			}
			lost := sizeOf(t, bent) < acked
			name := c.name
			if c.index {
				name += " with the index"
			}
			switch {
			case lost && err != nil:
				found[name+": refused"]++
			case lost && !c.index && end.Dropped > 0:
				found[name+": named"]++
			case lost:
				t.Errorf("%s: entries are lost silently: %+v", name, end)
			default:
				found[name+": nothing lost"]++
			}
		}
	}
	t.Log(found)
}

// sizeOf opens a journal as the next process would; one that cannot be opened has
// size 0.
func sizeOf(t *testing.T, dir string) uint64 {
	t.Helper()
	s, err := Open(t.Context(), Config{Dir: dir, Existing: true})
	if err != nil {
		return 0
	}
	head, err := s.Head(t.Context())
	if err := errors.Join(err, s.Close()); err != nil && !errors.Is(err, journal.ErrNotJournal) {
		t.Fatal(err)
	}
	return head.Size
}

func removeFile(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

func flipAny(r *rand.Rand) func([]byte) []byte {
	return func(b []byte) []byte { b[r.IntN(len(b))] ^= 1 << r.IntN(8); return b }
}

func flipHeader(r *rand.Rand) func([]byte) []byte {
	return func(b []byte) []byte { b[r.IntN(logHeader)] ^= 1 << r.IntN(8); return b }
}

func cutAny(r *rand.Rand) func([]byte) []byte {
	return func(b []byte) []byte { return b[:r.IntN(len(b))] }
}
