package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// command is one thing that can be done. Keys, help, palette, hints and the
// dialogue of lines all come from the same list of them.
type command struct {
	name string // in the palette and the dialogue
	keys []string
	help string
	hint string // in the footer, "" leaves it out
	run  func(*model) tea.Cmd

	// A verb of netctl takes arguments, which are typed behind its name.
	args      []string
	needs     bool // at least the first of them
	with      func(*model, []string) tea.Cmd
	completes string // in the palette: text that this line stands for
}

// usage is the command as one types it.
func (c *command) usage() string { return strings.Join(append([]string{c.name}, c.args...), " ") }

func (c *command) takes(key string) bool { return slices.Contains(c.keys, key) }

// lister is what commands ask of a screen that is a list.
type lister interface {
	sortStep(int)
	reverse()
	preset() string
	try(string)
	apply(string) tea.Cmd
	options() []facet
}

// actor is a screen with commands of its own.
type actor interface{ acts() []command }

// commands are those that can be given now, the screen's own first.
func (m *model) commands() []command {
	var all []command
	if a, ok := m.here().(actor); ok {
		all = a.acts()
	}
	if l, ok := m.here().(lister); ok {
		all = append(all, listing(l)...)
	}
	all = append(all, general()...)
	for i, s := range m.screens {
		all = append(all, command{name: s.name(), keys: keysOf(i), help: "go to " + s.name(), run: func(m *model) tea.Cmd { return m.show(i) }})
	}
	return all
}

// keysOf are the keys of a screen: its number, or else a letter.
func keysOf(i int) []string {
	if i < numbered {
		return []string{strconv.Itoa(i)}
	}
	return []string{"LNPCWTF"[i-numbered : i-numbered+1]}
}

// general are the commands of every screen.
func general() []command {
	return []command{
		{name: "help", keys: []string{"?"}, help: "list the keys and run one", hint: "help", run: (*model).openHelp},
		{name: "palette", keys: []string{":"}, help: "find a command by its name", hint: "commands", run: (*model).openPalette},
		{name: "quit", keys: []string{"q", "ctrl+c"}, help: "quit netctl", hint: "quit", run: (*model).quit},
		{name: "share", keys: []string{"c"}, help: "show and copy this as a netctl and a curl command", hint: "as command", run: (*model).share},
		{name: "browser", keys: []string{"o"}, help: "open this in the browser", run: (*model).browse},
		{name: "reload", keys: []string{"ctrl+r", "f5"}, help: "reload what is shown", run: (*model).reload},
		{name: "next screen", keys: []string{"tab", "right", "l"}, help: "go to the next screen", run: func(m *model) tea.Cmd { return m.show((m.cur + 1) % len(m.screens)) }},
		{name: "previous screen", keys: []string{"shift+tab", "left", "h"}, help: "go to the previous screen", run: func(m *model) tea.Cmd { return m.show((m.cur + len(m.screens) - 1) % len(m.screens)) }},
		{name: "up", keys: []string{"up", "k"}, help: "one row up", run: moves(up)},
		{name: "down", keys: []string{"down", "j"}, help: "one row down", run: moves(down)},
		{name: "page up", keys: []string{"pgup", "ctrl+b", "ctrl+u"}, help: "one screen up", run: moves(pageUp)},
		{name: "page down", keys: []string{"pgdown", "ctrl+f", "ctrl+d", " "}, help: "one screen down", run: moves(pageDown)},
		{name: "top", keys: []string{"home", "g"}, help: "to the first row", run: moves(first)},
		{name: "bottom", keys: []string{"end", "G"}, help: "to the last row loaded", run: moves(last)},
		{name: "open", keys: []string{"enter"}, help: "open the row", run: moves(openRow)},
		{name: "back", keys: []string{"esc", "backspace"}, help: "return to the list", run: moves(closeRow)},
	}
}

func moves(n nav) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd { return m.here().move(n) }
}

// listing are the commands of lists.
func listing(l lister) []command {
	facets := ""
	for _, f := range l.options() {
		facets += " " + f.name + ":…"
	}
	if facets != "" {
		facets = ";" + facets + " ask the network"
	}
	return []command{
		{name: "filter", keys: []string{"/"}, help: "show only rows with these words" + facets, hint: "filter", run: (*model).openFilter},
		{name: "sort by next", keys: []string{">"}, help: "sort the loaded rows by the next column", run: sorts(1)},
		{name: "sort by previous", keys: []string{"<"}, help: "sort the loaded rows by the previous column", run: sorts(-1)},
		{name: "reverse", keys: []string{"R"}, help: "reverse the order", run: func(m *model) tea.Cmd { l.reverse(); return nil }},
	}
}

func sorts(step int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		if l, ok := m.here().(lister); ok {
			l.sortStep(step)
		}
		return nil
	}
}

func (m *model) reload() tea.Cmd {
	if !m.link.offline.IsZero() {
		m.link.tries = 0
	}
	cmds := []tea.Cmd{m.loadOwn(), m.here().load()}
	if m.law == nil {
		cmds = append(cmds, m.loadLaw())
	}
	return tea.Batch(cmds...)
}

func (m *model) openFilter() tea.Cmd {
	if l, ok := m.here().(lister); ok {
		m.filter = newInput(l.preset())
	}
	return nil
}

// filterKey edits the filter, and asks the network when enter ends it.
func (m *model) filterKey(name string) tea.Cmd {
	l := m.here().(lister)
	switch name {
	case "enter":
		text := m.filter.text()
		m.filter = nil
		return l.apply(text)
	case "esc":
		m.filter = nil
		l.try("")
		if l.preset() != "" {
			return l.apply("")
		}
		return nil
	}
	m.filter.key(name)
	l.try(m.filter.text())
	return nil
}

// keyName is how a command's keys are written for people.
func (c *command) keyName() string {
	s := ""
	for i, k := range c.keys {
		if k == " " {
			k = "space"
		}
		if i > 0 {
			s += ", "
		}
		s += k
	}
	return s
}

func (c *command) String() string { return fmt.Sprintf("%-16s %s", c.keyName(), c.help) }
