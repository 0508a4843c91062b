package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// form asks for several texts and then does something with them.
type form struct {
	head   string
	of     uint64 // what it is about, where forms of the same head differ by it
	fields []*field
	begun  []string // texts that it was opened with
	at     int
	send   func(m *model, f *form) (tea.Cmd, error) // an error stays in the form
	err    string
	idem   string // idempotency key of what it sends: sent again, it counts once
}

// purchase is the key of what the form sends, the same as long as it is open.
func (f *form) purchase(m *model) string {
	if f.idem == "" {
		f.idem = m.newKey()
	}
	return f.idem
}

// texts are what its fields hold.
func (f *form) texts() (all []string) {
	for _, x := range f.fields {
		all = append(all, x.in.text())
	}
	return all
}

// place tells forms apart by what they are for.
type place struct {
	head string
	of   uint64
}

// openForm opens a form. One that was left with words in it comes back with them,
// and with the key of its purchase.
func (m *model) openForm(f *form) {
	f.begun = f.texts()
	if old := m.left[place{f.head, f.of}]; old != nil {
		delete(m.left, place{f.head, f.of})
		f.fields, f.at, f.begun, f.idem = old.fields, old.at, old.begun, old.idem
		m.note = "what you wrote is back"
	}
	m.push(f)
}

// leave closes the form and keeps what was written in it.
func (f *form) leave(m *model) {
	m.pop()
	if !slices.Equal(f.texts(), f.begun) {
		m.left[place{f.head, f.of}] = f
		m.note = "closed; open it again and what you wrote is back"
	}
}

// field is one of a form's. With choices it holds one of them, or with several
// any of them with spaces between.
type field struct {
	label, hint string
	in          *input
	long        bool // several lines: enter begins a new one
	choices     []string
	several     bool
}

func newField(label, hint, value string) *field {
	return &field{label: label, hint: hint, in: newInput(value)}
}

func chosen(label, hint, value string, choices ...string) *field {
	return &field{label: label, hint: hint, in: newInput(value), choices: choices}
}

func (f *field) text() string { return strings.TrimSpace(f.in.text()) }

// value is the text of the field of a label.
func (f *form) value(label string) string {
	for _, x := range f.fields {
		if x.label == label {
			return x.text()
		}
	}
	return ""
}

func (f *form) title() string { return f.head }

func (f *form) draw(m *model, w, h int) []string {
	var lines []string
	begin := 0
	for i, x := range f.fields {
		if i == f.at {
			begin = len(lines)
		}
		lines = append(lines, x.draw(m, i == f.at, w)...)
	}
	foot := []string{m.th.dim.Render(fit("  tab next field · ctrl+s goes on · esc leaves", w))}
	if f.err != "" {
		foot = append([]string{m.th.bad.Render(fit("  ! "+f.err, w))}, foot...)
	}
	room := max(1, h-len(foot))
	from := max(0, min(begin-room/3, len(lines)-room))
	return append(area(lines[from:min(len(lines), from+room)], w, room), foot...)
}

func (x *field) draw(m *model, active bool, w int) []string {
	mark := "  "
	if active {
		mark = "> "
	}
	lines := []string{m.th.title.Render(mark+x.label) + m.th.dim.Render("  "+x.hint)}
	switch {
	case len(x.choices) > 0:
		return append(lines, fit("    "+x.drawChoices(), w))
	case x.long && active:
		s := string(x.in.runes[:x.in.at]) + "▏" + string(x.in.runes[x.in.at:])
		for _, part := range wrap(s, w-6) {
			lines = append(lines, "    "+part)
		}
		return lines
	case active:
		return append(lines, "    "+x.in.show(w-6))
	}
	return append(lines, fit("    "+line(x.in.text()), w))
}

// drawChoices marks what is chosen by brackets, so that no colour is needed.
func (x *field) drawChoices() string {
	var b strings.Builder
	for _, c := range x.choices {
		if x.holds(c) {
			b.WriteString("[" + c + "] ")
		} else {
			b.WriteString(" " + c + "  ")
		}
	}
	return b.String()
}

func (x *field) holds(choice string) bool {
	if !x.several {
		return x.text() == choice
	}
	for _, c := range strings.Fields(x.text()) {
		if c == choice {
			return true
		}
	}
	return false
}

// write puts text into the field; where there are choices, each letter is a key.
func (f *form) write(text []rune) bool {
	switch x := f.fields[f.at]; {
	case len(x.choices) > 0:
		for _, r := range text {
			x.choose(string(r))
		}
	case x.long:
		x.in.insert(text)
	default:
		x.in.insertLine(text)
	}
	return true
}

func (f *form) key(m *model, name string) tea.Cmd {
	x := f.fields[f.at]
	switch {
	case name == "esc":
		f.leave(m)
	case name == "ctrl+s" || name == "enter" && !x.long && f.at == len(f.fields)-1:
		return f.submit(m)
	case name == "tab" || name == "down" && !x.long || name == "enter" && !x.long:
		f.at = (f.at + 1) % len(f.fields)
	case name == "shift+tab" || name == "up" && !x.long:
		f.at = (f.at + len(f.fields) - 1) % len(f.fields)
	case name == "enter":
		x.in.insert([]rune{'\n'})
	case len(x.choices) > 0:
		x.choose(name)
	default:
		x.in.key(name)
	}
	return nil
}

// submit hands the texts over; the form stays open on an error.
func (f *form) submit(m *model) tea.Cmd {
	cmd, err := f.send(m, f)
	if f.err = ""; err != nil {
		f.err = plain(err)
	}
	return cmd
}

// choose goes to the next choice; of several, a digit turns one on or off.
func (x *field) choose(key string) {
	if x.several {
		if i := strings.Index("123456789", key); i >= 0 && len(key) == 1 && i < len(x.choices) {
			x.toggle(x.choices[i])
		}
		return
	}
	i := 0
	for k, c := range x.choices {
		if c == x.text() {
			i = k
		}
	}
	switch key {
	case "left":
		i += len(x.choices) - 1
	case "right", " ":
		i++
	default:
		return
	}
	x.in = newInput(x.choices[i%len(x.choices)])
}

func (x *field) toggle(choice string) {
	var out []string
	for _, c := range x.choices {
		if x.holds(c) != (c == choice) {
			out = append(out, c)
		}
	}
	x.in = newInput(strings.Join(out, " "))
}
