package main

import (
	"strings"
	"testing"
	"time"
)

// A check shows nothing while it is short, and then how far it has come.
func TestProgress(t *testing.T) {
	now := time.Unix(0, 0)
	clock := func() time.Time { return now }
	var lines, bars strings.Builder
	line, draw := lined(&lines, clock), barred(&bars, clock)
	for _, step := range []struct {
		passes      time.Duration
		done        uint64
		lines, bars bool // whether anything more is shown
	}{
		{100 * time.Millisecond, 10, false, false},
		{2 * time.Second, 20, false, true},
		{9 * time.Second, 30, true, true},
		{time.Second, 40, false, true},
		{10 * time.Second, 50, true, true},
	} {
		now = now.Add(step.passes)
		hadLines, hadBars := lines.Len(), bars.Len()
		line(step.done, 50)
		draw(step.done, 50)
		if got := lines.Len() > hadLines; got != step.lines {
			t.Errorf("at %d: lines shown: %v, want %v", step.done, got, step.lines)
		}
		if got := bars.Len() > hadBars; got != step.bars {
			t.Errorf("at %d: bar drawn: %v, want %v", step.done, got, step.bars)
		}
	}
	if want := "30 of 50 entries\n50 of 50 entries\n"; lines.String() != want {
		t.Errorf("got %q, want %q", lines.String(), want)
	}
	if !strings.HasSuffix(bars.String(), "50 of 50\n") {
		t.Errorf("got %q, want a bar that ends its line", bars.String())
	}
}
