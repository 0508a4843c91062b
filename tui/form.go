package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/agentnet/netctl/tui/internal/fields"
)

// form asks for several texts and then does something with them.
type form struct {
	head   string
	at     string // tells forms of the same head apart; may be ""
	fields []*field
	begun  []string // texts that it was opened with
	sel    int
	send   func(m *model, f *form) (tea.Cmd, error) // an error stays in the form
	err    string
	idem   string // idempotency key of what it sends: sent again, it counts once

	beside func(w int) []string // what there is to read while one writes; may be nil
	side   int                  // how far that is scrolled
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

// openForm opens a form. One that was left with words in it comes back with them,
// and with the key of its purchase.
func (m *model) openForm(f *form) {
	f.begun = f.texts()
	if old := m.left[f.head+f.at]; old != nil {
		delete(m.left, f.head+f.at)
		f.fields, f.sel, f.begun, f.idem = old.fields, old.sel, old.begun, old.idem
		m.note = "your text from before is back"
	}
	m.push(f)
}

// leave closes the form and keeps what was written in it.
func (f *form) leave(m *model) {
	m.pop()
	for _, x := range f.fields {
		if x.secret {
			x.in = newInput("")
		}
	}
	if !slices.Equal(f.texts(), f.begun) {
		m.left[f.head+f.at] = f
		m.note = "closed; your text is kept until you open it again"
	}
}

// field is one of a form's, with what is being written in it.
type field struct {
	*fields.Field
	in      *input
	seen    bool   // was left once: what it lacks is said from then on
	refused string // what the network said of the text that it had
	secret  bool   // is not shown
}

func newField(label, hint, value string) *field {
	return &field{Field: fields.Plain(label, hint), in: newInput(value)}
}

func (x *field) text() string { return strings.TrimSpace(x.in.text()) }

// wrong says what is wrong with the text, "" while there is nothing to say.
func (x *field) wrong() string {
	err := x.Check(x.text())
	switch {
	case errors.Is(err, fields.ErrNeeded) && !x.seen:
		return ""
	case err != nil:
		return err.Error()
	}
	return x.refused
}

// value is the text of the field of a label.
func (f *form) value(label string) string {
	for _, x := range f.fields {
		if x.Label == label {
			return x.text()
		}
	}
	return ""
}

func (f *form) title() string { return f.head }

// besideFrom is the width from which there is room for a text beside the fields.
const besideFrom = 64

func (f *form) draw(m *model, w, h int) []string {
	switch {
	case f.beside == nil:
		return f.drawFields(m, w, h, nil)
	case w < besideFrom:
		return f.drawFields(m, w, h, f.beside(w))
	}
	left := w * 3 / 5
	right := w - left - 3
	return beside(m.th, f.drawFields(m, left, h, nil), m.stretch(f.beside(right), &f.side, right, h), left)
}

// drawFields draws the fields, and what there is to read below them.
func (f *form) drawFields(m *model, w, h int, below []string) []string {
	var lines []string
	begin, cursor := 0, 0
	for i, x := range f.fields {
		drawn := x.draw(m, i == f.sel, w)
		if i == f.sel {
			begin = len(lines)
			cursor = begin + slices.IndexFunc(drawn, func(s string) bool { return strings.Contains(s, caret) })
		}
		lines = append(lines, drawn...)
	}
	lines = append(append(lines, ""), below...)
	foot := []string{m.th.dim.Render(fit("  tab next field · ctrl+s continues · esc closes", w))}
	if f.err != "" {
		foot = append([]string{m.th.bad.Render(fit("  ! "+f.err, w))}, foot...)
	}
	room := max(1, h-len(foot))
	from := max(0, min(begin-room/3, len(lines)-room), cursor-room+1)
	return append(area(lines[from:min(len(lines), from+room)], w, room), foot...)
}

// caret marks where the next letter goes.
const caret = "▏"

func (x *field) draw(m *model, active bool, w int) []string {
	mark := "  "
	if active {
		mark = "> "
	}
	label := mark + x.Label
	if n := len([]rune(x.text())); x.Longest > 0 && active {
		label += fmt.Sprintf(" %d/%d", n, x.Longest)
	}
	lines := []string{fit(m.th.title.Render(label)+m.th.dim.Render("  "+x.Hint), w)}
	if active && ansi.StringWidth(label+"  "+x.Hint) > w { // it stands below in full
		lines = []string{fit(m.th.title.Render(label), w)}
		for _, part := range wrap(x.Hint, w-4) {
			lines = append(lines, "    "+m.th.dim.Render(part))
		}
	}
	if wrong := x.wrong(); wrong != "" {
		lines = wrap(label+"  ! "+wrong, w)
		for i := range lines {
			lines[i] = m.th.bad.Render(fit(lines[i], w))
		}
	}
	switch {
	case x.secret:
		return append(lines, fit("    "+strings.Repeat("•", min(len(x.in.runes), w-8))+yesNo(active, caret, ""), w))
	case len(x.Choices) > 0:
		for _, part := range wrap(x.drawChoices(), w-4) {
			lines = append(lines, "    "+part)
		}
		return lines
	case x.Long && active:
		s := string(x.in.runes[:x.in.at]) + caret + string(x.in.runes[x.in.at:])
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
	for i, c := range x.Choices {
		key := ""
		if x.Several && i < len(digits) {
			key = digits[i:i+1] + " "
		}
		if x.holds(c) {
			b.WriteString("[" + key + c + "] ")
		} else {
			b.WriteString(" " + key + c + "  ")
		}
	}
	return b.String()
}

func (x *field) holds(choice string) bool {
	if !x.Several {
		return x.text() == choice
	}
	return slices.Contains(strings.Fields(x.text()), choice)
}

// write puts text into the field; where there are choices, each letter is a key.
func (f *form) write(text []rune) bool {
	x := f.fields[f.sel]
	x.refused = ""
	switch {
	case len(x.Choices) > 0:
		for _, r := range text {
			x.choose(string(r))
		}
	case x.Long:
		x.in.insert(text)
	default:
		x.in.insertLine(text)
	}
	return true
}

func (f *form) key(m *model, name string) tea.Cmd {
	x := f.fields[f.sel]
	switch {
	case name == "esc":
		f.leave(m)
	case name == "ctrl+s" || name == "enter" && !x.Long && f.sel == len(f.fields)-1:
		return f.submit(m)
	case name == "up" && x.Long && x.in.row(-1), name == "down" && x.Long && x.in.row(1):
	case name == "tab" || name == "down" || name == "enter" && !x.Long:
		f.turn(1)
	case name == "shift+tab" || name == "up":
		f.turn(len(f.fields) - 1)
	case name == "pgdown":
		f.side += 5
	case name == "pgup":
		f.side -= 5
	case name == "enter":
		x.in.insert([]rune{'\n'})
	case len(x.Choices) > 0:
		x.choose(name)
	default:
		x.refused = ""
		x.in.key(name)
	}
	return nil
}

// turn leaves the field for another one.
func (f *form) turn(step int) {
	f.fields[f.sel].seen = true
	f.sel = (f.sel + step) % len(f.fields)
}

// submit hands the texts over; the form stays open on an error. A field whose
// text cannot be sent is turned to instead.
func (f *form) submit(m *model) tea.Cmd {
	f.err = ""
	for i, x := range f.fields {
		x.seen = true
		if err := x.Check(x.text()); err != nil && f.err == "" {
			f.sel, f.err = i, x.Label+" "+err.Error()
		}
	}
	if f.err != "" {
		return nil
	}
	cmd, err := f.send(m, f)
	if err != nil {
		f.err = plain(err)
	}
	return cmd
}

const digits = "123456789abc"

// choose goes to the next choice; of several, a digit turns one on or off.
func (x *field) choose(key string) {
	if x.Several {
		if i := strings.Index(digits, key); i >= 0 && len(key) == 1 && i < len(x.Choices) {
			x.toggle(x.Choices[i])
		}
		return
	}
	i := slices.Index(x.Choices, x.text())
	switch key {
	case "left":
		i = max(i, 0) + len(x.Choices) - 1
	case "right", " ":
		i++
	default:
		return
	}
	x.in = newInput(x.Choices[i%len(x.Choices)])
}

func (x *field) toggle(choice string) {
	var out []string
	for _, c := range x.Choices {
		if x.holds(c) != (c == choice) {
			out = append(out, c)
		}
	}
	x.in = newInput(strings.Join(out, " "))
}
