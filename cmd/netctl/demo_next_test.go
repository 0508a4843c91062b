package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentnet/netctl/cmd/netctl/demo"
)

// written is an output that can be read while it is written.
type written struct {
	mu   sync.Mutex
	text strings.Builder
}

func (w *written) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(b)
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// Each command that the demo ends with answers something, in a shell.
func TestDemoCommands(t *testing.T) {
	needs(t, "bash", "curl")
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "netctl"), ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ctx, stop := context.WithCancel(t.Context())
	var out written
	ended := make(chan error, 1)
	go func() { ended <- demo.Run(ctx, demo.Config{Out: &out, Serve: true}) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	for deadline := time.Now().Add(2 * time.Minute); !strings.Contains(out.String(), "The operator's token"); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the demo does not end its story:\n%s", out.String())
		}
	}
	_, text, _ := strings.Cut(out.String(), "The server keeps running")
	commands := 0
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); !strings.Contains(line, "netctl ") && !strings.HasPrefix(line, "curl ") {
			continue
		}
		commands++
		cmd := exec.CommandContext(t.Context(), "bash", "-c", strings.Replace(line, " tui ", " tui --accessible ", 1))
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "XDG_CONFIG_HOME="+filepath.Join(dir, "config"), "XDG_STATE_HOME="+filepath.Join(dir, "state"))
		cmd.Stdin, cmd.Stderr = strings.NewReader("q\n"), io.Discard
		if got, err := cmd.Output(); err != nil || strings.TrimSpace(string(got)) == "" || strings.Contains(string(got), `"items":[]`) {
			t.Errorf("%s: got %v and %q, want an answer that is not empty", line, err, got)
		}
	}
	if commands != 5 {
		t.Errorf("got %d commands, want 5:\n%s", commands, text)
	}
}
