package tui

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/agentnet/netctl/netkit"
)

// trouble returns the error of the last fetch while older rows are shown, else "".
func (l *list[T]) trouble(w int) string {
	if l.st.err == nil || l.m.cfg.Unreachable(l.st.err) {
		return ""
	}
	return l.m.th.bad.Render(fit("! not reloaded: "+plain(l.st.err), w))
}

// instead returns the lines that are shown in place of rows.
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

// instead returns the lines of a screen without content: loading, offline, refused
// or empty.
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

// position names the place of the selection in the list, and how it was narrowed.
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
