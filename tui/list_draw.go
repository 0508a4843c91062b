package tui

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// twoPanes is the width from which list and preview share the screen. On a
// narrower one the list has all of it, and enter opens the preview.
const twoPanes = 100

// draw shows head, rows and preview, or the reason why rows are missing.
func (l *list[T]) draw(w, h int) []string {
	if l.preview != nil && l.open && w < twoPanes {
		return l.drawPreview(w, h)
	}
	left := w
	if l.preview != nil && w >= twoPanes {
		left = w * 3 / 5
	}
	lines := l.drawList(left, h)
	if left == w {
		return lines
	}
	side, out := l.drawPreview(w-left-2, h), make([]string, 0, h)
	wall := l.m.th.dim.Render("│")
	if l.open {
		wall = l.m.th.on.Render("┃") // keys scroll this side
	}
	for i := range h {
		out = append(out, fit(at(lines, i), left)+wall+" "+at(side, i))
	}
	return out
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

func (l *list[T]) drawList(w, h int) []string {
	var lines []string
	if l.head != nil {
		lines = l.head(w, h)
	}
	if s := l.trouble(w); s != "" && l.rows != nil {
		lines = append(lines, s)
	}
	lines = append(lines, l.m.th.dim.Render(fit(l.heading(w), w)))
	l.rowsAt = len(lines)
	l.height = max(1, h-len(lines)-1)
	if len(l.rows) == 0 {
		l.rowsAt = h
		return append(lines, l.instead(w)...)
	}
	l.top = max(0, min(l.top, l.sel), l.sel-l.height+1)
	l.top = min(l.top, max(0, len(l.rows)-l.height))
	l.above = min(l.above, l.top)
	for i := l.top; i < min(len(l.rows), l.top+l.height); i++ {
		lines = append(lines, l.drawRow(i, w))
	}
	for len(lines) < h-1 {
		lines = append(lines, "")
	}
	return append(lines, l.m.th.dim.Render(fit(l.position(), w)))
}

func (l *list[T]) drawRow(i, w int) string {
	var b strings.Builder
	style := l.style(i)
	b.WriteString("  ")
	if i == l.sel {
		b.Reset()
		b.WriteString("> ")
	}
	for k, cw := range l.widths(w) {
		if cw > 0 {
			b.WriteString(cell(line(l.columns[k].text(l.rows[i])), cw, l.columns[k].right))
		}
	}
	return style.Render(fit(b.String(), w))
}

func (l *list[T]) style(i int) lipgloss.Style {
	if i == l.sel {
		return l.m.th.chosen
	}
	if l.tone != nil {
		if s := l.tone(l.rows[i]); s != nil {
			return *s
		}
	}
	return lipgloss.NewStyle()
}
