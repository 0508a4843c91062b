package tui

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// program puts a script under a name where the driver's LookPath finds it. It
// writes its arguments, and the file that the last one names, beside itself.
func (d *driver) program(name, script string) (said func() string) {
	d.t.Helper()
	if runtime.GOOS == "windows" {
		d.t.Skip("the program is a shell script")
	}
	dir := d.t.TempDir()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		d.t.Fatal(err)
	}
	d.m.cfg.LookPath = func(want string) (string, error) {
		if want == name {
			return path, nil
		}
		return "", os.ErrNotExist
	}
	return func() string {
		b, _ := os.ReadFile(filepath.Join(dir, "said")) // nothing was said without it
		return string(b)
	}
}

const remember = `{ echo "$*"; for f; do :; done; cat "$f"; } >"$(dirname "$0")/said"`

// let runs what would take as long as a recording.
func (d *driver) let() {
	held := d.held
	d.held = nil
	for _, cmd := range held {
		d.drain(cmd)
	}
}

// listening is a driver on the feed with a paid dispatch that was opened.
func listening(t *testing.T, w, h int) *driver {
	net := small()
	net.opened = 1 << 60
	d := drive(t, net, w, h)
	d.press("down")
	return d
}

func TestPlayerOnTheMachinePlaysWithTheTranscriptBeside(t *testing.T) {
	for name, flags := range map[string]string{"mpv": "--no-video --really-quiet --no-terminal ", "ffplay": "-nodisp -autoexit -loglevel quiet ", "afplay": "", "paplay": "", "aplay": "-q "} {
		d := listening(t, 100, 24)
		said := d.program(name, remember)
		d.press("p")
		d.shows("► playing, 0:00; p stops", "Transcript (by the author)", "> The grid is down.", "● P1")
		d.now = d.now.Add(5 * time.Second)
		d.shows("► playing, 0:05", "  The grid is down.")
		d.lacks("> The grid is down.")
		d.now = d.now.Add(10 * time.Second)
		dir := d.m.player.dir
		d.let()
		d.shows("played to the end")
		args, played, _ := strings.Cut(said(), "\n")
		if args != flags+filepath.Join(dir, "dispatch.mp3") || !strings.HasPrefix(played, "WEBVTT") {
			t.Errorf("%s: got %q playing %q, want the fetched file", name, args, played)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: the recording is left behind in %s", name, dir)
		}
	}
}

func TestPlayingStops(t *testing.T) {
	d := listening(t, 60, 15) // one pane: the transcript takes the screen
	d.program("mpv", "exec sleep 60")
	d.press("p")
	d.shows("► playing", "The grid is down.")
	began := time.Now()
	var msg tea.Msg
	ended := make(chan struct{})
	first := d.held[0]
	go func() { msg = first(); close(ended) }()
	dir := d.m.player.dir
	d.press("p")
	<-ended
	d.shows("stopped")
	d.held = nil
	d.press("p")
	d.send(msg) // how the first one ended is no news of the second
	d.shows("► playing")
	d.m.player.stop()
	if _, err := os.Stat(dir); err == nil || time.Since(began) > 30*time.Second {
		t.Errorf("the recording is in %s still, after %s", dir, time.Since(began))
	}
}

func TestPlayerThatFails(t *testing.T) {
	d := listening(t, 100, 24)
	d.program("ffplay", "exit 3")
	d.press("p")
	d.let()
	d.shows("the player failed: exit status 3", "The grid is down.")
	d.program("ffplay", "exit 0")
	d.press("p") // plays it again
	d.let()
	d.shows("the player ended after 0 s of 15 s;", "sound device?")
	d = listening(t, 100, 24)
	d.press("up", "p")
	d.shows("this dispatch has no recording")
}

// The page of what is shown is opened by the browser that BROWSER names, else
// by the system's opener.
func TestBrowserOpensThePage(t *testing.T) {
	for _, set := range []string{"", "w3m -x"} {
		name, flags := Browser(runtime.GOOS)[0], ""
		if set != "" {
			name, flags = "w3m", "-x "
		}
		d := drive(t, small(), 100, 24)
		d.m.cfg.Browser = set
		said := d.program(name, `echo "$*" >"$(dirname "$0")/said"`)
		d.press("2", "o")
		d.shows("opened http://net.test/market/52")
		for i := 0; said() == "" && i < 12_000; i++ {
			time.Sleep(10 * time.Millisecond)
		}
		if got := strings.TrimSpace(said()); got != flags+"http://net.test/market/52" {
			t.Errorf("got %q, want the page", got)
		}
	}
	d := drive(t, small(), 100, 24)
	d.press("3", "o")
	d.shows("no browser was found; the page is http://net.test/agent/ada")
}
