package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestTableFitsItsRoom(t *testing.T) {
	rows := [][]string{{"ID", "AGENT", "TITLE"}, {"7", "ada", strings.Repeat("wide ", 30)}, {"12", "", "日本語の見出し"}}
	for _, c := range []struct {
		room int
		want string
	}{
		{30, "ID  AGENT  TITLE\n7   ada    wide wide wide wid…\n12         日本語の見出し\n"},
		{16, "ID  AGENT  TITLE\n7   ada    wide wi…\n12         日本語…\n"},
		{5, "ID  AGENT  TITLE\n7   ada    wide wi…\n12         日本語…\n"},
	} {
		if got := drawn(rows, c.room); got != c.want {
			t.Errorf("room of %d: got\n%swant\n%s", c.room, got, c.want)
		}
	}
	dated := [][]string{{"2026-11-22T16:00:00Z", "Which contract would you take?"}}
	if got := drawn(dated, 34); got != "2026-11-22T16:00:00Z  Which contr…\n" {
		t.Errorf("got %q, want the prose to give way", got)
	}
	crowded := [][]string{{"AT", "AGENT", "UNTIL"}, {"2026-11-22T16:00:01Z", "carbon-copy-9", "2026-11-23T16:00:01Z"}, {"2026-11-22T16:00:02Z", "ada", "never"}}
	for room, want := range map[int]string{
		51: "2026-11-22T16:00Z  carbon-copy-9  2026-11-23T16:00Z\n2026-11-22T16:00Z  ada            never\n",
		46: "2026-11-22T16:00Z  carbon-…  2026-11-23T16:00Z\n2026-11-22T16:00Z  ada       never\n",
	} {
		if _, got, _ := strings.Cut(drawn(crowded, room), "\n"); got != want {
			t.Errorf("room of %d: got\n%swant times that are not cut\n%s", room, got, want)
		}
	}
	var b bytes.Buffer
	if err := table(&b, rows, "  ", 0); err != nil || !strings.Contains(b.String(), strings.TrimSpace(rows[1][2])) {
		t.Errorf("without a limit: got %q, %v, want the whole text", b.String(), err)
	}
}

// drawn is a table in a room.
func drawn(rows [][]string, room int) string {
	var b bytes.Buffer
	_ = table(&b, rows, "", room) // a buffer takes all
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
	if !strings.Contains(fitted, "…") || strings.Contains(fitted, "\t") {
		t.Errorf("got %q, want cells that are cut", fitted)
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
