package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// minCell is how far a cell is cut at most.
const minCell = 8

// table writes rows as columns, as wide as their widest cells. Where that is
// over room, 0 being no limit, the widest columns give way.
func table(w io.Writer, rows [][]string, indent string, room int) error {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], ansi.StringWidth(cell))
		}
	}
	if room > 0 {
		fit(widths, room-len(indent)-2*(len(widths)-1))
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			cell = ansi.Truncate(cell, widths[i], "…")
			line.WriteString(cell + strings.Repeat(" ", widths[i]-ansi.StringWidth(cell)+2))
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(indent+line.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

// fit narrows the widest columns until all have room, but none below minCell.
func fit(widths []int, room int) {
	sum := 0
	for _, n := range widths {
		sum += n
	}
	for ; sum > room; sum-- {
		widest := slices.Index(widths, slices.Max(widths))
		if widths[widest] <= minCell {
			return
		}
		widths[widest]--
	}
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
