package host

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// The damages that a file of the folder is tried with.
var damages = []struct {
	name string
	bend func(b, foreign []byte) []byte // nil takes the file away
}{
	{"missing", func([]byte, []byte) []byte { return nil }},
	{"empty", func([]byte, []byte) []byte { return []byte{} }},
	{"truncated", func(b, _ []byte) []byte { return b[:len(b)*2/3] }},
	{"of another folder", func(_, foreign []byte) []byte { return foreign }},
	{"one bit", func(b, _ []byte) []byte { b[len(b)/2] ^= 1; return b }},
}

// A file beside the journal that is missing or altered is named, by the refusal
// to start or by the alarm, and what is put in its place is not named again.
func TestAlteredFilesAreNamed(t *testing.T) {
	whole, foreign := t.TempDir(), t.TempDir()
	closeHost(t, begin(t, whole))
	closeHost(t, begin(t, foreign))
	for file, refused := range map[string]string{ // the damages under which the folder does not start
		"checkpoint":   "missing, empty, truncated, of another folder, one bit",
		"log.key":      "missing, empty, truncated, of another folder, one bit",
		"log.pub":      "",
		"signing.key":  "empty, truncated, of another folder, one bit",
		"snapshot.key": "",
	} {
		for _, d := range damages {
			t.Run(file+" "+d.name, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "net")
				copyFolder(t, whole, dir)
				path := filepath.Join(dir, file)
				b, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				other, err := os.ReadFile(filepath.Join(foreign, file))
				if err != nil {
					t.Fatal(err)
				}
				if bent := d.bend(b, other); bent == nil {
					err = os.Remove(path)
				} else {
					err = os.WriteFile(path, bent, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
				alarms, err := startedWith(t, dir)
				if want := strings.Contains(refused, d.name); (err != nil) != want {
					t.Fatalf("got %v, want refused: %v", err, want)
				}
				said := fmt.Sprint(alarms, err)
				if !strings.Contains(said, file) && !(file == "snapshot.key" && strings.Contains(said, "snapshot key")) {
					t.Errorf("got %s, want %s named", said, file)
				}
				if err != nil {
					return
				}
				if again, err := startedWith(t, dir); err != nil || len(again) > 0 {
					t.Errorf("the next start: got %v, %v, want nothing to say", again, err)
				}
			})
		}
	}
}

// startedWith starts and stops the network of a folder, and returns what the
// alarm was told.
func startedWith(t *testing.T, dir string) (alarms []string, err error) {
	t.Helper()
	alarms, _, err = startedWithNotices(t, dir)
	return alarms, err
}

// startedWithNotices is startedWith, and also returns the notices of the start.
func startedWithNotices(t *testing.T, dir string) (alarms, notices []string, err error) {
	t.Helper()
	h, err := New(t.Context(), Config{Dir: dir, Alarm: func(err error) { alarms = append(alarms, err.Error()) },
		Notice: func(text string) { notices = append(notices, text) }})
	if err == nil {
		closeHost(t, h)
	}
	return alarms, notices, err
}

// A folder of an earlier release has no snapshot key, and a signing key that is
// bound to nothing. Its first start replays, binds the key and gives notice of both,
// without an alarm: a sound upgrade is no fault.
func TestFolderOfAnEarlierRelease(t *testing.T) {
	dir := t.TempDir()
	closeHost(t, begin(t, dir))
	path := filepath.Join(dir, "signing.key")
	key, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(filepath.Join(dir, "snapshot.key")), os.WriteFile(path, key[:32], 0o600)); err != nil {
		t.Fatal(err)
	}
	alarms, notices, err := startedWithNotices(t, dir)
	if said := strings.Join(notices, "\n"); err != nil || !strings.Contains(said, "signing.key") || !strings.Contains(said, "snapshot.key") {
		t.Errorf("got %v, %v, want both files named", notices, err)
	}
	if said := strings.Join(alarms, "\n"); strings.Contains(said, "signing.key") || strings.Contains(said, "snapshot.key") || !strings.Contains(said, "replays all") {
		t.Errorf("got the alarm %q, want the replay and neither key", said)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, key) {
		t.Errorf("the signing key is another, %v", err)
	}
	if alarms, err := startedWith(t, dir); err != nil || len(alarms) > 0 {
		t.Errorf("the next start: got %v, %v, want nothing to say", alarms, err)
	}
	if err := os.WriteFile(path, key[:32], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := startedWith(t, dir); err == nil {
		t.Error("a signing key that lost its binding later was taken")
	}
}

// With the checkpoint removed and the write-ahead log cut or altered, no tail
// disappears silently: the start is refused, and names the checkpoint.
func TestLostTailIsNeverSilent(t *testing.T) {
	dir := t.TempDir()
	h := begin(t, dir)
	spawned(t, h, "a", 30)
	folder := crashed(t, h, dir, 31)
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 60 {
		to := filepath.Join(t.TempDir(), "net")
		copyFolder(t, folder, to)
		path := filepath.Join(to, "journal.db-wal")
		wal, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			wal = wal[:random.IntN(len(wal))]
		} else {
			wal[random.IntN(len(wal))] ^= 1 << random.IntN(8)
		}
		if err := errors.Join(os.WriteFile(path, wal, 0o600), os.Remove(filepath.Join(to, "checkpoint"))); err != nil {
			t.Fatal(err)
		}
		if _, err := startedWith(t, to); !errors.Is(err, ErrUnguarded) && !errors.Is(err, ErrLost) {
			t.Errorf("trial %d: got %v, want it refused", i, err)
		}
	}
}

// With a checkpoint that is older than the tail, damage to the write-ahead log is
// refused or named, whatever it hits.
func TestTailBehindTheCheckpointIsNeverSilent(t *testing.T) {
	dir := t.TempDir()
	h := begin(t, dir)
	spawned(t, h, "a", 30)
	old := filepath.Join(t.TempDir(), "old")
	copyFolder(t, crashed(t, h, dir, 31), old)
	checkpoint, err := os.ReadFile(filepath.Join(old, "checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	if h, err = New(t.Context(), Config{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	spawned(t, h, "b", 30)
	folder := crashed(t, h, dir, 61)
	random := rand.New(rand.NewPCG(5, 6))
	found := map[string]int{}
	for i := range 50 {
		to := filepath.Join(t.TempDir(), "net")
		copyFolder(t, folder, to)
		path := filepath.Join(to, "journal.db-wal")
		wal, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		wal[random.IntN(len(wal))] ^= 1 << random.IntN(8)
		if err := errors.Join(os.WriteFile(path, wal, 0o600), os.WriteFile(filepath.Join(to, "checkpoint"), checkpoint, 0o600)); err != nil {
			t.Fatal(err)
		}
		alarms, err := startedWith(t, to)
		switch {
		case err != nil:
			found["refused"]++
		case len(alarms) > 0:
			found["named"]++
		default:
			t.Errorf("trial %d: it started silently", i)
		}
	}
	t.Log(found)
}

// A loss that an operator accepts is named, and the network continues with the
// entries that are there.
func TestAcceptedLoss(t *testing.T) {
	dir := t.TempDir()
	h := begin(t, dir)
	spawned(t, h, "a", 3)
	closeHost(t, h)
	if err := os.Remove(filepath.Join(dir, "checkpoint")); err != nil {
		t.Fatal(err)
	}
	var alarms []string
	h, err := New(t.Context(), Config{Dir: dir, AcceptLoss: true, Alarm: func(err error) { alarms = append(alarms, err.Error()) }})
	if err != nil || len(alarms) != 1 || !strings.Contains(alarms[0], "may be missing") {
		t.Fatalf("got %v, %v, want a start that says so", alarms, err)
	}
	spawned(t, h, "b", 1)
	closeHost(t, h)
	if alarms, err := startedWith(t, dir); err != nil || len(alarms) > 0 {
		t.Errorf("the next start: got %v, %v, want nothing to say", alarms, err)
	}
}

// A network does not begin by a clock that cannot be right.
func TestBeginningNeedsAClock(t *testing.T) {
	for at, want := range map[string]bool{"1970-01-01": false, "2026-02-19": false, "2026-02-20": true, "2199-12-31": true, "2200-01-01": false, "9999-01-01": false} {
		now, err := time.Parse(time.DateOnly, at)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "net")
		h, err := New(t.Context(), Config{Dir: dir, Now: func() time.Time { return now }, Genesis: &netkit.Genesis{Network: "test", OperatorToken: netkit.Token{1}}})
		if err == nil {
			closeHost(t, h)
		}
		if _, gone := os.Stat(dir); (err == nil) != want || !want && (!errors.Is(err, ErrClock) || !strings.Contains(err.Error(), "clock says "+at) || !os.IsNotExist(gone)) {
			t.Errorf("%s: got %v, want it to begin: %v", at, err, want)
		}
	}
}
