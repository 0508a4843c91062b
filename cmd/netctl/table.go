package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// table writes rows as columns, the first row being the headings. With a room,
// in characters, the columns are fitted into it, and the headings of those that
// had to be left out are returned; a room of 0 is no limit.
func table(w io.Writer, rows [][]string, indent string, room int) (left []string, err error) {
	t := newGrid(rows)
	if room > 0 {
		left = t.fit(room - len(indent))
	}
	for _, row := range t.rows {
		if err := t.writeRow(w, row, indent); err != nil {
			return left, err
		}
	}
	return left, nil
}

// writeRow writes one row, on as many lines as its tallest cell has.
func (t *grid) writeRow(w io.Writer, row []string, indent string) error {
	cells, height := make([][]string, len(row)), 1
	for i, cell := range row {
		cells[i] = t.cellLines(i, cell)
		height = max(height, len(cells[i]))
	}
	for k := range height {
		var line strings.Builder
		for i, lines := range cells {
			text := ""
			if k < len(lines) {
				text = lines[k]
			}
			line.WriteString(text + strings.Repeat(" ", max(t.widths[i]-ansi.StringWidth(text), 0)+2))
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(indent+line.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

// cellLines returns the lines of a cell: one, unless its column is wrapped.
func (t *grid) cellLines(i int, cell string) []string {
	switch {
	case ansi.StringWidth(cell) <= t.widths[i]:
		return []string{cell}
	case !t.wrapped[i]:
		return []string{ansi.Truncate(cell, t.widths[i], "…")} // a heading: the cells below it have room
	}
	lines := wrapText(cell, t.widths[i])
	if prose[t.heads[i]] && len(lines) > maxProseLines {
		rest := strings.Join(lines[maxProseLines-1:], " ")
		lines = append(lines[:maxProseLines-1], ansi.Truncate(rest, t.widths[i], "…"))
	}
	return lines
}

// wrapText breaks a text into lines of at most width characters, behind spaces
// and underscores, and inside a word only where it is wider than a line.
func wrapText(text string, width int) (lines []string) {
	line := ""
	for text != "" {
		end := strings.IndexAny(text, " _") + 1
		if end == 0 {
			end = len(text)
		}
		word := text[:end]
		text = text[end:]
		if line != "" && ansi.StringWidth(strings.TrimRight(line+word, " ")) > width {
			lines, line = append(lines, strings.TrimRight(line, " ")), ""
		}
		if ansi.StringWidth(strings.TrimRight(word, " ")) > width { // the line is empty
			parts := strings.Split(ansi.Hardwrap(word, width, true), "\n")
			lines, word = append(lines, parts[:len(parts)-1]...), parts[len(parts)-1]
		}
		line += word
	}
	return append(lines, strings.TrimRight(line, " "))
}

// tabbed writes rows with a tab between the cells, for other programs.
func tabbed(w io.Writer, rows [][]string) error {
	for _, row := range rows {
		if _, err := fmt.Fprintln(w, strings.Join(row, "\t")); err != nil {
			return err
		}
	}
	return nil
}
