package rule

import (
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

func TestRowsCompile(t *testing.T) {
	s, err := Parse(rows)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, r := range s.Rules {
		if names[r.Name] {
			t.Errorf("two rows have the name %s", r.Name)
		}
		names[r.Name] = true
	}
}

// matched gives what the rows take out of a text.
func matched(t *testing.T, row, field, text string) (got []string) {
	t.Helper()
	s, err := Parse(row)
	if err != nil {
		t.Fatal(err)
	}
	tokens := lex.Split(text, nil)
	lex.Settle(tokens, 0)
	for _, m := range s.Matches(field, tokens) {
		got = append(got, text[tokens[m.From].From:tokens[m.To-1].To])
	}
	return got
}

func TestMatches(t *testing.T) {
	for _, c := range []struct{ row, field, text, want string }{
		{"a\t*\tNAME\t{given^ surname^}", "steps", "ask Maria Johnson now", "Maria Johnson"},
		{"a\t*\tNAME\t{given^ surname^}", "steps", "ask maria johnson now", ""},
		{"a\ttitle\tNAME\t{given^ surname^}", "steps", "ask Maria Johnson now", ""},
		{"a\t*\tNAME\ttitle '.'? {word^}", "steps", "Mrs. Quill and Mrs Quarrel", "Quill|Quarrel"},
		{"a\t*\tNAME\t{given^} !surname", "steps", "Marta Kowalczyk, Marta.", "Marta"},
		{"a\t*\tOTHER_ID\t'tag|serial' sign? {code}", "steps", "serial: 4711", "4711"},
		{"a\t*\tDOB\tborncue any? {date}", "steps", "born on 14 March 1958", "14"},
		{"a\t*\tNAME\t{given~surname}", "steps", "Johnson", ""},
	} {
		if got := strings.Join(matched(t, c.row, c.field, c.text), "|"); got != c.want {
			t.Errorf("%s in %q: got %q, want %q", c.row, c.text, got, c.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for row, want := range map[string]string{
		"a\t*\tNAME": "cells", "a\t*\tNAME\t{nosuch}": "nosuch", "a\t*\tNAME\t{word}": "fixed place",
		"a\t*\tNAME\t{given~nosuch}": "nosuch", "a\t*\tNAME\tgiven " + strings.Repeat("any ", 13): "at most",
	} {
		if _, err := Parse("# rows\n" + row); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: got %v, want an error about line 2 and %q", row, err, want)
		}
	}
}

func TestMuteAndRestore(t *testing.T) {
	s, err := Parse("a\t*\tNAME\t{given^ surname^}")
	if err != nil {
		t.Fatal(err)
	}
	tokens := lex.Split("ask Maria Johnson now", nil)
	restore := s.Rules[0].Mute()
	if got := len(s.Matches("steps", tokens)); got != 0 {
		t.Errorf("got %d matches of a muted row, want none", got)
	}
	restore()
	if got := len(s.Matches("steps", tokens)); got != 1 {
		t.Errorf("got %d matches of a restored row, want 1", got)
	}
}
