package tui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// A key and the frame after it, on a market of 100,000 contracts at 200×50
// with a full window: going to another row, typing a filter that narrows the
// window, and sorting it.
//
//	go test ./tui -run '^$' -bench KeyToFrame
func BenchmarkKeyToFrame(b *testing.B) {
	rune := func(r rune) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}} }
	for name, keys := range map[string][]tea.KeyMsg{
		"row":    {{Type: tea.KeyUp}, {Type: tea.KeyDown}},
		"filter": {rune('/'), rune('c'), rune('o'), rune('n'), {Type: tea.KeyBackspace}, {Type: tea.KeyBackspace}, {Type: tea.KeyBackspace}},
		"sort":   {rune('>'), rune('R')},
	} {
		b.Run(name, func(b *testing.B) {
			d := drive(&testing.T{}, many(100_000), 200, 50)
			d.press("2", "G", "G", "G", "G")
			for i := 0; b.Loop(); i++ {
				d.m.Update(keys[i%len(keys)])
				d.m.View()
			}
		})
	}
}
