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
// over room, 0 being no limit, columns give way, those with prose first.
func table(w io.Writer, rows [][]string, indent string, room int) error {
	var widths []int
	var prose, all []int // columns
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths, all = append(widths, 0), append(all, i)
			}
			widths[i] = max(widths[i], ansi.StringWidth(cell))
			if strings.Contains(cell, " ") && !slices.Contains(prose, i) {
				prose = append(prose, i)
			}
		}
	}
	if room > 0 {
		room -= len(indent) + 2*(len(widths)-1)
		fit(widths, prose, room)
		fit(widths, all, room)
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

// fit narrows the widest of these columns until all have room, but none below
// minCell.
func fit(widths, these []int, room int) {
	sum := 0
	for _, n := range widths {
		sum += n
	}
	for ; sum > room && len(these) > 0; sum-- {
		widest := slices.MaxFunc(these, func(a, b int) int { return widths[a] - widths[b] })
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
