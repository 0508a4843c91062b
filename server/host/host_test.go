package host

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/server"
)

func begin(t *testing.T, dir string) *Host {
	t.Helper()
	h, err := New(t.Context(), Config{Dir: dir, Genesis: &netkit.Genesis{Network: "test", OperatorToken: netkit.Token{1}},
		Server: server.Config{Limits: server.Limits{Wait: -1}}}) // a busy machine refuses nothing
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestOpenNeedsANetwork(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	if _, err := New(t.Context(), Config{Dir: dir}); !errors.Is(err, ErrNoNetwork) {
		t.Errorf("got %v, want ErrNoNetwork", err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("a refusal left the folder behind: %v", err)
	}
}

// A start that failed before its first entry leaves files, and no network.
func TestFilesWithoutAnEntryAreNoNetwork(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "journal.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if entries, err := Inspect(t.Context(), dir); entries != 0 || err != nil {
		t.Errorf("got %d entries, %v; want none", entries, err)
	}
	if _, err := New(t.Context(), Config{Dir: dir}); !errors.Is(err, ErrNoNetwork) {
		t.Errorf("got %v, want ErrNoNetwork", err)
	}
	h := begin(t, dir)
	if err := h.Close(t.Context()); h.Fresh == nil || err != nil {
		t.Errorf("got %v, %v, want a network begun", h.Fresh, err)
	}
	if h = begin(t, dir); h.Fresh != nil {
		t.Error("a network was begun where there is one")
	}
	entries, err := Inspect(t.Context(), dir)
	if err := errors.Join(err, h.Close(t.Context())); entries != 1 || err != nil {
		t.Errorf("got %d entries, %v; want 1", entries, err)
	}
}

func TestOneProcessWrites(t *testing.T) {
	dir := t.TempDir()
	h := begin(t, dir)
	if _, err := New(t.Context(), Config{Dir: dir}); !errors.Is(err, journal.ErrLocked) {
		t.Errorf("got %v, want ErrLocked", err)
	}
	if err := h.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	again, err := New(t.Context(), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// The signing key is made once, and nobody else can read it.
func TestSigningKey(t *testing.T) {
	dir := t.TempDir()
	if err := begin(t, dir).Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "signing.key")
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, %v; want 0600", st.Mode(), err)
	}
	h, err := New(t.Context(), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close(t.Context())
	if second, err := os.ReadFile(path); err != nil || string(second) != string(first) {
		t.Errorf("the key changed, %v", err)
	}
}

func TestDamagedSigningKey(t *testing.T) {
	dir := t.TempDir()
	if err := begin(t, dir).Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "signing.key"), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := New(t.Context(), Config{Dir: dir}); err == nil {
		t.Error("a damaged key was taken")
	}
}

// A process that is killed while it replaces a file leaves an unfinished one;
// the next start removes it.
func TestUnfinishedFilesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	closeHost(t, begin(t, dir))
	left := filepath.Join(dir, ".netctl-12345")
	if err := os.WriteFile(left, []byte("half a checkpoint"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := reopen(t, dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v for the unfinished file, want it removed", err)
	}
}

// The folder of a new network is one that git ignores.
func TestNewFolderIsHiddenFromGit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "net")
	closeHost(t, begin(t, dir))
	b, err := os.ReadFile(filepath.Join(dir, ".gitignore"))
	if err != nil || string(b) != "*\n" {
		t.Errorf("got %q, %v; want a .gitignore that matches everything", b, err)
	}
}
