package tui

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"github.com/agentnet/netctl/netkit"
)

// twoPanes is the width from which a preview stands beside the list. On a
// narrower screen the list has all of it, and enter opens the preview.
const twoPanes = 100

// draw shows head, rows and preview, or what there is instead of them.
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

// leastGrown is how many cells the column that grows has at least, if others
// can be left out for it.
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
// tells what is left for the one that grows.
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

// trouble tells that the last fetching failed while older rows are shown.
func (l *list[T]) trouble(w int) string {
	if l.st.err == nil || l.m.cfg.Unreachable(l.st.err) {
		return ""
	}
	return l.m.th.bad.Render(fit("! not reloaded: "+plain(l.st.err), w))
}

// instead is what stands where rows would.
func (l *list[T]) instead(w int) []string {
	return l.m.instead(&l.st, w, func() string {
		if l.query.typed != "" || l.typed != "" {
			further := ""
			if l.win.next != "" {
				further = " down looks further,"
			}
			return fmt.Sprintf("Nothing matches %q among %d looked through:%s esc shows all.", line(cmp.Or(l.typed, l.query.typed)), l.win.total, further)
		}
		return l.empty
	})
}

// instead tells loading, offline, refused and empty apart.
func (m *model) instead(st *fetched, w int, empty func() string) []string {
	say := func(style lipgloss.Style, texts ...string) []string {
		out := []string{""}
		for _, t := range texts {
			for _, s := range wrap(t, w-4) {
				out = append(out, "  "+style.Render(s))
			}
		}
		return out
	}
	switch {
	case st.err != nil && m.cfg.Unreachable(st.err):
		return say(m.th.warn, "Offline: the network cannot be reached.", "It retries by itself; ctrl+r retries now.", plain(st.err))
	case errors.Is(st.err, netkit.ErrUnauthenticated):
		return say(m.th.warn, "Sign in to see this.", ":login signs in, and :agent spawn makes an agent.")
	case st.err != nil:
		return say(m.th.bad, "Error: "+plain(st.err), "Press ctrl+r to try again.")
	case st.at.IsZero():
		return say(m.th.dim, "Loading …")
	}
	return say(m.th.dim, empty())
}

// position tells where in the list the selection is and how it was narrowed.
func (l *list[T]) position() string {
	more := ""
	if l.win.next != "" {
		more = "+"
	}
	before := ""
	if l.win.lo > 0 {
		before = "…"
	}
	s := fmt.Sprintf("  %s%d of %d%s", before, l.sel+1, len(l.rows), more)
	if l.query.typed != "" {
		s += " matching " + line(l.query.typed)
	}
	if l.sortBy >= 0 {
		s += ", sorted by " + strings.ToLower(l.columns[l.sortBy].name)
	}
	if l.above > 0 {
		s += fmt.Sprintf(" · ↑ %d new", l.above)
	}
	if l.st.loading {
		s += " …"
	}
	if l.open {
		s += " · esc: back to the rows"
	}
	return s
}

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

// stretch is as much of some lines as there is room for, from where they were
// scrolled to, and says on its last line when more follow.
func (m *model) stretch(lines []string, scroll *int, w, h int) []string {
	*scroll = max(0, min(*scroll, len(lines)-h))
	end := min(len(lines), *scroll+h)
	out := slices.Clone(lines[*scroll:end])
	if more := len(lines) - end; more > 0 && len(out) > 1 {
		out[len(out)-1] = m.th.dim.Render(fit(fmt.Sprintf("↓ %d more lines", more+1), w))
	}
	return out
}

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

// scrollSide scrolls the preview if that is what stands at a column.
func (l *list[T]) scrollSide(x int, n nav) bool {
	if l.preview == nil || l.m.w < twoPanes || x < l.m.w*3/5 {
		return false
	}
	l.scroll = max(0, l.scroll+map[nav]int{up: -3, down: 3}[n])
	return true
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

// span says a duration in its largest units.
func span(d time.Duration) string {
	switch {
	case d < 0:
		return "0 s"
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min %02d s", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d d %02d h", int(d.Hours())/24, int(d.Hours())%24)
}

// unit is the smallest one in which span says a duration.
func unit(d time.Duration) time.Duration {
	switch {
	case d < time.Hour:
		return time.Second
	case d < 48*time.Hour:
		return time.Minute
	}
	return time.Hour
}
