package tui

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"github.com/muesli/termenv"

	"github.com/agentnet/netctl/netkit"
)

func TestMouse(t *testing.T) {
	d := drive(t, small(), 100, 24)
	d.send(tea.MouseMsg{X: 19, Y: 0, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
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

// luminance is what WCAG 2 calls so, of a colour as in #1e2430.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	var rgb [3]uint8
	if _, err := fmt.Sscanf(hex, "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]); err != nil {
		t.Fatalf("%q: %v", hex, err)
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		c := float64(rgb[i]) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

// Every hue of a theme is legible on the backgrounds that it is made for: a
// contrast of 4.5 to 1, as WCAG asks of text.
func TestThemesAreLegible(t *testing.T) {
	for name, screen := range map[string]string{"dark": "#000000", "light": "#ffffff"} {
		h := palettes[name]
		pairs := [][2]string{{h.front, h.back}, {h.alarmFront, h.bad}}
		for _, ink := range []string{h.accent, h.dim, h.good, h.warn, h.bad} {
			pairs = append(pairs, [2]string{ink, screen})
		}
		for _, p := range pairs {
			a, b := luminance(t, p[0]), luminance(t, p[1])
			if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < 4.5 {
				t.Errorf("%s: got a contrast of %.1f of %s on %s, want at least 4.5", name, ratio, p[0], p[1])
			}
		}
	}
}

// Without colour nothing is lost: what a coloured view shows as text is what
// the plain one shows.
func TestNothingByColourAlone(t *testing.T) {
	for name, h := range palettes {
		r := lipgloss.NewRenderer(io.Discard)
		r.SetColorProfile(termenv.TrueColor)
		coloured := h.theme(name, r)
		net := small()
		net.crisis = net.feed[:1]
		d := drive(t, net, 100, 24)
		for i := range d.m.screens {
			d.press(keysOf(i)[0])
			plain, mono := d.view(), d.m.th
			d.m.th = coloured
			view := d.m.render()
			if d.m.th = mono; !strings.Contains(view, "\x1b[") {
				t.Fatal("got no colour to compare with")
			}
			lines := strings.Split(ansi.Strip(view), "\n")
			for i := range lines {
				lines[i] = strings.TrimRight(lines[i], " ")
			}
			if diff := cmp.Diff(plain, strings.Join(lines, "\n")+"\n"); diff != "" {
				t.Errorf("%s, %s (-plain +coloured):\n%s", name, d.m.here().name(), diff)
			}
		}
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
	msg := d.m.followStream(900)()
	for d.m.link.seen < 1049 {
		// What follows one look is the next look, alone or behind others.
		if batch, ok := msg.(tea.BatchMsg); ok {
			msg = batch[len(batch)-1]()
			continue
		}
		_, next := d.m.Update(msg)
		if next == nil {
			break
		}
		msg = next()
	}
	if d.m.link.seen != 1049 {
		t.Errorf("got up to %d, want 1049", d.m.link.seen)
	}
	if n := len(d.later); n > 2 { // the refresh, and the opening of the stream that ended
		t.Errorf("got %d messages on their way, want 2", n)
	}
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
