// Package code is the table of the stable codes by which programs tell the
// refusals of a network apart. [All] yields them in the order of the
// documentation.
package code

import "iter"

// Row says what one code means.
type Row struct {
	Code string
	// Status is the HTTP status that a refusal of this code has; Also is another
	// one that it may have, 0 where there is none.
	Status, Also int
	Meaning      string // one line without a full stop
}

// group is a part of the table under one heading.
type group struct {
	title   string
	general bool // any operation may be refused with these
	rows    []Row
}

// All yields every code with the heading that it stands under.
func All() iter.Seq2[string, Row] {
	return func(yield func(string, Row) bool) {
		for _, g := range table {
			for _, r := range g.rows {
				if !yield(g.title, r) {
					return
				}
			}
		}
	}
}

var byCode = func() map[string]Row {
	m := map[string]Row{}
	for _, r := range All() {
		m[r.Code] = r
	}
	return m
}()

// Find returns the row of a code; ok is false for one that is not in the table.
func Find(code string) (row Row, ok bool) {
	row, ok = byCode[code]
	return row, ok
}

// general holds the codes that any operation may be refused with.
var general = func() map[string]bool {
	m := map[string]bool{}
	for _, g := range table {
		for _, r := range g.rows {
			m[r.Code] = g.general
		}
	}
	return m
}()

// General reports whether any operation may be refused with a code, rather
// than a few whose own it is.
func General(code string) bool { return general[code] }
