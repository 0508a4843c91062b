package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/netkit/btdt/evaluate"
)

// writeGold writes labelled lines, or a file of them, as labelled playbooks that
// "netctl btdt eval" reads: a line each, so that nothing helps but the line, or
// whole, one for the lines up to an empty one. A comment "# lang de" tells the
// language of what follows.
func writeGold(w io.Writer, dir, langs string, whole bool) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for lang := range strings.SplitSeq(langs, ",") {
		file := lang
		if !strings.HasSuffix(file, ".txt") {
			file = filepath.Join(dir, lang+".txt")
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		n, open, speech := 0, blank(), ""
		flush := func() error {
			if len(open.book.Steps) == 0 {
				open.book.Steps = []string{"They wrote back."}
			}
			defer func() { open = blank() }()
			return enc.Encode(open.example())
		}
		for row := range strings.Lines(string(data) + "\n\n") {
			n++
			row = strings.TrimSpace(row)
			if after, ok := strings.CutPrefix(row, "# lang "); ok {
				speech = after
			}
			switch {
			case row == "" && open.id != "":
				if err := flush(); err != nil {
					return err
				}
			case row == "" || row[0] == '#' || fold >= 0 && n%5 != fold:
			default:
				l, err := parseLine(row)
				if err != nil {
					return fmt.Errorf("%s, line %d: %w", file, n, err)
				}
				if open.id == "" {
					open.id, open.lang = fmt.Sprintf("%s-%d", filepath.Base(lang), n), speech
				}
				if open.put(l); whole {
					continue
				}
				if err := flush(); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// sheet is a playbook that labelled lines are put into.
type sheet struct {
	id, lang   string
	book       btdt.Playbook
	gold, keep []evaluate.Mark
}

// blank is an otherwise clean playbook.
func blank() sheet {
	return sheet{book: btdt.Playbook{Title: "A case", Category: "other", SubCategory: "other", Jurisdiction: "EU",
		Status: "RESOLVED", Outcome: "It was settled."}}
}

// put adds a line to its field.
func (s *sheet) put(l line) {
	b, path := &s.book, l.field
	list := func(to *[]string) {
		path += fmt.Sprintf("[%d]", len(*to))
		*to = append(*to, l.text)
	}
	switch l.field {
	case "title":
		b.Title = l.text
	case "outcome":
		b.Outcome = l.text
	case "entity":
		b.Entity = l.text
	case "region":
		b.Region = l.text
	case "sub_category":
		b.SubCategory = l.text
	case "key_contacts":
		list(&b.KeyContacts)
	case "legal_levers":
		list(&b.LegalLevers)
	case "what_failed":
		list(&b.WhatFailed)
	default:
		path = "steps"
		list(&b.Steps)
	}
	for _, m := range l.marks {
		g := evaluate.Mark{Path: path, Start: utf8.RuneCountInString(l.text[:m.from]), End: utf8.RuneCountInString(l.text[:m.to]), Type: m.kind}
		if m.keep {
			g.Type = ""
			s.keep = append(s.keep, g)
			continue
		}
		s.gold = append(s.gold, g)
	}
}

func (s *sheet) example() evaluate.Example {
	return evaluate.Example{ID: s.id, Lang: s.lang, Playbook: s.book.Canonical(), Gold: s.gold, Keep: s.keep}
}
