package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/netclient"
)

// session is a command line with a person at it, on folders of its own.
type session struct {
	t        *testing.T
	dir      string
	terminal bool
	width    int
	env      map[string]string
}

func newSession(t *testing.T) *session {
	dir := t.TempDir()
	return &session{t, dir, true, 120, map[string]string{"XDG_CONFIG_HOME": filepath.Join(dir, "config"), "XDG_DATA_HOME": filepath.Join(dir, "data"), "XDG_CACHE_HOME": filepath.Join(dir, "cache"), "XDG_STATE_HOME": filepath.Join(dir, "state")}}
}

// run runs a command with what the person types.
func (s *session) run(typed string, args ...string) (code int, out, talk string) {
	s.t.Helper()
	var stdout, stderr bytes.Buffer
	code = s.app(typed, &stdout, &stderr).main(context.Background(), args)
	return code, stdout.String(), stderr.String()
}

// app is the program with what the person types.
func (s *session) app(typed string, out, talk io.Writer) *app {
	return &app{in: strings.NewReader(typed), out: out, err: talk, terminal: s.terminal, width: s.width,
		env: func(name string) (string, bool) { v, ok := s.env[name]; return v, ok }}
}

func (s *session) must(args ...string) string {
	s.t.Helper()
	code, out, talk := s.run("", args...)
	if code != 0 {
		s.t.Fatalf("%v: got exit code %d: %s", args, code, talk)
	}
	return out
}

func TestSpendingAsks(t *testing.T) {
	s := newSession(t)
	s.must("init")
	s.must("sponsor", "admit", "acme", "--yes")
	for name, c := range map[string]struct {
		typed    string
		flags    []string
		terminal bool
		code     int
		asked    bool
	}{
		"yes":                {"y\n", nil, true, 0, true},
		"the word":           {"YES\n", nil, true, 0, true},
		"no":                 {"n\n", nil, true, 1, true},
		"nothing":            {"", nil, true, 1, true},
		"--yes":              {"", []string{"--yes"}, true, 0, false},
		"--no-input":         {"", []string{"--no-input"}, true, exitUsage, false},
		"--dry-run":          {"", []string{"--dry-run"}, true, 0, false},
		"nobody to be asked": {"y\n", nil, false, exitUsage, false},
	} {
		t.Run(name, func(t *testing.T) {
			s.t, s.terminal = t, c.terminal
			deposit := []string{"sponsor", "deposit", "acme", "10", "--reference", name}
			code, _, talk := s.run(c.typed, append(deposit, c.flags...)...)
			if code != c.code {
				t.Errorf("got exit code %d, want %d: %s", code, c.code, talk)
			}
			if asked := strings.Contains(talk, "Book 10.00 credits of outside money for acme? [y/N] (--yes answers yes)"); asked != c.asked {
				t.Errorf("got asked %t, want %t: %s", asked, c.asked, talk)
			}
		})
	}
	s.t = t
	if got := s.must("ledger", "balance", "sponsor:acme", "--jq", ".balance"); got != "30.00\n" {
		t.Errorf("got a balance of %s, want three deposits of 10.00", got)
	}
}

// A paid read asks with its price, and one that is paid for does not.
func TestPaidReadAsks(t *testing.T) {
	s := newSession(t)
	s.must("init")
	s.must("agent", "spawn", "ada")
	s.must("agent", "role", "ada", "correspondent", "--reason", "r")
	s.must("agent", "spawn", "bob")
	s.must("--as", "ada", "feed", "publish", "--priority", "p1", "--channel", "legal", "--headline", "h", "--audio", "../../examples/audio/p1-silicon-supply.mp3")
	read := []string{"--as", "bob", "feed", "ls", "--priority", "p1"}
	if code, out, talk := s.run("n\n", read...); code != 1 || out != "" || !strings.Contains(talk, "Pay 10.00 credits for this read? [y/N]") {
		t.Errorf("got %d %q %q, want a question that was answered with no", code, out, talk)
	}
	if code, out, _ := s.run("y\n", read...); code != 0 || !strings.Contains(out, "LEGAL") {
		t.Errorf("got %d %q, want the dispatch", code, out)
	}
	if code, _, talk := s.run("", read...); code != 0 || strings.Contains(talk, "Pay") {
		t.Errorf("got %d %q, want no question for what was paid", code, talk)
	}
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{errors.New("x"), 1}, {&netkit.Refusal{Kind: netkit.ErrInvalid}, 1}, {&netkit.Refusal{Kind: netkit.ErrLimit}, 1},
		{usage(errors.New("x")), 2}, {usage(fs.ErrNotExist), 2},
		{&netkit.Refusal{Kind: netkit.ErrNotFound}, 3}, {journal.ErrNotFound, 3}, {fs.ErrNotExist, 3},
		{&netkit.Refusal{Kind: netkit.ErrForbidden}, 4}, {&netkit.Refusal{Kind: netkit.ErrUnauthenticated}, 4}, {journal.ErrNotWritable, 4},
		{&netkit.Refusal{Kind: netkit.ErrConflict}, 5}, {&netkit.Refusal{Kind: netkit.ErrInsufficientCredits}, 5}, {journal.ErrLocked, 5}, {errAddressTaken, 5},
		{netclient.ErrUnreachable, 6}, {&netkit.Refusal{Kind: netkit.ErrUnavailable}, 6}, {&netkit.Refusal{Kind: netkit.ErrUnknownOutcome}, 6},
	} {
		if got := exitCode(fmt.Errorf("wrapped: %w", c.err)); got != c.want {
			t.Errorf("%v: got %d, want %d", c.err, got, c.want)
		}
	}
}

// What agents wrote must not command the terminal.
func TestTablesShowNoControlCharacters(t *testing.T) {
	s := newSession(t)
	s.must("init")
	s.must("sponsor", "admit", "acme", "--yes")
	s.must("sponsor", "deposit", "acme", "10", "--reference", "r", "--yes")
	code, out, talk := s.run("", "market", "open", "--sponsor", "acme", "--title", "t", "--brief", "a\u202eb", "--channel", "legal", "--budget", "2", "--yes", "--jq", ".campaign_id")
	if code != 0 {
		t.Skipf("the network refuses such texts: %s", talk)
	}
	if got := s.must("market", "show", strings.TrimSpace(out)); strings.Contains(got, "\u202e") {
		t.Errorf("got %q, want no character that turns the text around", got)
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{"plain é": "plain é", "a\nb\tc": "a b c", "a\u2028b\u2029c": "a b c", "\x1b[2J": "�[2J", "\u009b1m": "�1m", "x\u202ey\u200b": "x�y�"} {
		if got := clean(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if got := shorten(strings.Repeat("é", 200)); len([]rune(got)) != maxCell || !strings.HasSuffix(got, "…") {
		t.Errorf("got %q, want %d characters", got, maxCell)
	}
}
