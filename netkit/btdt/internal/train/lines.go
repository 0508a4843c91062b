package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// mark is a part of a line that must go or must stay.
type mark struct {
	from, to int // bytes of the folded text
	kind     string
	keep     bool
}

// line is one labelled field of a playbook.
type line struct {
	lang, field, text string
	marks             []mark
}

// at is the kind of the mark over a byte, or "".
func (l line) at(i int) string {
	for _, m := range l.marks {
		if m.from <= i && i < m.to {
			return m.kind
		}
	}
	return ""
}

// readLines reads every file of labelled lines below dir, in the order of their
// names.
func readLines(dir string) ([]line, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	var all []line
	for _, file := range files {
		lang := strings.TrimSuffix(filepath.Base(file), ".txt")
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		n := 0
		for row := range strings.Lines(string(data)) {
			n++
			row = strings.TrimSpace(row)
			if row == "" || row[0] == '#' {
				continue
			}
			l, err := parseLine(row)
			if err != nil {
				return nil, fmt.Errorf("%s, line %d: %w", file, n, err)
			}
			l.lang = lang
			all = append(all, l)
		}
	}
	return all, nil
}

// parseLine reads "field: text" with [[TYPE|text]] and {{KIND|text}}.
func parseLine(row string) (line, error) {
	field, rest, ok := strings.Cut(row, ": ")
	if !ok || strings.ContainsAny(field, " [{") {
		return line{}, fmt.Errorf("no field before the colon")
	}
	l := line{field: field}
	var b strings.Builder
	for rest != "" {
		i := strings.Index(rest, "[[")
		j := strings.Index(rest, "{{")
		if i < 0 && j < 0 {
			b.WriteString(rest)
			break
		}
		closing, keep := "]]", false
		if i < 0 || j >= 0 && j < i {
			i, closing, keep = j, "}}", true
		}
		b.WriteString(rest[:i])
		kind, after, bar := strings.Cut(rest[i+2:], "|")
		inner, tail, end := strings.Cut(after, closing)
		if !bar || !end || kind == "" || strings.Trim(kind, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" {
			return line{}, fmt.Errorf("a mark is not closed or has no kind")
		}
		from := b.Len()
		b.WriteString(inner)
		l.marks = append(l.marks, mark{from, b.Len(), kind, keep})
		rest = tail
	}
	l.text = b.String()
	return l.folded(), nil
}

// folded moves the marks to the folded text, which is what a tagger sees.
func (l line) folded() line {
	out, at := strings.Builder{}, 0
	for i, m := range l.marks {
		out.WriteString(lex.Fold(l.text[at:m.from]).S)
		from := out.Len()
		out.WriteString(lex.Fold(l.text[m.from:m.to]).S)
		l.marks[i].from, l.marks[i].to, at = from, out.Len(), m.to
	}
	out.WriteString(lex.Fold(l.text[at:]).S)
	l.text = out.String()
	return l
}
