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
// "netctl btdt eval" reads: one line each, so that nothing helps but the line.
func writeGold(w io.Writer, dir, langs string) error {
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
		n := 0
		for row := range strings.Lines(string(data)) {
			n++
			if row = strings.TrimSpace(row); row == "" || row[0] == '#' {
				continue
			}
			l, err := parseLine(row)
			if err != nil {
				return fmt.Errorf("%s, line %d: %w", file, n, err)
			}
			if fold >= 0 && n%5 != fold {
				continue
			}
			if err := enc.Encode(l.example(fmt.Sprintf("%s-%d", filepath.Base(lang), n))); err != nil {
				return err
			}
		}
	}
	return nil
}

// example puts a line into an otherwise clean playbook.
func (l line) example(id string) evaluate.Example {
	book := btdt.Playbook{Title: "A case", Category: "other", SubCategory: "other", Jurisdiction: "EU",
		Status: "RESOLVED", Outcome: "It was settled.", Steps: []string{"They wrote back."}}
	path := l.field
	switch l.field {
	case "title":
		book.Title = l.text
	case "outcome":
		book.Outcome = l.text
	case "entity":
		book.Entity = l.text
	case "region":
		book.Region = l.text
	case "key_contacts":
		book.KeyContacts, path = []string{l.text}, path+"[0]"
	case "legal_levers":
		book.LegalLevers, path = []string{l.text}, path+"[0]"
	case "what_failed":
		book.WhatFailed, path = []string{l.text}, path+"[0]"
	case "sub_category":
		book.SubCategory = l.text
	default:
		book.Steps, path = []string{l.text}, "steps[0]"
	}
	e := evaluate.Example{ID: id, Lang: l.lang, Playbook: book.Canonical()}
	for _, m := range l.marks {
		g := evaluate.Mark{Path: path, Start: utf8.RuneCountInString(l.text[:m.from]), End: utf8.RuneCountInString(l.text[:m.to]), Type: m.kind}
		if m.keep {
			g.Type = ""
			e.Keep = append(e.Keep, g)
			continue
		}
		e.Gold = append(e.Gold, g)
	}
	return e
}
