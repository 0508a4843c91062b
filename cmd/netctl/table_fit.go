package main

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

const (
	minHeading    = 5  // characters that a heading keeps where its cells need fewer
	minWrapped    = 20 // characters of a wrapped column before others are left out
	minCell       = 8  // characters of a wrapped column when no other can be left out
	maxProseLines = 3  // lines of prose in a row; longer prose is cut
)

// ranks orders the columns that are left out where a list has too little room,
// by their headings: the highest rank first. A column without a rank always
// stays: ids, amounts, conditions, and names that the rows are about.
var ranks = map[string]int{
	"AUDIO": 9, "PANEL": 9, "WEIGHT": 9,
	"WITNESS": 8, "MS": 8, "JURISDICTION": 8,
	"HELD": 7, "FILED": 7, "SINCE": 7, "PUBLISHED": 7, "LABELS": 7,
	"ACTOR": 6, "ADMITTED": 6, "CATEGORY": 6, "NICHE": 6, "BY": 6,
	"REPORTED": 5, "FIRST": 5, "LAST": 5, "BADGES": 5, "ACTIVE": 5,
	"BEYOND SHARE": 4, "SENT BACK": 4, "UNDONE": 4,
	"KIND": 3, "YOUNG": 3, "OVER CAP": 3, "UNBACKED": 3, "UNCLEARED": 3,
	"STATUS": 2, "CHANNEL": 2, "AT": 2,
	"PRIORITY": 1, "STATE": 1,
}

// prose holds the headings of texts that people wrote. They are wrapped even in
// the middle of a word, and cut where they are long.
var prose = map[string]bool{
	"TITLE": true, "HEADLINE": true, "SUBJECT": true, "TEXT": true, "REASON": true, "WHAT": true, "ABOUT": true, "ADVICE": true,
	"FINDINGS": true, "SIGNAL": true, "REVOKED": true, "WHERE": true, "VALUE": true, "OUTCOME": true, "FILE": true,
}

// grid is a table with the widths of its columns.
type grid struct {
	heads   []string
	rows    [][]string // the first holds the headings
	widths  []int
	wrapped []bool // columns whose cells are wrapped
}

func newGrid(rows [][]string) *grid {
	t := &grid{rows: rows}
	if len(rows) > 0 {
		t.heads = rows[0]
	}
	t.wrapped = make([]bool, len(t.heads))
	for i := range t.heads {
		t.widths = append(t.widths, t.widest(i, 0))
	}
	return t
}

// widest returns the width of a column's widest cell from a row on.
func (t *grid) widest(i, from int) (n int) {
	for _, row := range t.rows[from:] {
		n = max(n, ansi.StringWidth(row[i]))
	}
	return n
}

// over returns how many characters a line has too many.
func (t *grid) over(room int) int {
	n := 2*(len(t.widths)-1) - room
	for _, w := range t.widths {
		n += w
	}
	return n
}

// fit fits the columns into a room: headings are cut first, then the seconds of
// times are left out, then one column is wrapped. Where that is not enough,
// columns are left out by rank, and their headings returned; then all columns of
// words are wrapped. The others keep their width even beyond the room, since a
// number that is cut is a wrong number.
func (t *grid) fit(room int) (left []string) {
	for {
		t.narrowHeadings(room)
		if t.over(room) > 0 {
			t.omitSeconds()
			t.narrowHeadings(room)
		}
		if t.over(room) <= 0 || t.wrap(room) {
			return left
		}
		i := t.lowest()
		if i < 0 {
			t.wrapAll(room)
			return left
		}
		left = append(left, t.heads[i])
		t.omit(i)
	}
}

// narrowHeadings takes room from the columns whose headings are wider than their
// cells, as far as that is needed.
func (t *grid) narrowHeadings(room int) {
	for over := t.over(room); over > 0; over-- {
		spare, at := 0, -1
		for i := range t.widths {
			if n := t.widths[i] - max(t.widest(i, 1), minHeading); n > spare {
				spare, at = n, i
			}
		}
		if at < 0 {
			return
		}
		t.widths[at]--
	}
}

// omitSeconds shortens times to the minute.
func (t *grid) omitSeconds() {
	rows := [][]string{t.heads}
	for _, row := range t.rows[1:] {
		row = slices.Clone(row)
		for i, cell := range row {
			if at, err := time.Parse(time.RFC3339, cell); err == nil {
				row[i] = at.Format("2006-01-02T15:04Z07:00")
			}
		}
		rows = append(rows, row)
	}
	before := t.rows
	t.rows = rows
	for i := range t.widths {
		if !slices.EqualFunc(before, rows, func(a, b []string) bool { return a[i] == b[i] }) {
			t.widths[i] = t.widest(i, 0)
		}
	}
}

// wrap narrows the widest column of words to the room that the others leave, and
// reports whether that is at least minWrapped. A word that is no prose, such as a
// badge in a condition, is not broken.
func (t *grid) wrap(room int) bool {
	at := -1
	for i, head := range t.heads {
		if (prose[head] || t.contains(i, " ")) && (at < 0 || t.widths[i] > t.widths[at]) {
			at = i
		}
	}
	if at < 0 {
		return false
	}
	minimum := minWrapped
	if !prose[t.heads[at]] {
		minimum = max(minimum, t.longestWord(at, " "))
	}
	width := t.widths[at] - t.over(room)
	if width < minimum {
		return false
	}
	t.widths[at], t.wrapped[at] = width, true
	return true
}

// wrapAll narrows the columns of words, the widest first, down to their longest
// words. A name such as active_badges is broken behind an underscore.
func (t *grid) wrapAll(room int) {
	least := make([]int, len(t.heads))
	for i, head := range t.heads {
		least[i] = t.widths[i]
		switch {
		case prose[head]:
			least[i] = minCell
		case t.contains(i, " _"):
			least[i] = max(minCell, t.longestWord(i, " _"))
		}
	}
	for over := t.over(room); over > 0; over-- {
		at := -1
		for i, w := range t.widths {
			if w > least[i] && (at < 0 || w > t.widths[at]) {
				at = i
			}
		}
		if at < 0 {
			return
		}
		t.widths[at]--
		t.wrapped[at] = true
	}
}

// contains reports whether a cell of a column holds one of some characters.
func (t *grid) contains(i int, characters string) bool {
	return slices.ContainsFunc(t.rows[1:], func(row []string) bool { return strings.ContainsAny(row[i], characters) })
}

// longestWord returns the width of a column's longest word, with the separator
// behind it.
func (t *grid) longestWord(i int, separators string) (n int) {
	for _, row := range t.rows[1:] {
		for word := range strings.FieldsFuncSeq(row[i], func(r rune) bool { return strings.ContainsRune(separators, r) }) {
			if n = max(n, ansi.StringWidth(word)); strings.Contains(row[i], word+"_") {
				n = max(n, ansi.StringWidth(word)+1)
			}
		}
	}
	return n
}

// lowest returns the column that is left out next, -1 if all must stay.
func (t *grid) lowest() int {
	at := -1
	for i, head := range t.heads {
		if ranks[head] > 0 && (at < 0 || ranks[head] >= ranks[t.heads[at]]) {
			at = i
		}
	}
	return at
}

// omit leaves a column out.
func (t *grid) omit(i int) {
	rows := make([][]string, len(t.rows))
	for k, row := range t.rows {
		rows[k] = slices.Concat(row[:i], row[i+1:])
	}
	*t = *newGrid(rows)
}
