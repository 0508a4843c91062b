package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The doctor announces that the next start rewrites a journal of an older version.
func TestDoctorAnnouncesARewrite(t *testing.T) {
	f, err := os.Open("../../netkit/journal/sqlite/testdata/schema-2.db.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "journal.db"), b, 0o600); err != nil {
		t.Fatal(err)
	}
	found := checkOutdated(t.Context(), dir)
	if len(found) != 1 || !strings.Contains(found[0].What, "schema version 2") || !strings.Contains(found[0].Advice, "1 MiB") {
		t.Errorf("got %+v, want the version and the room that the next start needs", found)
	}
	s := newSession(t)
	s.must("init")
	if code, out, talk := s.run("", "doctor"); strings.Contains(out+talk, "journal version") {
		t.Errorf("got %d %q %q, want no rewrite of a new journal", code, out, talk)
	}
}
