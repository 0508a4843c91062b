package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// chooser lists commands and runs the chosen one. As the help it also runs the
// command of a key that is pressed; as the palette keys are typed into a name.
type chooser struct {
	head  string
	all   []command
	typed *input // nil in the help
	sel   int
}

func (m *model) openHelp() tea.Cmd {
	m.push(&chooser{head: "Help: keys on " + m.here().name() + ". enter runs the marked one, or press its key", all: m.commands()})
	return nil
}

func (m *model) openPalette() tea.Cmd {
	m.push(&chooser{head: "Commands: type a part of the name, enter runs it", all: m.commands(), typed: newInput("")})
	return nil
}

func (c *chooser) title() string { return c.head }

// found are the commands that what was typed leaves.
func (c *chooser) found() []command {
	if c.typed == nil {
		return c.all
	}
	var out []command
	for _, k := range c.all {
		if words := strings.ToLower(k.name + " " + k.help); containsAll(words, c.typed.text()) {
			out = append(out, k)
		}
	}
	return out
}

func containsAll(s, words string) bool {
	for _, w := range strings.Fields(strings.ToLower(words)) {
		if !strings.Contains(s, w) {
			return false
		}
	}
	return true
}

func (c *chooser) draw(m *model, w, h int) []string {
	var lines []string
	if c.typed != nil {
		lines = append(lines, ":"+c.typed.show(w-2))
	}
	found := c.found()
	room := max(1, h-len(lines))
	from := max(0, c.sel-room+1)
	for i := from; i < min(len(found), from+room); i++ {
		lines = append(lines, c.row(m, &found[i], i == c.sel, w))
	}
	if len(found) == 0 {
		lines = append(lines, m.th.dim.Render("  no command is called that"))
	}
	return lines
}

func (c *chooser) row(m *model, k *command, chosen bool, w int) string {
	text := fit(k.name, 17) + " " + fit(k.keyName(), 19) + " " + k.help
	if w < 70 {
		text = fit(k.keys[0], 10) + k.help
	}
	if chosen {
		return m.th.chosen.Render(fit("> "+text, w))
	}
	return fit("  "+text, w)
}

// write types into the name that the palette looks for.
func (c *chooser) write(text []rune) bool {
	if c.typed == nil {
		return false
	}
	c.typed.insertLine(text)
	c.sel = 0
	return true
}

func (c *chooser) key(m *model, name string) tea.Cmd {
	found := c.found()
	switch name {
	case "esc":
		m.pop()
	case "enter":
		if c.sel < len(found) {
			m.pop()
			return found[c.sel].run(m)
		}
	case "up", "ctrl+p":
		c.sel = max(0, c.sel-1)
	case "down", "ctrl+n":
		c.sel = max(0, min(c.sel+1, len(found)-1))
	default:
		return c.other(m, name)
	}
	return nil
}

// other is a key that does not steer the list.
func (c *chooser) other(m *model, name string) tea.Cmd {
	if c.typed != nil {
		c.typed.key(name)
		c.sel = 0
		return nil
	}
	for _, cmd := range c.all {
		if cmd.takes(name) {
			m.pop()
			return cmd.run(m)
		}
	}
	return nil
}
