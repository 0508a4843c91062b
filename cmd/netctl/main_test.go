package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/server/host"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"netctl": main})
}

// TestScript runs the command as people do. Each script has folders of its own
// for configuration and data.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			examples, err := filepath.Abs(filepath.Join("..", "..", "examples"))
			e.Setenv("XDG_CONFIG_HOME", filepath.Join(e.WorkDir, "config"))
			e.Setenv("XDG_DATA_HOME", filepath.Join(e.WorkDir, "data"))
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, "state"))
			e.Setenv("EXAMPLES", examples)
			e.Setenv("NETCTL_KEY_STORE", "file") // the keyring of whoever runs the tests is not theirs
			e.Setenv("ANY", "127.0.0.1:0")
			now := time.Now().UTC()
			e.Setenv("TODAY", now.Format(time.DateOnly)+"|"+now.AddDate(0, 0, 1).Format(time.DateOnly)) // a pattern: midnight may pass
			return err
		},
		Condition: func(name string) (bool, error) {
			if name == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("there is no condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": wantExit, "served": served, "keep": keep, "mode": mode, "addr": addr, "free": free, "until": until, "founded": founded},
	})
}

// wantExit runs a command and wants an exit code: exits 3 netctl agent show bob.
func wantExit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	var failed *exec.ExitError
	got := 0
	switch {
	case errors.As(err, &failed):
		got = failed.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("got exit code %d, want %d", got, want)
	}
}

// served waits until a server runs on a folder, and sets URL to its address.
func served(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: [!] served DIR")
	}
	for start := time.Now(); time.Since(start) < 2*time.Minute; time.Sleep(10 * time.Millisecond) {
		r, ok := findRunning(context.Background(), ts.MkAbs(args[0]))
		if ok {
			ts.Setenv("URL", r.URL)
		}
		if ok != neg {
			return
		}
	}
	ts.Fatalf("%s: still waiting after two minutes", args[0])
}

// keep puts the standard output of the last command, without the line end,
// into a variable: keep ID.
func keep(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: keep VARIABLE")
	}
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile("stdout")))
}

// mode wants the permissions of a file: mode 0600 FILE.
func mode(ts *testscript.TestScript, _ bool, args []string) {
	st, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := fmt.Sprintf("%#o", st.Mode().Perm()); got != args[0] {
		ts.Fatalf("%s: got mode %s, want %s", args[1], got, args[0])
	}
}

// addr sets a variable to the address that served found: addr TAKEN.
func addr(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv(args[0], strings.TrimPrefix(ts.Getenv("URL"), "http://"))
}

// free sets a variable to an address that nothing listens on: free W1.
func free(ts *testscript.TestScript, _ bool, args []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Setenv(args[0], l.Addr().String())
	ts.Check(l.Close())
}

// founded makes a network that begins with a constitution: founded DIR FILE.
func founded(ts *testscript.TestScript, _ bool, args []string) {
	law, err := netkit.ReadConstitution([]byte(ts.ReadFile(args[1])))
	ts.Check(err)
	g, err := genesis("", "operator")
	ts.Check(err)
	g.Constitution = law
	h, err := openLocal(context.Background(), host.Config{Dir: ts.MkAbs(args[0]), Genesis: g})
	ts.Check(err)
	ts.Check(h.Close(context.Background()))
}

// until repeats a command until it works and its output matches:
// until '^3$' netctl ledger ls.
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until PATTERN COMMAND...")
	}
	want, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	for start := time.Now(); time.Since(start) < 2*time.Minute; time.Sleep(50 * time.Millisecond) {
		if err := ts.Exec(args[1], args[2:]...); err == nil && want.MatchString(ts.ReadFile("stdout")) {
			return
		}
	}
	ts.Fatalf("still waiting for %s after two minutes", args[0])
}
