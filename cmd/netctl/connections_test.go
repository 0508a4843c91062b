//go:build linux

package main

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/server"
)

// Clients that open more connections than the process may have files are turned
// away, and whoever is in still writes: entry and checkpoint are kept.
func TestConnectionsLeaveFilesForTheJournal(t *testing.T) {
	v := &victim{t: t, dir: t.TempDir(), addr: freeAddr(t)}
	v.startAfter("ulimit -n 200")
	v.health() // a connection that stays open
	var refused int
	for range 300 {
		c, err := net.Dial("tcp", v.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := c.SetReadDeadline(time.Now().Add(20 * time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			if refused++; refused == 20 {
				break
			}
		}
	}
	if refused < 20 {
		t.Errorf("%d connections were refused, want 20", refused)
	}
	v.spawn("ada")
	netkittest.Until(t, "a checkpoint of 2 entries", func() bool {
		text, err := os.ReadFile(filepath.Join(v.dir, "checkpoint"))
		return err == nil && strings.HasPrefix(string(text), "agentnet/") && strings.Split(string(text), "\n")[1] == "2"
	})
	if _, ok := findRunning(context.Background(), v.dir); ok {
		t.Error("a new connection got in beside those that fill the server")
	}
}

// A connection gives its place back when it is closed, once.
func TestPlaceIsGivenBack(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer inner.Close()
	l, err := bound(server.Listeners{API: inner}, reservedFiles+1)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		client, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		got, err := l.API.Accept()
		if err != nil {
			t.Fatal(err)
		}
		_ = errors.Join(client.Close(), got.Close())
		_ = got.Close() // a second time
	}
	if _, err := bound(server.Listeners{}, reservedFiles); err == nil {
		t.Error("got no error where no file is left for a connection")
	}
}
