package tui

import "strings"

// leastGrown is the least width of the column that grows, in cells, if others can
// be left out for it.
const leastGrown = 12

// widths gives each column its cells; 0 leaves it out. Those that need the
// widest list are left out first.
func (l *list[T]) widths(w int) []int {
	for limit := w; ; {
		out, left := l.shares(w, limit)
		dear := 0
		for i, cw := range out {
			if cw > 0 {
				dear = max(dear, l.columns[i].least)
			}
		}
		if left >= leastGrown || dear == 0 {
			return out
		}
		limit = dear - 1
	}
}

// shares gives cells to the columns that need no wider list than a limit, and
// returns the rest, for the one that grows.
func (l *list[T]) shares(w, limit int) (out []int, left int) {
	out, left = make([]int, len(l.columns)), w-2
	grow := -1
	for i := range l.columns {
		c := &l.columns[i]
		switch {
		case limit < c.least:
		case c.width == 0:
			grow = i
			left--
		default:
			out[i] = c.width
			left -= c.width + 1
		}
	}
	if grow < 0 {
		return out, leastGrown
	}
	out[grow] = max(1, left)
	return out, left
}

func (l *list[T]) heading(w int) string {
	var b strings.Builder
	b.WriteString("  ")
	for i, cw := range l.widths(w) {
		name := l.columns[i].name
		if i == l.sortBy {
			name += map[bool]string{false: "↑", true: "↓"}[l.desc]
		}
		b.WriteString(cell(name, cw, l.columns[i].right))
	}
	return b.String()
}

func cell(s string, w int, toRight bool) string {
	switch {
	case w == 0:
		return ""
	case toRight:
		return right(s, w) + " "
	}
	return fit(s, w) + " "
}
