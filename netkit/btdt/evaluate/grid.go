package evaluate

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/agentnet/netctl/netkit/btdt"
)

// Grid is a systematic measure: every name and every other value in every frame, a
// text with a gap. Names must go as a whole, the others must stay as they are.
type Grid struct {
	frames, citing                         []string // "field: text with %s"
	names, institutions, others, citations []string
}

// GridRow is what a grid tells of one kind of value.
type GridRow struct {
	Kind  string
	Texts int
	Wrong int
	By    map[string]int // frames and values, and how often each went wrong
}

// ReadGrid reads the sections of a grid: [frames], a line each; [names], a line of
// given names and one of surnames for each language; [organisations], a line of what
// they are and one of places; [others]; and [citations] with [frames of citations].
func ReadGrid(r io.Reader) (Grid, error) {
	sections := map[string][]string{}
	at := ""
	rows := bufio.NewScanner(r)
	for rows.Scan() {
		switch row := strings.TrimSpace(rows.Text()); {
		case row == "" || row[0] == '#':
		case row[0] == '[':
			at = row
		default:
			sections[at] = append(sections[at], row)
		}
	}
	g := Grid{frames: sections["[frames]"], citing: sections["[frames of citations]"]}
	names, organisations := sections["[names]"], sections["[organisations]"]
	if len(names)%2 != 0 || len(organisations)%2 != 0 {
		return g, fmt.Errorf("evaluate: names and organisations of a grid need an even number of lines")
	}
	for i := 0; i < len(names); i += 2 {
		g.addNames(strings.Fields(names[i]), strings.Fields(names[i+1]))
	}
	for i := 0; i < len(organisations); i += 2 {
		g.addInstitutions(organisations[i], organisations[i+1], i == 0)
	}
	g.others = strings.Split(strings.Join(sections["[others]"], "; "), "; ")
	g.citations = strings.Split(strings.Join(sections["[citations]"], "; "), "; ")
	return g, rows.Err()
}

// addNames gives each given name two surnames.
func (g *Grid) addNames(given, surnames []string) {
	for k := range given {
		for _, step := range []int{0, 7} {
			g.names = append(g.names, given[k]+" "+surnames[(k+step)%len(surnames)])
		}
	}
}

// addInstitutions joins what institutions are to places, which English puts first.
func (g *Grid) addInstitutions(heads, places string, placeFirst bool) {
	for head := range strings.SplitSeq(heads, ";") {
		for place := range strings.SplitSeq(places, ";") {
			name := head + " " + place
			if placeFirst {
				name = place + " " + head
			}
			g.institutions = append(g.institutions, name)
		}
	}
}

// Measure checks every text of the grid: names of which a letter is left, and the
// others of which a letter went.
func (g Grid) Measure() []GridRow {
	left := func(gone, all int) bool { return gone < all }
	touched := func(gone, _ int) bool { return gone > 0 }
	return []GridRow{
		fill("names left", g.frames, g.names, left),
		fill("institutions touched", g.frames, g.institutions, touched),
		fill("others touched", g.frames, g.others, touched),
		fill("citations touched", g.citing, g.citations, touched),
	}
}

// fill checks every value in every frame.
func fill(kind string, frames, values []string, wrong func(gone, all int) bool) GridRow {
	row := GridRow{Kind: kind, By: map[string]int{}}
	for _, frame := range frames {
		field, text, _ := strings.Cut(frame, ": ")
		before, after, _ := strings.Cut(text, "%s")
		for _, value := range values {
			m := Mark{Start: len([]rune(before)), Text: value}
			row.Texts++
			if wrong(m.gone(btdt.Check(bookOf(field, before+value+after)))) {
				row.Wrong++
				row.By[frame]++
				row.By[value]++
			}
		}
	}
	return row
}

// gone counts the letters of a part that findings cover, and all of them. No other
// text of the playbook holds any.
func (m Mark) gone(found []btdt.Finding) (gone, all int) {
	masked := map[int]bool{}
	for _, f := range found {
		for i := f.Start; i < f.End; i++ {
			masked[i] = true
		}
	}
	places := m.letters()
	for _, i := range places {
		if masked[i] {
			gone++
		}
	}
	return gone, len(places)
}

// bookOf is a plain playbook with a text in one field.
func bookOf(field, text string) btdt.Playbook {
	p := btdt.Playbook{Title: "A case", Outcome: "It was settled.", Steps: []string{"They wrote back."}}
	switch field {
	case "title":
		p.Title = text
	case "outcome":
		p.Outcome = text
	case "key_contacts":
		p.KeyContacts = []string{text}
	case "what_failed":
		p.WhatFailed = []string{text}
	default:
		p.Steps = []string{text}
	}
	return p
}
