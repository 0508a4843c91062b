//go:build unix

package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"

	"github.com/agentnet/netctl/cmd/netctl/fleet"
	"github.com/agentnet/netctl/netkit/netkittest"
)

// catchHangups keeps SIGHUP from being ignored by programs that this test starts, as it
// would be under nohup.
func catchHangups(t *testing.T) {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(hangups) })
}

// A hangup, as when a terminal closes, ends the server in order: it drains and
// removes server.json.
func TestHangupDrains(t *testing.T) {
	catchHangups(t)
	dir := t.TempDir()
	cmd := exec.Command("netctl", "serve", "--data", dir, "--addr", "127.0.0.1:0", "--intent-addr", "127.0.0.1:0", "--log-file", filepath.Join(dir, "log"))
	terminal, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	netkittest.Until(t, "the server answers", func() bool { _, ok := findRunning(t.Context(), dir); return ok })
	if err := terminal.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("got %v, want an orderly end", err)
	}
	if _, err := os.Stat(runningFile(dir)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("server.json: got %v, want it removed", err)
	}
}

// Without a terminal a hangup has the server read its settings again and reopen its
// log. A mistake in the settings changes nothing, and is logged.
func TestHangupReloads(t *testing.T) {
	catchHangups(t)
	home, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	v := &fleet.Server{T: t, Dir: t.TempDir(), Flags: []string{"--log-file", log, "--log-format", "text"}}
	t.Setenv("XDG_CONFIG_HOME", home)
	config := filepath.Join(home, "netctl", "config.yaml")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	v.Start()
	for _, step := range []struct {
		settings, logged string
		spawns           int
	}{
		{"serve:\n  spawn: invite\n  base-url: https://net.example\n", "msg=reload changed=[serve.spawn] after_a_restart=[serve.base-url]", 403},
		{"serve:\n  spawn: perhaps\n", "serve.spawn, from the file " + config + ", must be one of open, invite", 403},
		{"serve:\n  spawn: open\n", "msg=reload changed=[serve.spawn] after_a_restart=[]", 200},
	} {
		moved := log + ".moved"
		if err := errors.Join(os.WriteFile(config, []byte(step.settings), 0o600), os.Rename(log, moved)); err != nil {
			t.Fatal(err)
		}
		v.Signal(syscall.SIGHUP)
		netkittest.Until(t, "a log with "+step.logged, func() bool {
			now, _ := os.ReadFile(log)
			old, _ := os.ReadFile(moved) // a mistake is logged before the log is reopened
			return bytes.Contains(now, []byte("msg=reload")) && strings.Contains(string(old)+string(now), step.logged)
		})
		if got, _ := v.TrySpawn("ada"); got != step.spawns {
			t.Errorf("after %q: a spawn got %d, want %d", step.settings, got, step.spawns)
		}
	}
}
