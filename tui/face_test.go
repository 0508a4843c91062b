package tui

import (
	"context"
	"iter"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
)

func TestMouse(t *testing.T) {
	d := drive(t, small(), 100, 24)
	d.send(tea.MouseMsg{X: 9, Y: 0, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	if got := d.m.here().name(); got != "Market" {
		t.Fatalf("got %s by a click on its tab, want Market", got)
	}
	l := d.m.here().(*market)
	d.view()
	d.send(tea.MouseMsg{X: 5, Y: 3, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	if l.sel != 1 {
		t.Errorf("got row %d by a click, want 1", l.sel)
	}
	d.send(tea.MouseMsg{Button: tea.MouseButtonWheelUp})
	if l.sel != 0 {
		t.Errorf("got row %d by the wheel, want 0", l.sel)
	}
}

func TestOnePaneOnANarrowScreen(t *testing.T) {
	d := drive(t, small(), 60, 15)
	d.press("2")
	d.lacks("Brief")
	d.press("enter")
	d.shows("contract   52")
	d.press("esc")
	d.shows("> ")
}

func TestCopyWritesToTheTerminalsClipboard(t *testing.T) {
	d := drive(t, small(), 100, 24)
	d.press("2", "c", "u")
	out := d.m.out.w.(*strings.Builder).String()
	if strings.Count(out, "\x1b]52;c;") != 2 {
		t.Errorf("got %q, want two clipboard sequences", out)
	}
	d.shows("curl command copied", "netctl --as ada market show 52", "curl -sS http://net.test/api/market/campaigns/52")
}

func TestThemes(t *testing.T) {
	for _, name := range Themes() {
		for _, noColor := range []bool{false, true} {
			th, err := newTheme(name, noColor, &strings.Builder{})
			if err != nil {
				t.Fatal(err)
			}
			if got := th.alarm.Render("x"); (noColor || name == "mono") && got != "x" {
				t.Errorf("theme %s, noColor %t: got %q, want no colour", name, noColor, got)
			}
		}
	}
	if _, err := newTheme("pink", false, nil); err == nil {
		t.Error("got no error for an unknown theme")
	}
}

// talking is a network whose stream is given by a test.
type talking struct {
	*fake
	events chan netkit.Event
}

func (n *talking) Events(ctx context.Context, _ uint64, _ netkit.EventFilter) iter.Seq2[netkit.Event, error] {
	return func(yield func(netkit.Event, error) bool) {
		for {
			select {
			case ev, ok := <-n.events:
				if !ok || !yield(ev, nil) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

func TestStreamGathersWhatComesAtOnce(t *testing.T) {
	d := drive(t, small(), 80, 24)
	net := &talking{d.net, make(chan netkit.Event, 100)}
	d.m.cfg.Network = net
	d.m.wait = func(cmd tea.Cmd) tea.Cmd { return cmd }
	for i := range 50 {
		net.events <- netkit.Event{ID: uint64(1000 + i), Type: "execution"}
	}
	close(net.events)
	cmd := d.m.followStream(900)
	for cmd != nil && d.m.link.seen < 1049 {
		_, next := d.m.Update(cmd())
		cmd = lastOf(next)
	}
	if d.m.link.seen != 1049 {
		t.Errorf("got up to %d, want 1049", d.m.link.seen)
	}
	if n := len(d.later); n > 2 { // the refresh, and the opening of the stream that ended
		t.Errorf("got %d messages on their way, want 2", n)
	}
}

// lastOf is the command that goes on listening.
func lastOf(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	if batch, ok := cmd().(tea.BatchMsg); ok && len(batch) > 0 {
		return batch[len(batch)-1]
	}
	return cmd
}

func TestCues(t *testing.T) {
	got := readCues("WEBVTT\r\n\r\n1\r\n00:01.500 --> 01:00:02.000 line:0\r\n<v Ada>Hello <b>there</b>\r\n\r\n")
	want := cue{1500 * time.Millisecond, time.Hour + 2*time.Second, "Hello there"}
	if len(got) != 1 || got[0] != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if plain := readCues("Just text."); len(plain) != 1 || plain[0].text != "Just text." {
		t.Errorf("got %+v, want the text", plain)
	}
}

// The chart is over time: a balance that stood long is drawn long.
func TestChart(t *testing.T) {
	points := []point{{0, 0}, {10, 100}, {60, 200}, {61, 400}}
	got := strings.Join(chart(points, 80, axis+1+8, 2), "\n")
	want := "       4.00       ██\n       0.00 ▄▄▄▄▄███"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := chart([]point{{5, 100}, {5, 200}}, 5, axis+1+2, 1); got[0] != "       2.00 ██" {
		t.Errorf("got %q, want the latest at a single moment", got)
	}
}
