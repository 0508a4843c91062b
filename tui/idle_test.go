package tui

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
)

// Where nothing changes nothing is drawn: no screen counts time unless a
// duration stands on it, and then only when that reads differently.
func TestIdleScreensCountNoTime(t *testing.T) {
	net := small()
	net.inbox, net.results, net.cases, net.market = nil, nil, nil, nil
	d := drive(t, net, 120, 40)
	for i, s := range d.m.screens {
		d.press(keysOf(i)[0])
		if len(d.beats) != 0 || len(d.later) != 0 {
			t.Errorf("%s: got %v and %d messages to come, want none", s.name(), d.beats, len(d.later))
		}
		d.beats, d.later, d.m.beatAt = nil, nil, time.Time{}
	}
}

// A countdown costs one drawing each time that it reads differently: by the
// minute above an hour, by the second below.
func TestACountdownIsDrawnWhenItReadsDifferently(t *testing.T) {
	for _, tt := range []struct {
		left   netkit.Millis
		drawn  time.Duration // how long it is watched
		atMost int           // drawings in that time
	}{{7_200_000, 10 * time.Minute, 11}, {30_000, 20 * time.Second, 21}, {100 * 3_600_000, 10 * time.Hour, 11}} {
		net := small()
		net.inbox[0].ExpiresAt = noon + tt.left
		d := drive(t, net, 100, 30)
		d.press("5")
		frames := 0
		for end := d.now.Add(tt.drawn); len(d.beats) > 0; frames++ {
			wait := d.beats[len(d.beats)-1]
			d.beats = nil
			if d.now = d.now.Add(wait); d.now.After(end) {
				break
			}
			before := d.m.View()
			d.send(beat(d.m.beat))
			if frames > 0 && before == d.m.View() {
				t.Errorf("%d ms left: nothing changed after %s", tt.left, wait)
			}
		}
		if frames == 0 || frames > tt.atMost {
			t.Errorf("%d ms left: got %d drawings in %s, want 1 to %d", tt.left, frames, tt.drawn, tt.atMost)
		}
	}
}

// What was drawn last is what the terminal gets: drawing happens in Update, once
// a message.
func TestViewDrawsNothing(t *testing.T) {
	d := drive(t, small(), 100, 30)
	frame := d.m.View()
	d.m.note = "changed behind its back"
	if d.m.View() != frame {
		t.Error("View drew again")
	}
	d.send(tea.WindowSizeMsg{Width: 90, Height: 30})
	if d.m.View() == frame {
		t.Error("a message drew nothing")
	}
}
