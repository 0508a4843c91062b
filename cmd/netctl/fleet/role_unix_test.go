//go:build unix

package fleet

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/server"
)

// A process of its own serves the intents of a network on a database, and nothing else; on
// a lone folder it is refused with the next step.
func TestIntentServiceOfItsOwn(t *testing.T) {
	db := startTables(t)
	api := &Server{T: t, Dir: t.TempDir(), Flags: []string{"--journal", db.URL("node"), "--role", "api"}}
	api.Start()
	dir := t.TempDir()
	(&fleet{t: t}).shareKeys(api.Dir, dir)
	at := startIntents(t, "--data", dir, "--journal", db.URL("node"))
	token := strings.Repeat("2", 64)
	resp, err := http.Post(api.URL+"/api/agent/spawn", "application/json", strings.NewReader(`{"slug":"ada","token_sha256":"`+token+`"}`))
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("spawn at the API: got %v, %v", resp, err)
	}
	resp.Body.Close()
	for path, want := range map[string]int{"/api/intent": 401, "/api/intent/attention": 401, "/api/agent/spawn": 404, "/api/agent/constitution": 404} {
		resp, err := http.Post(at+path, "application/json", strings.NewReader(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		if resp.Body.Close(); resp.StatusCode != want {
			t.Errorf("POST %s: got %d, want %d", path, resp.StatusCode, want)
		}
	}
	var nodes []server.NodeView
	netkittest.Until(t, "two nodes are listed", func() bool {
		if err := json.Unmarshal([]byte(MustRun(t, "node", "list", "--data", api.Dir, "--output", "json")), &nodes); err != nil {
			t.Fatal(err)
		}
		return len(nodes) > 1
	})
	if len(nodes) != 2 || !nodes[0].Writes || nodes[0].Address != api.URL || nodes[1].Writes || !nodes[1].Runs || nodes[1].Address != "" {
		t.Errorf("got %+v, want the node that writes and the intent service", nodes)
	}
	if code, _, said := Run("node", "list", "--data", t.TempDir()); code != 6 || !strings.Contains(said, "no server runs") {
		t.Errorf("without a server: got %d, %s", code, said)
	}
	for _, role := range []string{"api", "intent"} {
		code, _, said := Run("serve", "--role", role, "--data", t.TempDir())
		if code != 2 || !strings.Contains(said, "--role "+role+" needs a journal that several servers share") || !strings.Contains(said, "netctl help postgres") {
			t.Errorf("--role %s on a folder: got %d, %s", role, code, said)
		}
	}
}

// startIntents starts a server with the role intent and returns its address.
func startIntents(t *testing.T, args ...string) string {
	t.Helper()
	said := filepath.Join(t.TempDir(), "said")
	to, err := os.Create(said)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	cmd := exec.Command("netctl", append([]string{"serve", "--role", "intent", "--intent-addr", "127.0.0.1:0"}, args...)...)
	cmd.Stderr = to
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("the intent service ends: %v", err)
		}
	})
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		text, err := os.ReadFile(said)
		if err != nil {
			t.Fatal(err)
		}
		if found := servingAt.FindSubmatch(text); found != nil {
			return string(found[1])
		}
	}
	t.Fatal("the intent service does not start in a minute")
	return ""
}

var servingAt = regexp.MustCompile(`serving intents of \S+ at (\S+);`)
