package main

import (
	"testing"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/rule"
)

// support is how many lines of the training data a row holds in at least.
const support = 3

// A row that hardly any line supports was made for one.
func TestRowsAreSupported(t *testing.T) {
	lines, err := readLines("data")
	if err != nil {
		t.Fatal(err)
	}
	sets, err := readSets("data/sets")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, l := range append(lines, sets...) {
		tokens := lex.Split(l.text, nil)
		lex.Settle(tokens, 0)
		seen := map[string]bool{}
		for _, m := range rule.Default().Matches(l.field, tokens) {
			if !seen[m.Rule.Name] {
				seen[m.Rule.Name] = true
				count[m.Rule.Name]++
			}
		}
	}
	for _, r := range rule.Default().Rules {
		if count[r.Name] < support {
			t.Errorf("row %s: got %d lines of the training data, want at least %d", r.Name, count[r.Name], support)
		}
	}
}
