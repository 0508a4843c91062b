package tui

import (
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// chooser lists commands and runs the chosen one. As the help it also runs the
// command of a key that is pressed; as the palette keys are typed into a name,
// and what may stand behind the name is completed from the network.
type chooser struct {
	head  string
	all   []command
	typed *input // nil in the help
	sel   int

	kind  string  // of argument that offers are for
	offer []offer // nil until they are there
}

func (m *model) openHelp() tea.Cmd {
	m.push(&chooser{head: "Help: keys on " + m.here().name() + ". enter runs the marked one, or press its key", all: m.commands()})
	return nil
}

func (m *model) openPalette() tea.Cmd {
	m.push(&chooser{head: "Commands: type words or a part of a name; tab completes, enter runs", all: append(m.commands(), m.verbs()...), typed: newInput("")})
	return nil
}

func (c *chooser) title() string { return c.head }

// typedCommand is the command whose whole name was typed, and the words after it;
// nil while none was. Of several the longest name counts.
func (c *chooser) typedCommand() (found *command, args []string) {
	if c.typed == nil {
		return nil, nil
	}
	text := strings.ToLower(c.typed.text())
	for i := range c.all {
		k := &c.all[i]
		if k.with != nil && strings.HasPrefix(text, k.name+" ") && (found == nil || len(k.name) > len(found.name)) {
			found, args = k, strings.Fields(c.typed.text()[len(k.name):])
		}
	}
	return found, args
}

// wanted is the argument that is being typed: its kind, and what there is of it.
func (c *chooser) wanted() (kind, word string) {
	k, args := c.typedCommand()
	if k == nil || len(k.args) == 0 {
		return "", ""
	}
	n := len(args)
	if n > 0 && !strings.HasSuffix(c.typed.text(), " ") {
		n--
		word = args[n]
	}
	if last := len(k.args) - 1; n > last {
		if !strings.HasSuffix(k.args[last], "...") {
			return "", ""
		}
		n = last
	}
	return k.args[n], word
}

// found are the commands that what was typed leaves, or what may be typed next.
// Names that begin with what was typed come first.
func (c *chooser) found() []command {
	if c.typed == nil {
		return c.all
	}
	if k, args := c.typedCommand(); k != nil {
		return c.completions(k, args)
	}
	text := strings.ToLower(strings.TrimSpace(c.typed.text()))
	var begin, rest []command
	for _, k := range c.all {
		switch words := strings.ToLower(k.name + " " + k.help); {
		case strings.HasPrefix(strings.ToLower(k.name), text):
			begin = append(begin, k)
		case containsAll(words, text):
			rest = append(rest, k)
		}
	}
	return append(begin, rest...)
}

// completions are a command with what may be its next word.
func (c *chooser) completions(k *command, args []string) (out []command) {
	kind, word := c.wanted()
	if kind != "" && word != "" {
		args = args[:len(args)-1]
	}
	if word != "" || kind == "" || !k.needs || len(args) > 0 {
		out = append(out, *k)
	}
	for _, o := range c.offer {
		if kind == "" || c.kind != kind || word == "" && len(out) > maxOffers {
			break
		}
		if o.id != word && (strings.HasPrefix(o.id, word) || word != "" && containsAll(strings.ToLower(o.title), word)) {
			words := strings.Join(append(append([]string{k.name}, args...), o.id), " ")
			out = append(out, command{name: words, help: line(o.title), completes: words})
		}
	}
	return out
}

// maxOffers is how many are listed while nothing of a word was typed.
const maxOffers = 50

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
		lines = append(lines, m.th.dim.Render("  nothing is called that"))
	}
	return lines
}

func (c *chooser) row(m *model, k *command, chosen bool, w int) string {
	text := fit(k.usage(), 34) + " " + k.help
	switch {
	case c.typed == nil && w < 70:
		text = fit(k.keys[0], 10) + k.help
	case c.typed == nil:
		text = fit(k.name, 17) + " " + fit(k.keyName(), 19) + " " + k.help
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
			return c.run(m, &found[c.sel])
		}
	case "tab":
		if c.typed != nil && c.sel < len(found) {
			c.complete(&found[c.sel])
		}
	case "up", "ctrl+p":
		c.sel = max(0, c.sel-1)
	case "down", "ctrl+n":
		c.sel = max(0, min(c.sel+1, len(found)-1))
	default:
		return c.other(m, name)
	}
	return c.fetch(m)
}

// complete types the rest of the chosen line.
func (c *chooser) complete(k *command) {
	text := k.name + " "
	if k.completes != "" {
		text = k.completes
		if !strings.HasSuffix(text, ":") {
			text += " "
		}
	} else if typed, args := c.typedCommand(); typed != nil && len(args) > 0 {
		return // it is complete
	}
	c.typed, c.sel = newInput(text), 0
}

// run runs the chosen line. One that lacks an argument is completed instead.
func (c *chooser) run(m *model, k *command) tea.Cmd {
	if k.completes != "" {
		c.complete(k)
		if next, _ := c.wanted(); next != "" || strings.HasSuffix(c.typed.text(), ":") {
			return c.fetch(m)
		}
	}
	typed, args := c.typedCommand()
	switch {
	case k.with == nil && k.completes == "":
		m.pop()
		return k.run(m)
	case typed == nil && k.needs:
		c.complete(k)
		return c.fetch(m)
	case typed == nil:
		typed = k
	case typed.needs && len(args) == 0:
		return nil
	}
	m.pop()
	return typed.with(m, args)
}

// fetch asks the network what the argument that is being typed may be.
func (c *chooser) fetch(m *model) tea.Cmd {
	kind, _ := c.wanted()
	if kind == c.kind || kind == "" {
		return nil
	}
	c.kind, c.offer = kind, nil
	return m.call(func(ctx context.Context) done {
		all, err := m.offers(ctx, kind)
		return func(m *model) tea.Cmd {
			if err == nil && kind == c.kind && slices.Contains(m.over, overlay(c)) {
				c.offer = all
			}
			return nil // what cannot be completed can be typed
		}
	})
}

// other is a key that does not steer the list.
func (c *chooser) other(m *model, name string) tea.Cmd {
	if c.typed != nil {
		c.typed.key(name)
		c.sel = 0
		return c.fetch(m)
	}
	for _, cmd := range c.all {
		if cmd.takes(name) {
			m.pop()
			return cmd.run(m)
		}
	}
	return nil
}
