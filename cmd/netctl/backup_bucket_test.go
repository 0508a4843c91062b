package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit/archive/s3/s3test"
)

// A backup goes into a bucket and comes back from it.
func TestBackupInABucket(t *testing.T) {
	s3test.Credentials(t)
	behind := s3test.New(s3test.Faults{})
	srv := httptest.NewServer(behind)
	defer srv.Close()
	query := "?region=us-east-1&endpoint=" + srv.URL
	s := newSession(t)
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	dir, identity := filepath.Join(work, "net"), filepath.Join(work, "key")
	if err := os.WriteFile(identity, []byte(id.String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.must("init", "--data", dir)
	s.must("backup", "--data", dir, "--to", "s3://bucket/backups"+query, "--recipient", id.Recipient().String())
	names := behind.Names()
	if len(names) != 1 || !strings.HasPrefix(names[0], "backups/") || !strings.HasSuffix(names[0], ".netctl.tar") {
		t.Fatalf("the bucket holds %v, want one backup", names)
	}
	address := "s3://bucket/" + names[0] + query
	s.must("config", "set", "backup.to", "s3://bucket/backups"+query)
	s.must("config", "set", "backup.recipient", id.Recipient().String())
	if out := s.must("doctor", "--data", dir, "-o", "json"); !strings.Contains(out, names[0]) {
		t.Errorf("doctor: got %q, want the backup in the bucket", out)
	}
	s.must("drill", "--identity", identity, "--data", dir) // the newest one
	s.must("drill", address, "--identity", identity, "--data", dir)
	to := filepath.Join(work, "restored")
	s.must("restore", "stage", address, "--identity", identity, "--data", to)
	s.must("restore", "verify", "--data", to)
	s.must("restore", "finish", "--data", to)
}
