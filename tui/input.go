package tui

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// input is a text that is being typed.
type input struct {
	runes []rune
	at    int
}

func newInput(s string) *input {
	r := []rune(s)
	return &input{r, len(r)}
}

func (in *input) text() string { return string(in.runes) }

// key edits the text with a key that is not a letter.
func (in *input) key(name string) {
	switch name {
	case "left", "ctrl+b":
		in.at = max(0, in.at-1)
	case "right", "ctrl+f":
		in.at = min(len(in.runes), in.at+1)
	case "home", "ctrl+a":
		in.at = 0
	case "end", "ctrl+e":
		in.at = len(in.runes)
	case "backspace", "ctrl+h":
		in.cut(max(0, in.at-1), in.at)
	case "delete", "ctrl+d":
		in.cut(in.at, min(len(in.runes), in.at+1))
	case "ctrl+u":
		in.cut(0, in.at)
	case "ctrl+k":
		in.cut(in.at, len(in.runes))
	case "ctrl+w", "alt+backspace":
		in.cut(in.word(), in.at)
	}
}

// lineEnds writes every line end as one newline. A tab becomes a space, so that
// the words around it stay apart.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", " ")

// insertLine puts text into a field of one line: its lines become words.
func (in *input) insertLine(typed []rune) {
	text := strings.Trim(lineEnds.Replace(string(typed)), "\n")
	in.insert([]rune(strings.ReplaceAll(text, "\n", " ")))
}

// insert puts in what was typed or pasted, without control characters other
// than line ends.
func (in *input) insert(typed []rune) {
	fresh := make([]rune, 0, len(typed))
	for _, r := range lineEnds.Replace(string(typed)) {
		if r == '\n' || !unicode.IsControl(r) {
			fresh = append(fresh, r)
		}
	}
	in.runes = append(in.runes[:in.at:in.at], append(fresh, in.runes[in.at:]...)...)
	in.at += len(fresh)
}

func (in *input) cut(from, to int) {
	in.runes = append(in.runes[:from:from], in.runes[to:]...)
	in.at = from
}

// word is where the word before the cursor begins.
func (in *input) word() int {
	i := in.at
	for i > 0 && unicode.IsSpace(in.runes[i-1]) {
		i--
	}
	for i > 0 && !unicode.IsSpace(in.runes[i-1]) {
		i--
	}
	return i
}

// row goes to the line before or after, and reports whether there is one.
func (in *input) row(step int) bool {
	lines := strings.Split(in.text(), "\n")
	n := strings.Count(string(in.runes[:in.at]), "\n")
	if n+step < 0 || n+step >= len(lines) {
		return false
	}
	begin := func(n int) int { return len([]rune(strings.Join(lines[:n], "\n"))) + min(n, 1) }
	in.at = begin(n+step) + min(in.at-begin(n), len([]rune(lines[n+step])))
	return true
}

// show is the text on one line of w cells with a mark where the cursor is.
func (in *input) show(w int) string {
	flat := strings.ReplaceAll(string(in.runes[:in.at])+caret+string(in.runes[in.at:]), "\n", "⏎")
	if over := ansi.StringWidth(string(in.runes[:in.at])) + 2 - w; over > 0 {
		flat = ansi.TruncateLeft(flat, over+1, "…")
	}
	return ansi.Truncate(flat, w, "…")
}
