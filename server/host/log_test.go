package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/proof"
)

// spawn adds agents, and shows the checkpoint of it.
func spawn(t *testing.T, h *Host, slugs ...string) {
	t.Helper()
	for _, slug := range slugs {
		if _, err := h.Network.As("").Spawn(t.Context(), netkit.Spawn{Slug: slug}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.Log.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func closeHost(t *testing.T, h *Host) {
	t.Helper()
	if err := h.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// reopen opens the folder and closes it again.
func reopen(t *testing.T, dir string) error {
	t.Helper()
	h, err := New(t.Context(), Config{Dir: dir})
	if err == nil {
		closeHost(t, h)
	}
	return err
}

// copyFolder copies the journal and what goes with it.
func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// A folder whose journal is put back to an older one does not start, and says
// what to do; nor does one that was rolled back and has grown again since.
func TestRolledBackFolderDoesNotStart(t *testing.T) {
	dir, older := filepath.Join(t.TempDir(), "net"), filepath.Join(t.TempDir(), "older")
	h := begin(t, dir)
	spawn(t, h, "ada")
	closeHost(t, h)
	copyFolder(t, dir, older)
	if h, err := New(t.Context(), Config{Dir: dir}); err != nil {
		t.Fatal(err)
	} else {
		spawn(t, h, "bob", "eve")
		closeHost(t, h)
	}
	if err := reopen(t, dir); err != nil {
		t.Fatalf("the folder as it was left: got %v", err)
	}
	seen := filepath.Join(dir, "checkpoint")
	kept, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	copyFolder(t, older, dir)
	if err := os.WriteFile(seen, kept, 0o600); err != nil {
		t.Fatal(err)
	}
	err = reopen(t, dir)
	if !errors.Is(err, proof.ErrRolledBack) || !strings.Contains(err.Error(), "Put the newer journal back") || !strings.Contains(err.Error(), seen) {
		t.Fatalf("an older journal: got %v, want %v and what to do", err, proof.ErrRolledBack)
	}
	// Somebody removes the file, accepts the loss, and continues with another history.
	if err := os.Remove(seen); err != nil {
		t.Fatal(err)
	}
	if err := reopen(t, dir); !errors.Is(err, ErrUnguarded) || !strings.Contains(err.Error(), "--accept-loss") {
		t.Fatalf("without the checkpoint: got %v, want %v and the way back", err, ErrUnguarded)
	}
	h, err = New(t.Context(), Config{Dir: dir, AcceptLoss: true})
	if err != nil {
		t.Fatalf("with the loss accepted: got %v, want it to start", err)
	}
	spawn(t, h, "mallory", "trudy", "oscar")
	closeHost(t, h)
	if err := os.WriteFile(seen, kept, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := reopen(t, dir); !errors.Is(err, proof.ErrRolledBack) || !strings.Contains(err.Error(), "are not those that were signed") {
		t.Errorf("another history, longer: got %v, want %v", err, proof.ErrRolledBack)
	}
	if err := os.WriteFile(seen, []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := reopen(t, dir); !errors.Is(err, proof.ErrFormat) || !strings.Contains(err.Error(), seen) {
		t.Errorf("a damaged checkpoint: got %v, want it named", err)
	}
}

func TestLogKeyBelongsToTheNetwork(t *testing.T) {
	dir, other := filepath.Join(t.TempDir(), "net"), filepath.Join(t.TempDir(), "other")
	h := begin(t, dir)
	public := h.Log.Public()
	if h.Network.LogKey() != public || !strings.HasPrefix(public, "agentnet/test+") {
		t.Errorf("genesis names %q, the log signs by %q", h.Network.LogKey(), public)
	}
	closeHost(t, h)
	for name, mode := range map[string]os.FileMode{"log.key": 0o600, "log.pub": 0o600} {
		if st, err := os.Stat(filepath.Join(dir, name)); err != nil || st.Mode().Perm() != mode {
			t.Errorf("%s: got %v, %v; want mode %v", name, st, err, mode)
		}
	}
	closeHost(t, begin(t, other)) // of the same name, with a key of its own
	key := filepath.Join(dir, "log.key")
	mine, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := os.ReadFile(filepath.Join(other, "log.key"))
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"another's": theirs, "damaged": mine[:20]} {
		if err := os.WriteFile(key, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := reopen(t, dir); !errors.Is(err, ErrLogKey) {
			t.Errorf("%s key: got %v, want %v", name, err, ErrLogKey)
		}
	}
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	if err := reopen(t, dir); !errors.Is(err, ErrLogKey) || !strings.Contains(err.Error(), "restore it from a copy") {
		t.Errorf("no key: got %v, want %v and what to do", err, ErrLogKey)
	}
	if err := errors.Join(os.WriteFile(key, mine, 0o600), os.Remove(filepath.Join(dir, "log.pub")), reopen(t, dir)); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "log.pub")); err != nil || strings.TrimSpace(string(b)) != public {
		t.Errorf("log.pub: got %q, %v; want it made again", b, err)
	}
}

// The key that a start left behind which never wrote an entry is of a network
// that never was.
func TestLogKeyOfAFailedStartIsReplaced(t *testing.T) {
	dir := t.TempDir()
	if err := mark(dir); err != nil {
		t.Fatal(err)
	}
	if _, _, err := newLogKey(dir, proof.Origin("stillborn")); err != nil {
		t.Fatal(err)
	}
	h := begin(t, dir)
	defer closeHost(t, h)
	if !strings.HasPrefix(h.Log.Public(), "agentnet/test+") {
		t.Errorf("got %s, want a key of this network", h.Log.Public())
	}
	if _, err := os.Stat(filepath.Join(dir, "log.key-stillborn")); err != nil {
		t.Errorf("the other key is gone: %v", err)
	}
}

// A folder whose journal was taken away begins no other network over it.
func TestFolderThatLostItsJournal(t *testing.T) {
	dir := t.TempDir()
	h := begin(t, dir)
	spawn(t, h, "ada")
	closeHost(t, h)
	journals, err := filepath.Glob(filepath.Join(dir, "journal.db*"))
	if err != nil || len(journals) == 0 {
		t.Fatal(journals, err)
	}
	for _, path := range journals {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.ReadFile(filepath.Join(dir, "log.key"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = New(t.Context(), Config{Dir: dir, Genesis: &netkit.Genesis{Network: "other", OperatorToken: netkit.Token{1}}})
	if !errors.Is(err, ErrLost) || !strings.Contains(err.Error(), "Put the journal back") {
		t.Errorf("got %v, want %v and what to do", err, ErrLost)
	}
	if after, err := os.ReadFile(filepath.Join(dir, "log.key")); err != nil || string(after) != string(before) {
		t.Errorf("the key was replaced: %v", err)
	}
}
