package tui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// A key and the frame after it, with a full window of a market of 100,000.
func BenchmarkKeyToFrame(b *testing.B) {
	t := &testing.T{}
	d := drive(t, many(100_000), 200, 50)
	d.press("2", "G", "G", "G", "G")
	keys := []tea.KeyMsg{{Type: tea.KeyUp}, {Type: tea.KeyDown}}
	for i := 0; b.Loop(); i++ {
		d.m.Update(keys[i%2])
		d.m.View()
	}
}
