// Package evaluate measures the scrubber on labelled playbooks, so that anyone
// can judge it on their own data: recall, precision, what was touched that
// should have stayed, and speed, a line a type.
//
// A labelled file holds a JSON object a line:
//
//	{"id": "us-001", "lang": "en", "playbook": {…}, "gold": [{"path": "steps[2]", "start": 14, "end": 27, "type": "NAME"}], "keep": [{"path": "steps[2]", "start": 40, "end": 55}]}
//
// Offsets count code points within the string at path. [Read] reads such a file
// and [Measure] judges the scrubber on it.
package evaluate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/btdt"
)

// Mark is a labelled part of a text; Type is empty where the part must stay.
type Mark struct {
	Path  string `json:"path"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Type  string `json:"type"`
	Text  string `json:"text"`
}

// Example is one labelled playbook.
type Example struct {
	ID       string          `json:"id"`
	Lang     string          `json:"lang"`
	Playbook json.RawMessage `json:"playbook"`
	Gold     []Mark          `json:"gold"`
	Keep     []Mark          `json:"keep"`
	book     btdt.Playbook
}

// Read reads labelled playbooks, a JSON object a line. The error names the line.
func Read(r io.Reader) ([]Example, error) {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, btdt.MaxFileBytes)
	var all []Example
	n := 1
	for ; scanner.Scan(); n++ {
		row := bytes.TrimSpace(scanner.Bytes())
		if len(row) == 0 {
			continue
		}
		e, err := readExample(row)
		if err != nil {
			return nil, fmt.Errorf("evaluate: line %d: %w", n, err)
		}
		all = append(all, e)
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("evaluate: line %d: %w; a line is one JSON object", n, err)
	}
	return all, nil
}

func readExample(row []byte) (Example, error) {
	var e Example
	if err := json.Unmarshal(row, &e); err != nil {
		return e, fmt.Errorf("not a labelled playbook: %w", err)
	}
	if len(e.Playbook) == 0 {
		return e, fmt.Errorf("example %q has no playbook", e.ID)
	}
	var err error
	if e.book, err = btdt.Decode(e.Playbook); err != nil {
		return e, fmt.Errorf("example %q: %w", e.ID, err)
	}
	for i := range e.Gold {
		if e.Gold[i].Type, err = plainType(e.Gold[i].Type); err != nil {
			return e, fmt.Errorf("example %q: %w", e.ID, err)
		}
	}
	for i := range e.Keep {
		e.Keep[i].Type = "" // what a part that stays is called is nobody's business
	}
	texts := textsOf(e.book)
	for _, list := range [][]Mark{e.Gold, e.Keep} {
		for i := range list {
			list[i].Path = fullPath(list[i].Path)
			text, ok := texts[list[i].Path]
			if !ok || list[i].Start < 0 || list[i].End <= list[i].Start || list[i].End > len(text) {
				return e, fmt.Errorf("example %q: the mark at %s %d–%d lies outside of the text", e.ID, list[i].Path, list[i].Start, list[i].End)
			}
			list[i].Text = string(text[list[i].Start:list[i].End])
		}
	}
	e.keepAges()
	return e, nil
}

// aliases are finer words for the types of findings, as labelled data has them.
var aliases = map[string]string{
	"PERSON": btdt.TypeName, "CASE": btdt.TypeCaseRef, "REFERENCE": btdt.TypeCaseRef, "POLICY": btdt.TypePolicyRef, "CUSTOMER": btdt.TypeAccount,
	"HEALTH": btdt.TypeMedical, "TEL": btdt.TypePhone, "LOCATION": btdt.TypeAddress, "DATE_OF_BIRTH": btdt.TypeDOB,
	"SSN": btdt.TypeNationalID, "PASSPORT": btdt.TypeNationalID, "LICENCE": btdt.TypeNationalID, "LICENSE": btdt.TypeNationalID,
	"IBAN": btdt.TypeFinancial, "CARD": btdt.TypeFinancial, "PLATE": btdt.TypeVehicle, "VIN": btdt.TypeVehicle,
	"URL": btdt.TypeNetwork, "IP": btdt.TypeNetwork, "MAC": btdt.TypeNetwork, "TRACKING": btdt.TypeOtherID, "ID": btdt.TypeOtherID,
}

// plainType is the type of findings that a label means.
func plainType(label string) (string, error) {
	if t := aliases[label]; t != "" {
		return t, nil
	}
	if slices.Contains(btdt.Types(), label) {
		return label, nil
	}
	return "", fmt.Errorf("the type %q of a mark is none; use one of %s", label, strings.Join(btdt.Types(), ", "))
}

// fullPath gives a list that was written as one text its index.
func fullPath(path string) string {
	switch path {
	case "key_contacts", "legal_levers", "what_failed", "steps":
		return path + "[0]"
	}
	return path
}

func textsOf(p btdt.Playbook) map[string][]rune {
	texts := map[string][]rune{
		"title": []rune(p.Title), "sub_category": []rune(p.SubCategory), "region": []rune(p.Region),
		"entity": []rune(p.Entity), "outcome": []rune(p.Outcome), "category": []rune(p.Category),
		"jurisdiction": []rune(p.Jurisdiction), "status": []rune(p.Status),
	}
	for name, list := range map[string][]string{"steps": p.Steps, "key_contacts": p.KeyContacts, "legal_levers": p.LegalLevers, "what_failed": p.WhatFailed} {
		for i, s := range list {
			texts[fmt.Sprintf("%s[%d]", name, i)] = []rune(s)
		}
	}
	return texts
}
