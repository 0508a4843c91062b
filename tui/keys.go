package tui

import tea "github.com/charmbracelet/bubbletea"

// typed returns the letters of a message and whether it is one of letters. The
// terminal hands over what was read at once as one message, whose String is then
// a whole word: "up" may be the key or the word. Only the type tells them apart.
// Letters with alt mean nothing here.
func typed(k tea.KeyMsg) ([]rune, bool) {
	switch {
	case k.Type != tea.KeyRunes && k.Type != tea.KeySpace:
		return nil, false
	case k.Alt:
		return nil, true
	}
	return k.Runes, true
}

// keyMsg takes what was typed: text to whatever takes text, keys one by one.
// Pasted text is never a key.
func (m *model) keyMsg(k tea.KeyMsg) tea.Cmd {
	m.note = ""
	text, letters := typed(k)
	switch {
	case !letters:
		return m.press(k.String())
	case !k.Paste:
		return m.pressEach(text)
	case !m.write(text):
		m.note = "nothing here takes text; open a form, or the filter with /"
	}
	return m.wrote()
}

// wrote fetches what may complete the text that was typed.
func (m *model) wrote() tea.Cmd {
	if len(m.over) > 0 {
		if c, is := m.over[len(m.over)-1].(*chooser); is {
			return c.fetch(m)
		}
	}
	return nil
}

// pressEach presses letters that were read at once. What follows a letter that
// opens a form is text for that form. A question is not answered by letters that
// were typed before it was seen.
func (m *model) pressEach(letters []rune) tea.Cmd {
	var cmds []tea.Cmd
	for i, r := range letters {
		if m.write(letters[i:]) {
			cmds = append(cmds, m.wrote())
			break
		}
		if len(letters) > 1 && m.asked() {
			m.note = "press y or n alone to answer"
			break
		}
		cmds = append(cmds, m.press(string(r)))
	}
	return tea.Batch(cmds...)
}

// write hands text to the dialogue on top or to the filter; it reports false
// where nothing takes text.
func (m *model) write(text []rune) bool {
	switch {
	case len(m.over) > 0:
		return m.over[len(m.over)-1].write(text)
	case m.filter != nil:
		m.filter.insertLine(text)
		m.here().(lister).try(m.filter.text())
		return true
	}
	return false
}

// asked reports whether a question is open.
func (m *model) asked() bool {
	if len(m.over) == 0 {
		return false
	}
	_, is := m.over[len(m.over)-1].(*ask)
	return is
}

// press takes one key by its name: to the dialogue on top, to the filter, or to
// a command.
func (m *model) press(name string) tea.Cmd {
	switch {
	case name == "ctrl+c":
		return m.quit()
	case len(m.over) > 0:
		return m.over[len(m.over)-1].key(m, name)
	case m.filter != nil:
		return m.filterKey(name)
	}
	for _, c := range m.commands() {
		if c.takes(name) {
			return c.run(m)
		}
	}
	return nil
}
