package tui

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// View implements tea.Model. Update has drawn it.
func (m *model) View() string { return m.frame }

// render draws a line of tabs, banners, the screen or the dialogue over it, and
// a line of hints.
func (m *model) render() string {
	m.fresh = 0
	if m.w < 20 || m.h < 5 {
		return fit("too small", m.w)
	}
	lines := append([]string{m.drawTabs()}, m.banners()...)
	h := m.h - len(lines) - 1
	var body []string
	if len(m.over) > 0 {
		o := m.over[len(m.over)-1]
		body = append([]string{m.th.title.Render(fit(o.title(), m.w))}, o.draw(m, m.w, h-1)...)
	} else {
		body = m.here().draw(m.w, h)
	}
	lines = append(lines, area(body, m.w, h)...)
	return strings.Join(append(lines, m.footer()), "\n")
}

// brief are names of the screens for a narrow terminal.
var brief = map[string]string{"Market": "Mkt", "Directory": "Dir", "Network": "Net", "Playbooks": "Books"}

// tabs are the names of the screens with the columns at which they begin.
// Where they do not fit, all but the current one are shortened, and where that
// is not enough cut to their numbers.
func (m *model) tabs() (names []string, from []int) {
	for _, form := range []func(string) string{func(s string) string { return s + " " }, func(s string) string { return cmp.Or(brief[s], s) }, func(s string) string { return s[:2] }, func(string) string { return "" }} {
		names, from = nil, nil
		x := 0
		for i, s := range m.tabbed() {
			name := fmt.Sprintf(" %d %s", i, form(s.name()))
			switch i {
			case numbered:
				name = "[" + s.name() + "]"
			case m.cur:
				name = fmt.Sprintf("[%d %s]", i, s.name())
			}
			names, from = append(names, name), append(from, x)
			x += len([]rune(name))
		}
		if x+len([]rune(m.who()))+2 <= m.w {
			break
		}
	}
	return names, from
}

// tabbed are the screens with a number, and the current one if it has none.
func (m *model) tabbed() []screen {
	all := m.screens[:numbered:numbered]
	if m.cur >= numbered {
		all = append(all, m.here())
	}
	return all
}

func (m *model) drawTabs() string {
	names, from := m.tabs()
	var b strings.Builder
	used := 0
	for i, n := range names {
		style := m.th.bar
		if i == min(m.cur, numbered) {
			style = m.th.tab
		}
		b.WriteString(style.Render(n))
		used = from[i] + len([]rune(n))
	}
	return b.String() + m.th.bar.Render(right(m.who()+" ", m.w-used))
}

// who says as whom one is here, and what one holds.
func (m *model) who() string {
	if m.me == nil {
		return "not signed in"
	}
	if m.me.Kind == netkit.OperatorParty {
		return m.me.Slug + ", operator"
	}
	return m.me.Slug + " " + m.me.Balance.String() + " cr"
}

// banners are what must not be missed: no connection, and a crisis.
func (m *model) banners() []string {
	var out []string
	if !m.link.offline.IsZero() {
		age := "nothing was fetched yet"
		if at := m.here().state().at; !at.IsZero() {
			age = "this is " + m.ago(at) + " old"
		}
		out = append(out, m.th.warn.Render(fit(fmt.Sprintf("~ OFFLINE for %s: %s, next try in %s", m.ago(m.link.offline), age, m.span(m.link.next.Sub(m.cfg.Now()))), m.w)))
	}
	if n := len(m.crisis); n > 0 {
		text := "▲ P0 CRISIS: commercial contracts are suspended. " + line(m.crisis[0].Headline)
		if n > 1 {
			text = fmt.Sprintf("▲ %d P0 CRISES: commercial contracts are suspended. %s", n, line(m.crisis[0].Headline))
		}
		out = append(out, m.th.alarm.Render(fit(text, m.w)))
	}
	return out
}

// footer holds the filter while it is typed, else what happened, else hints.
func (m *model) footer() string {
	switch {
	case m.filter != nil:
		return fit("/"+m.filter.show(m.w-20)+"  enter asks the network, esc clears", m.w)
	case m.note != "":
		return m.th.on.Render(fit(line(m.note), m.w))
	case len(m.over) > 0:
		return m.th.dim.Render(fit("esc closes", m.w))
	}
	return m.th.dim.Render(fit(m.hints(), m.w))
}

// hints are the keys to know, as many as there is room for; ? lists all.
func (m *model) hints() (all string) {
	for _, c := range m.commands() {
		switch more := c.keys[0] + " " + c.hint; {
		case c.hint == "":
		case all == "":
			all = more
		case ansi.StringWidth(all+" · "+more) <= m.w:
			all += " · " + more
		}
	}
	return all
}

// mouse selects, opens and scrolls.
func (m *model) mouse(e tea.MouseMsg) tea.Cmd {
	switch {
	case len(m.over) > 0:
		return m.mouseOver(e)
	case e.Button == tea.MouseButtonWheelUp:
		return m.wheel(e.X, up)
	case e.Button == tea.MouseButtonWheelDown:
		return m.wheel(e.X, down)
	case e.Action != tea.MouseActionPress || e.Button != tea.MouseButtonLeft:
		return nil
	case e.Y == 0:
		return m.clickTab(e.X)
	}
	return m.here().click(e.Y - 1 - len(m.banners()))
}

// wheel scrolls what is under the mouse.
func (m *model) wheel(x int, n nav) tea.Cmd {
	if s, ok := m.here().(interface{ scrollSide(x int, n nav) bool }); ok && s.scrollSide(x, n) {
		return nil
	}
	return m.here().move(n)
}

// mouseOver scrolls a dialogue.
func (m *model) mouseOver(e tea.MouseMsg) tea.Cmd {
	top := m.over[len(m.over)-1]
	switch e.Button {
	case tea.MouseButtonWheelUp:
		return top.key(m, "up")
	case tea.MouseButtonWheelDown:
		return top.key(m, "down")
	}
	return nil
}

func (m *model) clickTab(x int) tea.Cmd {
	names, from := m.tabs()
	for i := range names {
		if i < numbered && x >= from[i] && x < from[i]+len([]rune(names[i])) {
			return m.show(i)
		}
	}
	return nil
}

// plain says an error without the name of the package that it comes from.
func plain(err error) string {
	var r *netkit.Refusal
	if errors.As(err, &r) {
		s := r.What
		if r.Field != "" {
			s = r.Field + " " + s
		}
		if r.Law != "" {
			s += " (" + r.Law + ")"
		}
		if r.Next != "" {
			s += "; " + catalog.Advise(r.Next, catalog.CommandLine)
		}
		return line(s)
	}
	s := err.Error()
	for _, p := range []string{"netclient: ", "netkit: ", "tui: "} {
		s = strings.TrimPrefix(s, p)
	}
	return line(s)
}
