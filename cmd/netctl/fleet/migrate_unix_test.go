//go:build unix

package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/server/host"
)

// migrated is the part of the report of netctl migrate that the tests look at.
type migrated struct {
	host.Moved
}

// migrate runs netctl migrate to its end.
func migrate(t *testing.T, args ...string) (out migrated, said string, err error) {
	t.Helper()
	cmd := exec.Command("netctl", append([]string{"migrate", "-o", "json"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	return out, stderr.String(), err
}

// refusedStart runs a server that is not to start, and returns its complaint.
func refusedStart(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	text, err := exec.CommandContext(ctx, "netctl", append([]string{"serve", "--addr", "127.0.0.1:0", "--intent-addr", "127.0.0.1:0"}, args...)...).CombinedOutput()
	var failed *exec.ExitError
	if !errors.As(err, &failed) || ctx.Err() != nil {
		t.Errorf("serve %v: got %v, want a refusal\n%s", args, err, text)
	}
	return string(text)
}

// A network that is served moves into a database and on into another folder. Nothing
// that was acknowledged is lost, and the servers that it left do not start.
func TestMigrateUnderLoad(t *testing.T) {
	db := startTables(t)
	v := &Server{T: t, Dir: t.TempDir()}
	v.Start()
	c := fleetOf(t, v)
	stop := c.load("alone", c.nodes)
	c.await(time.Now())

	said := new(netkittest.Output)
	move := exec.Command("netctl", "migrate", "--from", v.Dir, "--to", db.URL("node"))
	move.Stdout, move.Stderr = said, said
	if err := move.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = move.Process.Kill() })
	said.Wait(t, "now stop the server, process")
	c.await(time.Now()) // it is served still
	v.Signal(syscall.SIGTERM)
	if err := move.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	_ = v.Wait()
	stop()
	if text := refusedStart(t, "--data", v.Dir); !strings.Contains(text, "serve --journal") {
		t.Errorf("the old server: got %s", text)
	}
	v.Flags = []string{"--journal", db.URL("node")}
	v.Start()
	stop = c.load("node", c.nodes)
	c.await(time.Now())

	to := filepath.Join(t.TempDir(), "back")
	out, complaint, err := migrate(t, "--from", db.URL("node"), "--to", to, "--files", v.Dir)
	if err != nil || out.Entries == 0 || out.Accounts == 0 {
		t.Fatalf("back: got %+v, %v\n%s", out, err, complaint)
	}
	if err := v.Wait(); err == nil {
		t.Error("the node ended without an error")
	}
	if text := refusedStart(t, "--data", v.Dir, "--journal", db.URL("node")); !strings.Contains(text, to) {
		t.Errorf("the old node: got %s", text)
	}
	back := &Server{T: t, Dir: to}
	back.Start()
	stop()
	c.nodes = []*Server{back}
	c.check()
}

// A move that is killed at any time is repeated to its end, in both directions.
func TestMigrateIsKilled(t *testing.T) {
	db := startTables(t)
	v := &Server{T: t, Dir: t.TempDir()}
	v.Start()
	for _, name := range []string{"ada", "bea", "cyd"} {
		v.Spawn(name)
	}
	v.Kill()
	to := filepath.Join(t.TempDir(), "back")
	before, err := host.Inspect(t.Context(), v.Dir)
	if err != nil {
		t.Fatal(err)
	}
	there := []string{"--from", v.Dir, "--to", db.URL("node")}
	if _, said, _ := migrate(t, append(there, "--dry-run")...); !strings.Contains(said, "can begin") {
		t.Errorf("a dry run: got %s", said)
	}
	killed(t, there...)
	if _, said, err := migrate(t, append(there, "--dry-run")...); err == nil || !strings.Contains(said, "already") {
		t.Errorf("a dry run after the move: got %v, %s", err, said)
	}
	killed(t, "--from", db.URL("node"), "--to", to, "--files", v.Dir)
	if report := Audit(t, to); report.Entries != before {
		t.Errorf("got %+v, want %d entries", report, before)
	}
	if _, err := os.Stat(filepath.Join(to, "node.json")); err == nil {
		t.Error("the folder is still marked as that of a node")
	}
}

// killed runs a move again and again, and kills it later each time, until one ends. One
// that was killed behind its last step makes the next one say that it is done.
func killed(t *testing.T, args ...string) {
	t.Helper()
	for after, n := 5*time.Millisecond, 0; ; after, n = after*5/4, n+1 {
		cmd := exec.Command("netctl", append([]string{"migrate"}, args...)...)
		said := new(netkittest.Output)
		cmd.Stdout, cmd.Stderr = said, said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		err := cmd.Wait()
		timer.Stop()
		if status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
			continue
		}
		if err != nil && !strings.Contains(said.String(), "already") {
			t.Fatalf("killed %d times, then: %v\n%s", n, err, said)
		}
		t.Logf("killed %d times", n)
		return
	}
}
