package server

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The file of an earlier release counts until its invitations expire, and lines that
// cannot be read are named when the server is made.
func TestFileOfUsedInvitations(t *testing.T) {
	const ada, late = `{"id":"1","agent":"ada","until":2000}`, `{"id":"2","agent":"bob","until":1000}`
	for _, c := range []struct {
		name, text string
		used       int
		unread     int
	}{
		{"whole", ada + "\n" + late + "\n", 1, 0},
		{"empty", "", 0, 0},
		{"cut by a crash, and written on", "{\"id\":\n" + ada + "\n\n", 1, 1},
		{"altered", strings.Replace(ada, `"id"`, `"ib"`, 1) + "\n" + ada + "x\n", 0, 2},
	} {
		path := filepath.Join(t.TempDir(), "invitations")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		used, unread, err := readUsedInvitations(path, 1500)
		if err != nil || len(used) != c.used || unread != c.unread || c.used == 1 && used["1"] != "ada" {
			t.Errorf("%s: got %v, %d unread, %v, want %d used and %d unread", c.name, used, unread, err, c.used, c.unread)
		}
		var log bytes.Buffer
		start(t, func(cfg *Config) {
			cfg.Invitations, cfg.Logger = path, slog.New(slog.NewTextHandler(&log, nil))
		})
		if named := strings.Contains(log.String(), path); named != (c.unread > 0) {
			t.Errorf("%s: got %q, want the file named: %v", c.name, &log, c.unread > 0)
		}
	}
	if used, unread, err := readUsedInvitations(filepath.Join(t.TempDir(), "none"), 0); len(used) != 0 || unread != 0 || err != nil {
		t.Errorf("without a file: got %v, %d, %v", used, unread, err)
	}
}
