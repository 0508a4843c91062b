package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/agentnet/netctl/cmd/netctl/fleet"
	"github.com/agentnet/netctl/netkit/archive/s3/s3test"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/server/host"
)

// withBackup is a network in a folder, a backup of it, and the file with the identity
// that opens it.
func withBackup(t *testing.T, s *session) (dir, file, identity string) {
	t.Helper()
	work := t.TempDir()
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	dir, file, identity = filepath.Join(work, "net"), filepath.Join(work, "b.tar"), filepath.Join(work, "backup.key")
	if err := os.WriteFile(identity, []byte(id.String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.must("init", "--data", dir)
	s.must("agent", "spawn", "ada", "--data", dir)
	s.must("backup", "--data", dir, "--to", file, "--recipient", id.Recipient().String())
	return dir, file, identity
}

// A lost log.key comes back from a backup, without touching the journal.
func TestLostLogKeyComesBack(t *testing.T) {
	s := newSession(t)
	dir, file, identity := withBackup(t, s)
	s.must("agent", "spawn", "bea", "--data", dir)
	key := filepath.Join(dir, "log.key")
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	if code, _, talk := s.run("", "agent", "spawn", "eve", "--data", dir); code == 0 || !strings.Contains(talk, "log.key") {
		t.Errorf("without the key: got exit code %d and %q", code, talk)
	}
	other := filepath.Join(t.TempDir(), "other")
	s.must("restore", "stage", file, "--identity", identity, "--data", other)
	text, err := os.ReadFile(filepath.Join(other+".restoring", "log.key"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(key, text, 0o600); err != nil {
		t.Fatal(err)
	}
	s.must("agent", "spawn", "eve", "--data", dir)
	if out := s.must("ledger", "verify", "--from", dir); !strings.Contains(out, "every rule holds") {
		t.Errorf("got %q", out)
	}
}

// On the machine of the network another operator is made without a token, and the
// lost token is revoked.
func TestLostOperatorTokenIsReplaced(t *testing.T) {
	s := newSession(t)
	dir, _, _ := withBackup(t, s)
	var added struct {
		Token string `json:"token"`
	}
	if err := json.Unmarshal([]byte(s.must("operator", "add", "second", "--data", dir, "--yes", "-o", "json")), &added); err != nil || added.Token == "" {
		t.Fatalf("got %+v, %v, want a token", added, err)
	}
	s.must("agent", "token", "revoke", "0", "--reason", "lost", "--data", dir, "--as", "second", "--yes")
	if out := s.must("ledger", "ls", "--kind", "token.revoked", "--data", dir); !strings.Contains(out, "token.revoked") {
		t.Errorf("got %q", out)
	}
	s.must("doctor", "--data", dir)
}

// The first day says what each loss means, and doctor warns until somebody can restore
// a backup.
func TestFirstDayNamesTheKeys(t *testing.T) {
	s := newSession(t)
	dir := filepath.Join(t.TempDir(), "net")
	code, _, talk := s.run("", "init", "--data", dir)
	for _, want := range []string{"log.key", "never sign again", "netctl config set backup.recipient", "netctl help worst-days"} {
		if code != 0 || !strings.Contains(talk, want) {
			t.Errorf("init: got exit code %d and %q, want %q", code, talk, want)
		}
	}
	if out := s.must("doctor", "--data", dir, "-o", "json"); !strings.Contains(out, "nobody is set to restore a backup") {
		t.Errorf("doctor: got %q", out)
	}
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	s.must("config", "set", "backup.recipient", id.Recipient().String())
	s.must("config", "set", "backup.to", to)
	if _, out, _ := s.run("", "doctor", "--data", dir, "-o", "json"); !strings.Contains(out, "there is no backup of this network") {
		t.Errorf("doctor with a recipient: got %q", out)
	}
	s.must("backup", "--data", dir)
	s.must("drill", "--data", dir)
	if out := s.must("doctor", "--data", dir, "-o", "json"); !strings.Contains(out, "restored for a trial") || strings.Contains(out, "nobody is set") {
		t.Errorf("doctor after a backup: got %q", out)
	}
}

// The doctor puts back what a backup has and leaves nothing of the copy behind; without
// an identity it names what is missing.
func TestDoctorRepairs(t *testing.T) {
	s := newSession(t)
	dir, file, identity := withBackup(t, s)
	for _, name := range []string{"log.key", "log.pub", "checkpoint"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := s.run("", "doctor", "--data", dir, "--repair", "-o", "json"); code != exitError || !strings.Contains(out, "log.key is missing") || !strings.Contains(out, "log.pub was written again") || !strings.Contains(out, "and cannot any more") {
		t.Errorf("without a copy: got exit code %d and %s", code, out)
	}
	s.must("config", "set", "backup.to", filepath.Dir(file))
	if out := s.must("doctor", "--data", dir, "--repair", "--from", file, "--identity", identity, "-o", "json"); !strings.Contains(out, "log.key was missing: it was taken from the copy") || !strings.Contains(out, "checkpoint was taken from the copy") {
		t.Errorf("got %s", out)
	}
	if out := s.must("doctor", "--data", dir, "--repair", "-o", "json"); !strings.Contains(out, "there was nothing to repair") {
		t.Errorf("again: got %s", out)
	}
	s.must("agent", "spawn", "eve", "--data", dir)
	if left, err := filepath.Glob(filepath.Join(dir, ".netctl-*")); err != nil || len(left) > 0 {
		t.Errorf("got %q, %v, want nothing left in the folder", left, err)
	}
	for _, args := range [][]string{{"doctor", "--data", dir, "--from", file}, {"doctor", "--url", "http://127.0.0.1:1", "--repair"}, {"doctor", "--data", dir, "--repair", "--from", file}} {
		if code, _, talk := s.run("", args...); code != exitUsage {
			t.Errorf("%v: got exit code %d and %q, want a wrong command line", args, code, talk)
		}
	}
}

// On a terminal init asks for the name of the network and for who gets a copy of its
// keys, and makes that copy at once.
func TestInitAsks(t *testing.T) {
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, typed string
		flags       []string
	}{
		{"typed", "example-net\n" + id.Recipient().String() + "\n", nil},
		{"flags", "", []string{"--no-input", "--network", "example-net", "--recipient", id.Recipient().String()}},
	} {
		s := newSession(t)
		work := t.TempDir()
		dir, identity := filepath.Join(work, "net"), filepath.Join(work, "backup.key")
		if err := os.WriteFile(identity, []byte(id.String()+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, talk := s.run(c.typed, append([]string{"init", "--data", dir}, c.flags...)...)
		if code != 0 || !strings.Contains(out, "example-net") || !strings.Contains(out, "nk_") || strings.Contains(talk, "nobody is set") {
			t.Fatalf("%s: got exit code %d, %q and %q, want the network that was named", c.name, code, out, talk)
		}
		s.must("restore", "stage", dir+".netctl.tar", "--identity", identity, "--data", filepath.Join(work, "other"))
		if _, err := os.Stat(filepath.Join(work, "other.restoring", "log.key")); err != nil {
			t.Errorf("%s: the copy lacks a key: %v", c.name, err)
		}
		if out := s.must("doctor", "--data", dir, "-o", "json"); strings.Contains(out, "nobody is set") {
			t.Errorf("%s: doctor: got %q, want the recipient kept", c.name, out)
		}
	}
	s := newSession(t)
	dir := filepath.Join(t.TempDir(), "net")
	if code, _, talk := s.run("\nage1wrong\n", "init", "--data", dir); code != exitUsage || host.Present(dir) {
		t.Errorf("a wrong key: got exit code %d and %q, want nothing begun", code, talk)
	}
}

// Kill -9 at random moments of a backup and of a finish: a file of the backup's name
// is whole or missing, the folder is whole or missing, and the steps are repeated.
func TestKilledBackupAndFinish(t *testing.T) {
	s := newSession(t)
	dir, file, identity := withBackup(t, s)
	id, err := os.ReadFile(identity)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := age.ParseX25519Identity(strings.TrimSpace(string(id)))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	killed := 0
	kill := func(longest time.Duration, args ...string) {
		t.Helper()
		cmd := exec.Command("netctl", args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Duration(r.Int64N(int64(longest))), func() { _ = cmd.Process.Kill() })
		if cmd.Wait() != nil {
			killed++
		}
	}
	for i := range 12 {
		to := filepath.Join(t.TempDir(), fmt.Sprintf("b-%d.tar", i))
		kill(150*time.Millisecond, "backup", "--data", dir, "--to", to, "--recipient", parsed.Recipient().String(), "--quiet")
		if _, err := os.Stat(to); err == nil {
			s.must("drill", to, "--identity", identity, "--data", dir)
		}
	}
	for i := range 12 {
		to := filepath.Join(t.TempDir(), fmt.Sprintf("net-%d", i))
		s.must("restore", "stage", file, "--identity", identity, "--data", to)
		s.must("restore", "verify", "--data", to)
		kill(250*time.Millisecond, "restore", "finish", "--data", to, "--quiet")
		if _, err := os.Stat(filepath.Join(to, "journal.db")); err != nil {
			s.must("restore", "finish", "--data", to)
		}
		if out := s.must("ledger", "ls", "--kind", "journal.restored", "--data", to); strings.Count(out, "journal.restored") != 1 {
			t.Errorf("got %q, want one restore", out)
		}
		if out := s.must("ledger", "verify", "--from", to, "--seen", t.TempDir()); !strings.Contains(out, "every rule holds") {
			t.Errorf("got %q", out)
		}
	}
	if killed == 0 {
		t.Error("nothing was killed before it ended")
	}
}

// A server to which backups are set makes one at once, in a folder or a bucket, tries
// it, and stops cleanly.
func TestServerBacksUp(t *testing.T) {
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	s3test.Credentials(t)
	behind := s3test.New(s3test.Faults{})
	srv := httptest.NewServer(behind)
	defer srv.Close()
	to := t.TempDir()
	for _, c := range []struct {
		to   string
		list func() []string
	}{
		{to, func() []string { names, _ := filepath.Glob(filepath.Join(to, "*.netctl.tar")); return names }},
		{"s3://bucket/backups?region=us-east-1&endpoint=" + srv.URL, behind.Names},
	} {
		t.Setenv("NETCTL_BACKUP_TO", c.to)
		t.Setenv("NETCTL_BACKUP_EVERY", "1h")
		t.Setenv("NETCTL_BACKUP_RECIPIENT", id.Recipient().String())
		v := &fleet.Server{T: t, Dir: t.TempDir()}
		v.Start()
		v.Spawn("ada")
		netkittest.Until(t, "a backup and its trial", func() bool {
			d, found, err := host.LastDrill(v.Dir)
			if err != nil || d.Problem != "" {
				t.Fatalf("the trial: got %+v, %v", d, err)
			}
			return found
		})
		if files := c.list(); len(files) != 1 {
			t.Errorf("%s: got %q, want one backup", c.to, files)
		}
		v.Stop()
		if left, err := filepath.Glob(filepath.Join(v.Dir, ".netctl-*")); err != nil || len(left) > 0 {
			t.Errorf("%s: got %q, %v, want nothing left in the folder", c.to, left, err)
		}
	}
}
