package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentnet/netctl/cmd/netctl/demo"
	"github.com/agentnet/netctl/netkit/netkittest"
)

// Each command that the demo ends with answers something, in a shell.
func TestDemoCommands(t *testing.T) {
	needs(t, "bash", "curl")
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "netctl"), ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ctx, stop := context.WithCancel(t.Context())
	var out netkittest.Output
	ended := make(chan error, 1)
	go func() { ended <- demo.Run(ctx, demo.Config{Out: &out, Serve: true}) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	told := out.Wait(t, "The operator's token")
	_, text, _ := strings.Cut(told, "The server keeps running")
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
