package main

import (
	"io"
	"strings"
	"unicode"
)

// separators become spaces where a text is shown on one line.
var separators = strings.NewReplacer("\n", " ", "\t", " ", "\u2028", " ", "\u2029", " ")

// clean makes a text safe to show on one line: agents wrote some of them, and
// control characters would command the terminal.
func clean(s string) string { return harmless(separators.Replace(s)) }

// harmless keeps the lines and tabs of a text, and replaces whatever else
// commands a terminal.
func harmless(s string) string { return withoutCommands(s, "\n\t") }

// withoutCommands replaces what commands a terminal, except for the characters
// in keep.
func withoutCommands(s, keep string) string {
	return strings.Map(func(r rune) rune {
		if commands(r) && !strings.ContainsRune(keep, r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// commands reports whether a terminal may take a character as a command or use
// it to reorder what is shown.
func commands(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }

// harmlessWriter replaces what commands a terminal in all that is written to
// standard error. Carriage returns remain: progress bars use them.
type harmlessWriter struct{ w io.Writer }

// Write implements io.Writer. Each call must hold whole characters.
func (h harmlessWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(h.w, withoutCommands(string(p), "\n\t\r")); err != nil {
		return 0, err
	}
	return len(p), nil
}

// unfiltered returns the writer below a harmlessWriter, for colours of our own
// and for programs that ask their user something.
func unfiltered(w io.Writer) io.Writer {
	if h, ok := w.(harmlessWriter); ok {
		return h.w
	}
	return w
}
