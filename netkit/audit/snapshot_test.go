package audit_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/audit"
	"github.com/agentnet/netctl/netkit/netkittest"
)

// forgeSnapshot replaces a text in a folder's snapshot and makes its sum and its
// seal fit, as someone can who has the folder's key.
func forgeSnapshot(t *testing.T, dir, old, new string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "snapshot-*.snap"))
	if err != nil || len(found) != 1 {
		t.Fatalf("got snapshots %v, %v, want one", found, err)
	}
	b := netkittest.Must[[]byte](t)(os.ReadFile(found[0]))
	if !bytes.Contains(b, []byte(old)) {
		t.Fatalf("the snapshot lacks %s", old)
	}
	b = bytes.Replace(b[:bytes.LastIndexByte(b[:len(b)-1], '\n')+1], []byte(old), []byte(new), 1)
	sum := sha256.Sum256(b)
	key := netkittest.Must[[]byte](t)(os.ReadFile(filepath.Join(dir, "snapshot.key")))
	seal := hmac.New(sha256.New, key)
	seal.Write(append([]byte("netkit snapshot\n"), sum[:]...))
	b = fmt.Appendf(b, "%x %x\n", sum, seal.Sum(nil))
	if err := os.WriteFile(found[0], b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A snapshot that is not what the entries add up to fails the audit of its
// folder, and the first difference is named; what is secret is not shown.
func TestForgedSnapshotOfAFolder(t *testing.T) {
	sound := founded(t)
	if r, err := folder(t, audit.Seen(t.TempDir()), sound); err != nil || r.Snapshot != r.Entries {
		t.Fatalf("sound: got a snapshot of %d entries of %d, %v", r.Snapshot, r.Entries, err)
	}
	for old, forged := range map[string]struct{ text, where string }{
		`"held":51.70`:  {`"held":999999.00`, "wallets[1].held: it says 999999.00, the entries say 51.70"},
		`"owner":"ada"`: {`"owner":"operator"`, "tokens[1].owner"},
	} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(sound)); err != nil {
			t.Fatal(err)
		}
		forgeSnapshot(t, dir, old, forged.text)
		_, err := folder(t, audit.Seen(t.TempDir()), dir)
		if !errors.Is(err, netkit.ErrCorrupt) || !strings.HasSuffix(fmt.Sprint(err), forged.where) {
			t.Errorf("%s: got %v, want a difference at %s", forged.text, err, forged.where)
		}
	}
}
