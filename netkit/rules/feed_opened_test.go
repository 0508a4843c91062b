package rules

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Runs against a set of places.
func TestOpenedRunsAreASet(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var r openedRuns
		set := map[feedPlace]bool{}
		for range rapid.IntRange(0, 40).Draw(rt, "steps") {
			at := feedPlace{rapid.Uint8Range(0, 2).Draw(rt, "line"), rapid.Uint32Range(0, 12).Draw(rt, "nth")}
			before := slices.Clone(r)
			next := r.with(at)
			if !slices.Equal(r, before) {
				rt.Fatalf("adding %v changed %v in place", at, before)
			}
			r, set[at] = next, true
		}
		n := 0
		for i, run := range r {
			n += int(run.to - run.from)
			if run.from >= run.to || i > 0 && r[i-1].line == run.line && r[i-1].to >= run.from || i > 0 && r[i-1].line > run.line {
				rt.Fatalf("got %v, want runs in order with gaps", r)
			}
		}
		for l := range uint8(3) {
			for nth := range uint32(14) {
				if ok := r.has(feedPlace{l, nth}); ok != set[feedPlace{l, nth}] {
					rt.Fatalf("%v has %d/%d: got %v", r, l, nth, ok)
				}
			}
		}
		if n != len(set) {
			rt.Fatalf("got %d places, want %d", n, len(set))
		}
	})
}
