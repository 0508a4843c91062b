//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// atTerminal starts netctl on a pseudo-terminal.
func atTerminal(t *testing.T, args ...string) *terminalRun {
	t.Helper()
	cmd := exec.Command("netctl", args...)
	cmd.Env = append(os.Environ(), "TERM=dumb", "XDG_CONFIG_HOME="+t.TempDir())
	term, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: 160})
	if err != nil {
		t.Skipf("there is no pseudo-terminal here: %v", err)
	}
	s := &terminalRun{t: t, cmd: cmd, pty: term, seen: make(chan string, 1024)}
	go s.read()
	return s
}

// On a terminal each text is asked about once, with its places, and what was decided
// is kept at once.
func TestReviewOnTerminal(t *testing.T) {
	for answer, want := range map[string]string{
		"k": `"keep": [`, "e": `"type": "NAME"`, "m": `"path": "steps[1]"`,
	} {
		file := filepath.Join(t.TempDir(), "a.json")
		if err := os.WriteFile(file, []byte(unsureBook), 0o600); err != nil {
			t.Fatal(err)
		}
		s := atTerminal(t, "btdt", "review", file)
		s.until("(q)uit: ")
		s.key("x\n")
		s.until("one of the letters")
		s.key("w\n")
		s.until("without a question")
		s.key(answer + "\n")
		s.until("0 questions open")
		if err := s.cmd.Wait(); err != nil {
			t.Errorf("%s: got %v", answer, err)
		}
		s.pty.Close()
		got, err := os.ReadFile(decisionsName(file))
		if err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s: got %s (%v), want %s", answer, got, err, want)
		}
	}
}

// A language that cannot be read is asked about too.
func TestReviewUnreadOnTerminal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.json")
	if err := os.WriteFile(file, []byte(strings.Replace(unsureBook, "Gruvelock said no.", "山田太郎さんに電話しました。", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	s := atTerminal(t, "btdt", "review", file)
	s.until("(q)uit: ")
	s.key("s\n")
	s.until("identifies nobody?|identify nobody?")
	s.key("y\n")
	s.until("1 question open")
	_ = s.cmd.Wait() // what it wrote is looked at
	s.pty.Close()
	if d, err := readDecisions(file); err != nil || len(d.Read) != 1 || d.Read[0] != "Japanese" {
		t.Errorf("got %+v, %v, want an answer for Japanese", d, err)
	}
}

// Who stops, also by an interrupt, decides nothing, and nothing is printed or written.
func TestReviewStops(t *testing.T) {
	for key, want := range map[string]string{"q\n": "stopped; what was decided is kept", "\x03": "interrupted"} {
		file := filepath.Join(t.TempDir(), "a.json")
		if err := os.WriteFile(file, []byte(unsureBook), 0o600); err != nil {
			t.Fatal(err)
		}
		s := atTerminal(t, "btdt", "scrub", "--write", file)
		s.until("(q)uit: ")
		s.key(key)
		s.until(want)
		if err := s.cmd.Wait(); err == nil {
			t.Error("got success, want a stop to fail")
		}
		s.pty.Close()
		for _, name := range []string{besideName(file), decisionsName(file)} {
			if _, err := os.Stat(name); err == nil {
				t.Errorf("got %s, want none", name)
			}
		}
	}
}

// The screens apply what was decided, store what they register, and refuse a
// stripped file that would have to change.
func TestScreensStorePlaybook(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.json")
	for name, text := range map[string]string{
		file: unsureBook, besideName(strings.TrimSuffix(file, ".json") + "2.json"): unsureBook,
		decisionsName(file): `{"keep":["Gruvelock"],"mark":[{"text":"paid","type":"OTHER_ID"}]}`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := &call{app: &app{}, ctx: t.Context()}
	got, err := c.playbook(file, detecting{})
	if err != nil || got.File != besideName(file) || got.Stripped != 1 || got.Kept != 2 || got.Advice != "" {
		t.Fatalf("got %+v, %v, want the file beside it with one part stripped and two kept", got, err)
	}
	if err := holdsPlaybook(got.File, got.Metadata.ContentSHA256); err != nil {
		t.Error(err)
	}
	if _, err := c.playbook(besideName(strings.TrimSuffix(file, ".json")+"2.json"), detecting{}); err == nil || !strings.Contains(err.Error(), "stripped before") {
		t.Errorf("got %v, want a refusal of a stripped file that would change", err)
	}
}
