//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netkittest"
)

// smallDisk mounts a file system of a size, such as 2m. Only root may, and not everywhere.
func smallDisk(t *testing.T, size string) string {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("a small file system cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// fill uses up what room there is, and returns the file to remove again.
func fill(t *testing.T, dir string) string {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "fill"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for chunk := make([]byte, 4096); err == nil; {
		_, err = f.Write(chunk)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	return f.Name()
}

// A server starts on a full disk, after a clean stop as after a crash: reads go
// on, writes are refused as disk_full, and go on by themselves once there is
// room. server.json follows then.
func TestServeOnAFullDisk(t *testing.T) {
	for name, sig := range map[string]os.Signal{"stopped": os.Interrupt, "killed": os.Kill} {
		t.Run(name, func(t *testing.T) {
			disk := smallDisk(t, "2m")
			v := &victim{t: t, dir: filepath.Join(disk, "net"), addr: freeAddr(t), flags: []string{"--space-floor", "0"}}
			v.start()
			v.spawn("ada")
			if err := v.cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			_ = v.cmd.Wait()
			filler := fill(t, disk)
			v.startWithoutRoom()
			for range 3 {
				if err := v.trySpawn("bob"); err == nil || !strings.Contains(err.Error(), "503 disk_full") {
					t.Errorf("on a full disk: got %v, want disk_full", err)
				}
			}
			if h := v.health(); h.Writing || h.Entries != 2 {
				t.Errorf("got %+v, want 2 entries and no writing", h)
			}
			if err := os.Remove(filler); err != nil {
				t.Fatal(err)
			}
			netkittest.Until(t, "writing again", v.writing)
			v.spawn("bob")
			netkittest.Until(t, "server.json", func() bool { _, ok := findRunning(context.Background(), v.dir); return ok })
			if err := v.cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if err := v.cmd.Wait(); err != nil {
				t.Errorf("got %v, want an orderly end", err)
			}
		})
	}
}

// startWithoutRoom runs a server that cannot write server.json.
func (v *victim) startWithoutRoom() { v.startAfter("true") }

// startAfter runs a server whose limits a shell command sets.
func (v *victim) startAfter(command string) {
	v.t.Helper()
	v.cmd = exec.Command("sh", "-c", command+` && exec netctl "$@"`, "sh", "serve", "--data", v.dir, "--addr", v.addr, "--intent-addr", "127.0.0.1:0", "--no-night", "--quiet", "--space-floor", "0")
	if err := v.cmd.Start(); err != nil {
		v.t.Fatal(err)
	}
	v.t.Cleanup(v.kill)
	v.url = "http://" + v.addr
	netkittest.Until(v.t, "the server", func() bool {
		c, err := net.Dial("tcp", v.addr)
		return err == nil && c.Close() == nil
	})
}

func (v *victim) health() (h netkit.Health) {
	v.must("GET", "/api/health", "", "", &h)
	return h
}

// writing reports whether the server says that it writes. An answer that it is
// asked too often says nothing.
func (v *victim) writing() bool {
	resp, err := http.Get(v.url + "/api/health")
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	var h netkit.Health
	return json.NewDecoder(resp.Body).Decode(&h) == nil && h.Writing
}

// trySpawn spawns an agent, and returns what the server refuses with.
func (v *victim) trySpawn(slug string) error {
	resp, err := http.Post(v.url+"/api/agent/spawn", "application/json", strings.NewReader(fmt.Sprintf(`{"slug":%q}`, slug)))
	if err != nil {
		return err
	}
	b, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil || resp.StatusCode == http.StatusOK {
		return err
	}
	var p netkit.Problem
	if err := json.Unmarshal(b, &p); err != nil {
		return err
	}
	return fmt.Errorf("%d %s", p.Status, p.Code)
}

// freeAddr returns an address on which nothing listens.
func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
