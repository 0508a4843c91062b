//go:build unix

package main

import (
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"syscall"
	"testing"
)

// A hangup, as when a terminal closes, ends the server in order: it drains and
// removes server.json.
func TestHangupDrains(t *testing.T) {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP) // under nohup the server would inherit that it is ignored
	defer signal.Stop(hangups)
	v := &victim{t: t, dir: t.TempDir()}
	v.start()
	v.spawn("ada")
	if err := v.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if err := v.cmd.Wait(); err != nil {
		t.Errorf("got %v, want an orderly end", err)
	}
	if _, err := os.Stat(runningFile(v.dir)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("server.json: got %v, want it removed", err)
	}
}
