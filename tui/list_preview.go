package tui

import (
	"fmt"
	"slices"
)

func (l *list[T]) drawPreview(w, h int) []string {
	row := l.row()
	if row == nil {
		return nil
	}
	lines := l.preview(*row, w)
	if l.spoken != nil {
		if i := l.spoken(); i >= 0 && (i < l.scroll || i >= l.scroll+h-2) {
			l.scroll = i - h/3
		}
	}
	return l.m.stretch(lines, &l.scroll, w, h)
}

// stretch returns the lines that there is room for, from where they were scrolled
// to; its last line counts those that follow.
func (m *model) stretch(lines []string, scroll *int, w, h int) []string {
	*scroll = max(0, min(*scroll, len(lines)-h))
	end := min(len(lines), *scroll+h)
	out := slices.Clone(lines[*scroll:end])
	if more := len(lines) - end; more > 0 && len(out) > 1 {
		out[len(out)-1] = m.th.dim.Render(fit(fmt.Sprintf("↓ %d more lines", more+1), w))
	}
	return out
}

// scrollSide scrolls the preview if it covers a column of the screen.
func (l *list[T]) scrollSide(x int, n nav) bool {
	if l.preview == nil || l.m.w < twoPanes || x < l.m.w*3/5 {
		return false
	}
	l.scroll = max(0, l.scroll+map[nav]int{up: -3, down: 3}[n])
	return true
}
