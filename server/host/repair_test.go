package host

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/backup"
)

// unpacked is a folder that was made of a backup.
func unpacked(t *testing.T, dir string) string {
	t.Helper()
	ids, recipient := keyPair(t)
	b, err := backup.Open(t.Context(), backedUp(t, dir, recipient))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	to := filepath.Join(t.TempDir(), "copy")
	if err := Stage(t.Context(), b, ids, to, nil); err != nil {
		t.Fatal(err)
	}
	return StagedDir(to)
}

// alterText changes a byte in the middle of a text in a file.
func alterText(t *testing.T, path, text string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(b, []byte(text))
	if at < 0 {
		t.Fatalf("%q is not in %s as text", text, path)
	}
	b[at+len(text)/2] ^= 1
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A repair puts back each file and each entry that a copy has, and nothing else; the
// network then starts and an erasure stays.
func TestRepair(t *testing.T) {
	dir := t.TempDir()
	h, text, dispatch, recording := lively(t, dir)
	spawned(t, h, "erased", 1)
	role, err := h.Network.As("operator").SetRole(t.Context(), netkit.SetRole{Agent: "erased-0", Role: "correspondent", Grant: true, Reason: "another reason"})
	if err != nil {
		t.Fatal(err)
	}
	from := unpacked(t, dir)
	if _, err := h.Network.As("operator").ErasePrivate(t.Context(), netkit.ErasePrivate{Entry: role.Seq, Reason: "asked to"}); err != nil {
		t.Fatal(err)
	}
	closeHost(t, h)
	sound := recordingPath(dir, mustHash(t, recording))
	for _, c := range []struct {
		name  string
		harm  func(dir string) error
		still bool // without a copy it is not put back
	}{
		{"log.key", func(dir string) error { return os.Remove(filepath.Join(dir, "log.key")) }, true},
		{"log.pub", func(dir string) error { return os.WriteFile(filepath.Join(dir, publicFile), []byte("other\n"), 0o600) }, false},
		{"signing.key", func(dir string) error { return os.Truncate(filepath.Join(dir, signingKeyFile), 40) }, true},
		{"checkpoint", func(dir string) error { return os.Remove(filepath.Join(dir, shownFile)) }, true},
		{"dispatch", func(dir string) error { return os.Remove(recordingPath(dir, mustHash(t, recording))) }, true},
		{"dispatch", func(dir string) error {
			return os.WriteFile(recordingPath(dir, mustHash(t, recording)), []byte("other"), 0o600)
		}, true},
	} {
		hurt := copied(t, dir)
		if err := c.harm(hurt); err != nil {
			t.Fatal(err)
		}
		alone, err := Repair(t.Context(), hurt, "")
		if err != nil || len(alone) != 1 || !strings.Contains(alone[0].What, c.name) || alone[0].Done == c.still {
			t.Errorf("%s without a copy: got %+v, %v, want it named and put back %t", c.name, alone, err, !c.still)
		}
		if _, err := Repair(t.Context(), hurt, from); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if again, err := Repair(t.Context(), hurt, from); err != nil || len(again) != 0 {
			t.Errorf("%s: got %+v, %v after the repair, want nothing wrong", c.name, again, err)
		}
		if err := reopen(t, hurt); err != nil {
			t.Errorf("%s: the repaired folder does not start: %v", c.name, err)
		}
	}

	hurt := copied(t, dir)
	alterText(t, filepath.Join(hurt, "journal.db"), `"a-7"`)
	if err := reopen(t, hurt); err == nil {
		t.Fatal("a damaged journal starts")
	}
	if _, err := Repair(t.Context(), hurt, ""); err == nil || !strings.Contains(err.Error(), "--from") {
		t.Errorf("a damaged journal without a copy: got %v", err)
	}
	found, err := Repair(t.Context(), hurt, from)
	if err != nil || len(found) == 0 || !found[0].Done || !strings.Contains(found[0].What, "damaged batch") {
		t.Fatalf("a damaged journal: got %+v, %v", found, err)
	}
	h, err = New(t.Context(), Config{Dir: hurt, Alarm: func(err error) { t.Errorf("alarm: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	defer closeHost(t, h)
	if got := privateOf(t, h, text); !strings.Contains(got, secret) {
		t.Errorf("the private text: got %s", got)
	}
	if got := privateOf(t, h, role.Seq); strings.Contains(got, "another reason") {
		t.Errorf("the erased text is there again: %s", got)
	}
	if _, err := os.Stat(sound); err != nil || dispatch == 0 {
		t.Error(err)
	}
	if names, err := os.ReadDir(hurt); err != nil || slices.ContainsFunc(names, func(e os.DirEntry) bool { return e.Name() == unfinishedRepair }) {
		t.Errorf("the repair left %v, %v", names, err)
	}
}

// A copy of another network, and one without private parts, are refused.
func TestRepairRefuses(t *testing.T) {
	dir, store := t.TempDir(), bucket(t)
	h, _, _, _ := lively(t, dir)
	closeHost(t, h)
	other, _ := peopled(t, 1)
	if _, err := Repair(t.Context(), dir, other); err == nil || !strings.Contains(err.Error(), "another network") {
		t.Errorf("another network: got %v", err)
	}
	_, recipient := keyPair(t)
	h = archivedNetwork(t, dir, ArchiveConfig{Store: store, Recipients: []string{recipient}})
	awaitArchive(t, h)
	if _, err := Repair(t.Context(), dir, ""); err == nil {
		t.Error("a folder that is being served was repaired")
	}
	closeHost(t, h)
	open := filepath.Join(t.TempDir(), "open")
	f := followed(t, open, store, nil)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	alterText(t, filepath.Join(dir, "journal.db"), `"a-7"`)
	before, err := os.ReadFile(filepath.Join(dir, "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	if found, err := Repair(t.Context(), dir, open); err == nil {
		t.Errorf("a copy without private parts: got %+v, want a refusal", found)
	}
	if after, err := os.ReadFile(filepath.Join(dir, "journal.db")); err != nil || !bytes.Equal(before, after) {
		t.Errorf("a refusal changed the journal: %v", err)
	}
}
