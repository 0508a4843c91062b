package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

func TestTableFitsItsRoom(t *testing.T) {
	rows := [][]string{{"ID", "AGENT", "TITLE"}, {"7", "ada", strings.Repeat("wide ", 9)}, {"12", "", "日本語の見出し"}}
	dated := [][]string{{"AT", "TITLE"}, {"2026-11-22T16:00:01Z", "Which contract would you take?"}}
	needs := [][]string{{"EXECUTIONS", "NEEDS", "HAS"}, {"6", "one of FIELD_AGENT, SENIOR_CORRESPONDENT", "0.25"}, {"12", "at least 10", "1098.45"}}
	tiers := [][]string{{"CONDITION", "NEEDS", "HAS"}, {"counterparty_diversity_score", "at least 0.30", "0.6474"}, {"badge", "one of SENIOR_CORRESPONDENT", "SENIOR_CORRESPONDENT"}}
	ranked := [][]string{{"ID", "WITNESS", "FUNDS", "STATE"}, {"7", "carbon-copy-9", "12345678.90", "open"}}
	for name, c := range map[string]struct {
		rows [][]string
		room int
		want string
	}{
		"one column is wrapped":                  {rows, 40, "ID  AGENT  TITLE\n7   ada    wide wide wide wide wide wide\n           wide wide wide\n12         日本語の見出し\n"},
		"prose has three lines at most":          {rows, 16, "ID  AGENT  TITLE\n7   ada    wide\n           wide\n           wide wi…\n12         日本語の\n           見出し\n"},
		"times lose their seconds":               {dated, 50, "AT                 TITLE\n2026-11-22T16:00Z  Which contract would you take?\n"},
		"headings give way, conditions are kept": {needs, 40, "EXEC…  NEEDS                     HAS\n6      one of FIELD_AGENT,       0.25\n       SENIOR_CORRESPONDENT\n12     at least 10               1098.45\n"},
		"names are broken behind underscores":    {tiers, 44, "CONDITION      NEEDS          HAS\ncounterparty_  at least 0.30  0.6474\ndiversity_\nscore\nbadge          one of         SENIOR_\n               SENIOR_        CORRESPONDENT\n               CORRESPONDENT\n"},
		"columns are left out by their rank":     {ranked, 24, "ID  FUNDS        STATE\n7   12345678.90  open\n"},
		"ids and amounts are never cut":          {ranked, 5, "ID  FUNDS\n7   12345678.90\n"},
	} {
		if got := drawn(c.rows, c.room); got != c.want {
			t.Errorf("%s, in a room of %d: got\n%swant\n%s", name, c.room, got, c.want)
		}
	}
	var b bytes.Buffer
	if _, err := table(&b, rows, "  ", 0); err != nil || !strings.Contains(b.String(), strings.TrimSpace(rows[1][2])) {
		t.Errorf("without a limit: got %q, %v, want the whole text", b.String(), err)
	}
}

// The conditions of the tiers can be read on 80 columns.
func TestConditionsAreWholeOn80Columns(t *testing.T) {
	p := newPlay(t)
	p.width = 0
	whole := p.must("--context", "ada", "ledger", "why", "ada")
	p.width = 80
	narrow := p.must("--context", "ada", "ledger", "why", "ada")
	for line := range strings.Lines(narrow) {
		if n := ansi.StringWidth(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("got a line of %d characters, want 80 at most: %q", n, line)
		}
	}
	if strings.Contains(narrow, "…") {
		t.Errorf("got\n%swant nothing that is cut", narrow)
	}
	for _, line := range strings.Split(strings.TrimSpace(whole), "\n")[1:] {
		for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune("\t _", r) }) {
			if _, err := time.Parse(time.RFC3339, word); err != nil && !strings.Contains(narrow, word) {
				t.Errorf("got\n%swant %q whole", narrow, word)
			}
		}
	}
}

// drawn is a table in a room.
func drawn(rows [][]string, room int) string {
	var b bytes.Buffer
	_, _ = table(&b, rows, "", room) // a buffer takes all
	return b.String()
}

// On a terminal a list has its width; elsewhere it has tabs and whole texts.
func TestListsFitTheTerminalAndAreTabbedElsewhere(t *testing.T) {
	p := newPlay(t)
	ls := []string{"--context", "ada", "market", "ls"}
	p.width = 60
	fitted := p.must(ls...)
	for line := range strings.Lines(fitted) {
		if n := ansi.StringWidth(strings.TrimSuffix(line, "\n")); n > 60 {
			t.Errorf("got a line of %d characters, want 60 at most: %q", n, line)
		}
	}
	if strings.Count(fitted, "\n") <= strings.Count(p.must(append(ls, "-o", "json")...), `"id"`) || strings.Contains(fitted, "\t") {
		t.Errorf("got %q, want a text that is wrapped or cut", fitted)
	}
	p.width = 0
	if got := p.must(ls...); !strings.HasPrefix(got, "ID\tSPONSOR\t") || !strings.Contains(got, "\tSILICON watch\n") {
		t.Errorf("got %q, want tabs between the cells", got)
	}
}

// A refusal repeats what was typed to a person at a terminal, and to nobody else.
func TestRefusalNamesWhatWasTyped(t *testing.T) {
	p := newPlay(t)
	for line, want := range map[string]string{
		"agent show nobody":                                            "nobody names no agent of this network",
		"market show 999999":                                           "999999 names no signal contract",
		"market ls --sponsor nobody":                                   "--sponsor nobody names no sponsor of this network",
		"agent claims --llm-provider a|b":                              "",
		"ledger statement wallet:nobody":                               "wallet:nobody names no account",
		"attention send nobody --subject s --body b --yes":             "nobody names no agent of this network",
		"market open --title t --brief b --channel LEGAL --budget 0.5": "",
	} {
		args := append([]string{"--context", "ada"}, strings.Fields(line)...)
		p.terminal = true
		if code, _, talk := p.run("", args...); code == 0 || !strings.Contains(talk, "netctl: "+want) {
			t.Errorf("%s: got %d %q, want %q", line, code, talk, want)
		}
		p.terminal = false
		if _, _, talk := p.run("", args...); want != "" && strings.Contains(talk, want) {
			t.Errorf("%s: got %q, want no value where nobody reads it", line, talk)
		}
	}
}
