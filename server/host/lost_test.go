package host

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/torchwood"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/netkit/proof"
)

// keptSize returns the size of the checkpoint in a file, 0 while there is none.
func keptSize(t *testing.T, path string) int64 {
	t.Helper()
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	body, _, _ := strings.Cut(string(text), "\n\n")
	c, err := torchwood.ParseCheckpoint(body + "\n")
	if err != nil {
		t.Fatal(err)
	}
	return c.N
}

// spawned adds n agents and asks nobody for a checkpoint.
func spawned(t *testing.T, h *Host, prefix string, n int) {
	t.Helper()
	for i := range n {
		if _, err := h.Network.As("").Spawn(t.Context(), netkit.Spawn{Slug: fmt.Sprintf("%s-%d", prefix, i)}); err != nil {
			t.Fatal(err)
		}
	}
}

// The checkpoint follows the journal by itself: at the start, within a second,
// and at the stop.
func TestCheckpointIsKeptUnasked(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, shownFile)
	h := begin(t, dir)
	if got := keptSize(t, path); got != 1 {
		t.Errorf("at the first start: got a checkpoint of %d entries, want 1", got)
	}
	spawned(t, h, "a", 5)
	start := time.Now()
	netkittest.Until(t, "a checkpoint of 6 entries", func() bool { return keptSize(t, path) == 6 })
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("the checkpoint was kept after %s, want it within a second", took)
	}
	spawned(t, h, "b", 3)
	closeHost(t, h)
	if got := keptSize(t, path); got != 9 {
		t.Errorf("after the stop: got a checkpoint of %d entries, want 9", got)
	}
}

// A network whose witnesses do not answer keeps its own signature all the same.
func TestCheckpointIsKeptWithoutAQuorum(t *testing.T) {
	dir := t.TempDir()
	private, _, err := proof.NewKey(strings.NewReader(strings.Repeat("w", 64)), "witness.example.org")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := proof.NewCosigner(private)
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Dir: dir, Genesis: &netkit.Genesis{Network: "test", OperatorToken: netkit.Token{1}}, Witnesses: []string{signer.Verifier().String()}, Quorum: 1}
	h, err := New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	spawned(t, h, "a", 4)
	if _, err := h.Log.Checkpoint(t.Context()); !errors.Is(err, proof.ErrNotWitnessed) {
		t.Errorf("got %v, want nothing shown", err)
	}
	closeHost(t, h)
	if got := keptSize(t, filepath.Join(dir, signedFile)); got != 5 {
		t.Errorf("got a checkpoint of %d entries, want 5", got)
	}
	if got := keptSize(t, filepath.Join(dir, shownFile)); got != 0 {
		t.Errorf("%d entries are shown as cosigned, want none", got)
	}
	if err := os.Remove(filepath.Join(dir, "journal.db")); err != nil {
		t.Fatal(err)
	}
	if _, err := New(t.Context(), cfg); !errors.Is(err, ErrLost) || !strings.Contains(err.Error(), signedFile) {
		t.Errorf("without the journal: got %v, want %v naming %s", err, ErrLost, signedFile)
	}
}

// crashed copies the folder of a running network as a crash would leave it,
// once its checkpoint has caught up.
func crashed(t *testing.T, h *Host, dir string, entries int64) string {
	t.Helper()
	netkittest.Until(t, "the checkpoint", func() bool { return keptSize(t, filepath.Join(dir, shownFile)) == entries })
	to := filepath.Join(t.TempDir(), "crashed")
	copyFolder(t, dir, to)
	closeHost(t, h)
	if err := errors.Join(os.Chmod(to, 0o700), os.Remove(filepath.Join(to, "journal.db-shm"))); err != nil {
		t.Fatal(err)
	}
	return to
}

// What a crash leaves starts; with its write-ahead log gone, cut or bent it does
// not, says how much is missing, and leaves the files as they are.
func TestLostWriteAheadLogIsNoticed(t *testing.T) {
	for _, grown := range []bool{false, true} { // young: all entries are in the log
		dir := t.TempDir()
		h := begin(t, dir)
		if grown {
			spawned(t, h, "first", 20)
			closeHost(t, h) // moves the log into the database
			h = begin(t, dir)
		}
		spawned(t, h, "a", 30)
		entries := int64(31)
		if grown {
			entries += 20
		}
		folder := crashed(t, h, dir, entries)
		for _, damage := range []struct {
			name string
			bend func(wal []byte) []byte // nil takes it away
		}{
			{"gone", func([]byte) []byte { return nil }},
			{"empty", func([]byte) []byte { return []byte{} }},
			{"cut", func(wal []byte) []byte { return wal[:len(wal)*3/4] }},
			{"one bit", func(wal []byte) []byte { wal[len(wal)/2] ^= 1; return wal }},
			{"whole", func(wal []byte) []byte { return wal }},
		} {
			t.Run(fmt.Sprintf("grown %v, %s", grown, damage.name), func(t *testing.T) {
				to := filepath.Join(t.TempDir(), "net")
				copyFolder(t, folder, to)
				path := filepath.Join(to, "journal.db-wal")
				wal, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				bent := damage.bend(wal)
				if err = os.WriteFile(path, bent, 0o600); err == nil && bent == nil {
					err = os.Remove(path)
				}
				if err != nil {
					t.Fatal(err)
				}
				refusedAsLost(t, to, damage.name == "whole", entries)
				if after, err := os.ReadFile(path); damage.name != "whole" && bent != nil && (err != nil || string(after) != string(bent)) {
					t.Errorf("the log was changed, %v", err)
				}
			})
		}
	}
}

// refusedAsLost opens a folder that lost entries, to begin a network if need be.
func refusedAsLost(t *testing.T, dir string, whole bool, entries int64) {
	t.Helper()
	key, err := os.ReadFile(filepath.Join(dir, "log.key"))
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(t.Context(), Config{Dir: dir, Genesis: &netkit.Genesis{Network: "other", OperatorToken: netkit.Token{2}}})
	if err == nil {
		closeHost(t, h)
	}
	switch {
	case whole:
		if err != nil {
			t.Errorf("got %v, want it to start", err)
		}
	case !errors.Is(err, ErrLost) && !errors.Is(err, proof.ErrRolledBack):
		t.Errorf("got %v, want it refused", err)
	case !strings.Contains(err.Error(), "Put the") || !strings.Contains(err.Error(), "journal.db-wal"):
		t.Errorf("got %v, want what to do", err)
	case errors.Is(err, proof.ErrRolledBack) && !strings.Contains(err.Error(), fmt.Sprintf("and %d were signed: at least", entries)):
		t.Errorf("got %v, want how many are missing", err)
	}
	if after, err := os.ReadFile(filepath.Join(dir, "log.key")); err != nil || string(after) != string(key) {
		t.Errorf("the key was replaced: %v", err)
	}
}

// Whatever a network leaves keeps the folder from beginning another one; what a
// start leaves that failed before its first entry does not.
func TestWhatKeepsAFolderFromBeginning(t *testing.T) {
	whole := t.TempDir()
	h := begin(t, whole)
	spawned(t, h, "a", 1)
	closeHost(t, h)
	for _, name := range []string{"log.key", "log.pub", "checkpoint", "signing.key", "snapshot-2.snap", "audio"} {
		dir := t.TempDir()
		if err := os.CopyFS(filepath.Join(dir, "from"), os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(dir, "from", name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(dir, "from")); err != nil {
			t.Fatal(err)
		}
		_, err := New(t.Context(), Config{Dir: dir, Genesis: &netkit.Genesis{Network: "test", OperatorToken: netkit.Token{1}}})
		if !errors.Is(err, ErrLost) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s alone: got %v, want %v naming it", name, err, ErrLost)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Errorf("%s alone: the refusal left %v, %v", name, left, err)
		}
	}
	if _, err := os.Stat(filepath.Join(whole, firstStart)); !os.IsNotExist(err) {
		t.Errorf("the mark of the first start stayed: %v", err)
	}
}

// A start names the entry that was altered, and neither blames the checkpoint nor
// puts it aside: accepting a loss brings no entry back.
func TestAlteredEntryIsNamed(t *testing.T) {
	dir, entries := peopled(t, 4)
	path := filepath.Join(dir, "journal.db")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(b, entries[2])
	if at < 0 {
		t.Fatal("the entry is not in the file as text")
	}
	b[at+len(entries[2])/2] ^= 1
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, accept := range []bool{false, true} {
		_, err := New(t.Context(), Config{Dir: dir, AcceptLoss: accept})
		if err == nil {
			t.Fatalf("accepting a loss %v: started", accept)
		}
		if text := err.Error(); !errors.Is(err, journal.ErrNotJournal) && !errors.Is(err, netkit.ErrCorrupt) || !strings.Contains(text, "entry 2") || strings.Contains(text, "checkpoint") {
			t.Errorf("accepting a loss %v: got %q, want the entry and nothing of checkpoints", accept, text)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, shownFile)); err != nil {
		t.Errorf("the checkpoint: %v, want it where it was", err)
	}
}
