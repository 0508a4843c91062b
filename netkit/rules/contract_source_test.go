package rules

import (
	"testing"
)

func TestIndexOfExecutionsIsBounded(t *testing.T) {
	var x EntrySpans
	for seq := uint64(1); seq <= 100_000; seq += 3 {
		x = x.with(seq)
	}
	if len(x) > maxSpans {
		t.Errorf("got %d spans, want at most %d", len(x), maxSpans)
	}
	last := uint64(0)
	for k, s := range x {
		if s.First <= last || s.Last < s.First || k >= len(x)-maxSpans/2 && s.First != s.Last {
			t.Fatalf("span %d: got %+v after %d, want it ascending, and the newest half exact", k, s, last)
		}
		last = s.Last
	}
	if x[0].First != 1 || last != 100_000 {
		t.Errorf("got %d to %d, want 1 to 100000", x[0].First, last)
	}
}
