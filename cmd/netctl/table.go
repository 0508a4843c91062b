package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// minCell is how far a cell is cut at most.
const minCell = 8

// table writes rows as columns, as wide as their widest cells. Where that is
// over room, 0 being no limit, columns give way: those with prose first, then the
// seconds of times, which are never cut, then the others.
func table(w io.Writer, rows [][]string, indent string, room int) error {
	var widths []int
	var prose, all, times []int // columns
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths, all = append(widths, 0), append(all, i)
			}
			widths[i] = max(widths[i], ansi.StringWidth(cell))
			if _, err := time.Parse(time.RFC3339, cell); err == nil && !slices.Contains(times, i) {
				times = append(times, i)
			}
			if strings.Contains(cell, " ") && !slices.Contains(prose, i) {
				prose = append(prose, i)
			}
		}
	}
	if room > 0 {
		room -= len(indent) + 2*(len(widths)-1)
		fit(widths, prose, room)
		if sum(widths) > room {
			rows = toTheMinute(rows, times, widths)
		}
		fit(widths, slices.DeleteFunc(all, func(i int) bool { return slices.Contains(times, i) }), room)
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

// toTheMinute leaves the seconds of times out, and narrows their columns.
func toTheMinute(rows [][]string, times, widths []int) [][]string {
	short := make([][]string, len(rows))
	for k, row := range rows {
		short[k] = slices.Clone(row)
	}
	for _, i := range times {
		widths[i] = 0
		for _, row := range short {
			if at, err := time.Parse(time.RFC3339, row[i]); err == nil {
				row[i] = at.Format("2006-01-02T15:04Z07:00")
			}
			widths[i] = max(widths[i], ansi.StringWidth(row[i]))
		}
	}
	return short
}

func sum(widths []int) (n int) {
	for _, w := range widths {
		n += w
	}
	return n
}

// fit narrows the widest of these columns until all have room, but none below
// minCell.
func fit(widths, these []int, room int) {
	for over := sum(widths) - room; over > 0 && len(these) > 0; over-- {
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
