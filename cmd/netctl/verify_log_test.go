//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/agentnet/netctl/cmd/netctl/fleet"
	"github.com/agentnet/netctl/netkit/audit"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
)

// SQLite leaves out what follows a damaged frame of its write-ahead log. A check of
// the folder says so and does not call the rest sound.
func TestVerifyLooksAtTheWriteAheadLog(t *testing.T) {
	v := &fleet.Server{T: t, Dir: t.TempDir(), Addr: fleet.FreeAddress(t)}
	v.Start()
	for k := range 20 {
		v.Spawn(fmt.Sprint("agent-", k))
	}
	v.Kill()
	seen := audit.Seen(t.TempDir())
	check := func() error {
		_, err := verifyFolder(t.Context(), audit.Config{From: v.Dir, Seen: seen, Now: time.Now})
		return err
	}
	if err := check(); err != nil {
		t.Fatalf("a whole folder: %v", err)
	}
	for _, name := range []string{"checkpoint", "checkpoint.signed"} { // which would tell of a lost tail
		if err := os.Remove(filepath.Join(v.Dir, name)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	path := filepath.Join(v.Dir, "journal.db-wal")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/3] ^= 1
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := check(); !errors.Is(err, sqlite.ErrLogDamaged) {
		t.Errorf("got %v, want that the log is damaged", err)
	}
}
