//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/creack/pty"
)

// A terminal that answers no question must not hold a command up. A library
// under the screens asks for the background when it is initialised and waits
// five seconds; the bound is far from both that and the few milliseconds it
// takes.
func TestSilentTerminalHoldsNothingUp(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := filepath.Join(t.TempDir(), "netctl")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(program, "version")
	cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	began := time.Now()
	terminal, err := pty.Start(cmd)
	if err != nil {
		t.Skipf("there is no pseudo-terminal here: %v", err)
	}
	defer terminal.Close()
	var out bytes.Buffer
	_, _ = io.Copy(&out, terminal) // ends with an error where the other side is closed
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	t.Logf("took %s", took)
	if bytes.ContainsRune(out.Bytes(), '\x1b') {
		t.Errorf("got %q, want no question to the terminal", out.String())
	}
	if took > 4*time.Second {
		t.Errorf("got an answer after %s, want it at once", took)
	}
}
