package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// labelled is a playbook of a set, as netctl btdt eval reads it.
type labelled struct {
	ID       string                     `json:"id"`
	Playbook map[string]json.RawMessage `json:"playbook"`
	Gold     []place                    `json:"gold"`
	Keep     []place                    `json:"keep"`
}

// place is a labelled part, in code points.
type place struct {
	Path       string
	Start, End int
	Type       string
}

// readSets reads every labelled playbook below dir as lines, one a text.
func readSets(dir string) ([]line, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	var all []line
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		scanner := bufio.NewScanner(f)
		scanner.Buffer(nil, 10<<20)
		for scanner.Scan() {
			var book labelled
			if err := json.Unmarshal(scanner.Bytes(), &book); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			all = append(all, book.lines()...)
		}
		f.Close()
	}
	return all, nil
}

// lines are the texts of a playbook that a person wrote, with their marks.
func (b labelled) lines() []line {
	var all []line
	add := func(field, path, text string) {
		if text == "A case" || text == "It was settled." || text == "They wrote back." || text == "other" || text == "" {
			return // what fills the fields of a single line
		}
		all = append(all, b.line(field, path, text))
	}
	for _, field := range []string{"title", "sub_category", "region", "entity", "outcome", "steps", "key_contacts", "legal_levers", "what_failed"} {
		raw := b.Playbook[field]
		var text string
		var list []string
		if json.Unmarshal(raw, &text) == nil && text != "" {
			add(field, field, text)
		} else if json.Unmarshal(raw, &list) == nil {
			for i, text := range list {
				add(field, fmt.Sprintf("%s[%d]", field, i), text)
			}
		}
	}
	return all
}

// line cuts a text at its marks and folds what lies between.
func (b labelled) line(field, path, text string) line {
	runes := []rune(text)
	l := line{lang: "set", field: field}
	var s strings.Builder
	at := 0
	for _, m := range b.marksAt(field, path) {
		if m.Start < at || m.End > len(runes) {
			continue
		}
		s.WriteString(lex.Fold(string(runes[at:m.Start])).S)
		from := s.Len()
		s.WriteString(lex.Fold(string(runes[m.Start:m.End])).S)
		kind, keep := m.Type, false
		if kind == "" {
			kind, keep = "ANY", true
		}
		l.marks = append(l.marks, mark{from, s.Len(), kind, keep})
		at = m.End
	}
	s.WriteString(lex.Fold(string(runes[at:])).S)
	l.text = s.String()
	return l
}

// marksAt are the marks of a text in order, those that must go before those that
// stay where they overlap.
func (b labelled) marksAt(field, path string) []place {
	var found []place
	overlaps := func(p place) bool {
		for _, q := range found {
			if p.Start < q.End && q.Start < p.End {
				return true
			}
		}
		return false
	}
	for i, list := range [][]place{b.Gold, b.Keep} {
		for _, p := range list {
			if p.Path != path && !(p.Path == field && path == field+"[0]") || overlaps(p) {
				continue
			}
			if i == 1 {
				p.Type = ""
			}
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b place) int { return a.Start - b.Start })
	return found
}
