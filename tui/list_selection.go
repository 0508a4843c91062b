package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
)

// move goes to another row, or scrolls the preview once that was opened.
func (l *list[T]) move(n nav) tea.Cmd {
	page := l.height
	if l.open {
		page = 10
	}
	step := map[nav]int{up: -1, down: 1, pageUp: -page, pageDown: page, first: -1 << 20, last: 1 << 20}[n]
	switch {
	case n == openRow && l.choose != nil && l.row() != nil:
		return l.choose(*l.row())
	case n == openRow:
		l.open, l.scroll = l.row() != nil && l.preview != nil, 0
	case n == closeRow && !l.open && l.query.typed != "":
		return l.apply("")
	case n == closeRow:
		l.open = false
	case l.open:
		l.scroll = max(0, l.scroll+step)
	default:
		l.sel, l.scroll = max(0, min(l.sel+step, len(l.rows)-1)), 0
		return l.edge()
	}
	return nil
}

// click selects a row; on the selected row it opens it.
func (l *list[T]) click(y int) tea.Cmd {
	i := l.top + y - l.rowsAt
	if y < l.rowsAt || i >= len(l.rows) || l.open && l.m.w < twoPanes {
		return nil
	}
	if i == l.sel {
		return l.move(openRow)
	}
	l.sel, l.scroll = i, 0
	return l.edge()
}

// edge fetches the neighbouring page when the selection comes near an end.
func (l *list[T]) edge() tea.Cmd {
	if l.st.loading {
		return nil
	}
	switch {
	case l.sel >= len(l.rows)-10 && l.win.next != "":
		l.win.looked = 0
		return l.more()
	case l.sel < 10 && l.win.lo > 0:
		return l.ask(l.win.before(), func(page netkit.List[T], keep []T) tea.Cmd { l.win.prepend(page, keep); return nil })
	}
	return nil
}

// follows reports whether the newest row stays selected as others come.
func (l *list[T]) follows() bool { return l.tail && l.sel == 0 && !l.open }

// keep remembers which row is selected, restore finds it again.
func (l *list[T]) keep() string {
	if row := l.row(); row != nil && !l.follows() {
		return l.id(*row)
	}
	return ""
}

func (l *list[T]) restore(id string) {
	if i := slices.IndexFunc(l.rows, func(it T) bool { return l.id(it) == id }); id != "" && i >= 0 {
		l.top += i - l.sel
		l.sel = i
	}
}

// row returns the selected row, nil without any.
func (l *list[T]) row() *T {
	if l.sel < 0 || l.sel >= len(l.rows) {
		return nil
	}
	return &l.rows[l.sel]
}
