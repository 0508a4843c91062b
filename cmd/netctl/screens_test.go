//go:build unix

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// terminalRun is netctl tui on a pseudo-terminal.
type terminalRun struct {
	t    testing.TB
	cmd  *exec.Cmd
	pty  *os.File
	seen chan string
}

func openScreens(t testing.TB, program string, args ...string) *terminalRun {
	t.Helper()
	cmd := exec.Command(program, append([]string{"tui"}, args...)...)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "XDG_CONFIG_HOME="+t.TempDir())
	term, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: 200})
	if err != nil {
		t.Skipf("there is no pseudo-terminal here: %v", err)
	}
	s := &terminalRun{t: t, cmd: cmd, pty: term, seen: make(chan string, 1024)}
	go s.read()
	return s
}

// read hands on what is drawn, until the program ends.
func (s *terminalRun) read() {
	defer close(s.seen)
	buf := make([]byte, 1<<16)
	for {
		n, err := s.pty.Read(buf)
		if err != nil {
			return
		}
		s.seen <- string(buf[:n])
	}
}

// until waits until one of some texts, with | between, was drawn.
func (s *terminalRun) until(text string) {
	s.t.Helper()
	drawn, late := "", time.After(time.Minute)
	one := func() bool {
		for word := range strings.SplitSeq(text, "|") {
			if strings.Contains(drawn, word) {
				return true
			}
		}
		return false
	}
	for !one() {
		select {
		case more, ok := <-s.seen:
			if drawn += more; !ok {
				s.t.Fatalf("it ended without %q: %q", text, tail([]byte(drawn), 2000))
			}
		case <-late:
			s.t.Fatalf("no %q within a minute: %q", text, tail([]byte(drawn), 2000))
		}
	}
}

func (s *terminalRun) key(k string) {
	if _, err := s.pty.WriteString(k); err != nil {
		s.t.Fatal(err)
	}
}

func (s *terminalRun) end() {
	s.key("q")
	_ = s.cmd.Wait() // how it ends is not part of what is measured
	s.pty.Close()
	for range s.seen {
	}
}

// The server is killed under the screens and comes back, on a folder even at
// another address: they say offline, keep what they have, find it again by
// themselves, and are live after it.
func TestScreensSurviveAKilledServer(t *testing.T) {
	for name, flags := range map[string]func(*lived) []string{
		"folder": func(l *lived) []string { return []string{"--data", l.Dir, "--as", "ada"} },
		"afar":   func(l *lived) []string { return []string{"--url", l.URL} },
	} {
		t.Run(name, func(t *testing.T) {
			l := liveIn(t)
			t.Setenv("NETCTL_TOKEN", map[string]string{"afar": l.token}[name])
			s := openScreens(t, "netctl", append(flags(l), "--theme", "mono")...)
			defer s.end()
			s.until("ada 50.00 cr")
			s.key("2")
			s.until("Fab watch")
			l.Kill()
			s.until("OFFLINE")
			s.key("3")
			s.until("not reached|cannot be reached")
			if name == "afar" {
				l.Addr = strings.TrimPrefix(l.URL, "http://")
			}
			l.Start()
			s.until("connected again|ada  ")
			s.key("2")
			l.netctl("market", "open", "--sponsor", "acme", "--title", "After the storm", "--brief", "b", "--channel", "LEGAL", "--budget", "5")
			s.until("After the storm")
		})
	}
}
