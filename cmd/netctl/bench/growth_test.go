package bench

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"
)

// A network is measured at each size, with both starts; a size that its agents
// have passed is left out. The picture has a line for each number of agents.
func TestRunGrowth(t *testing.T) {
	r, err := RunGrowth(t.Context(), Growth{Entries: []uint64{150, 400, 900}, Agents: []int{70, 500}, Rounds: 1, Span: 20 * time.Millisecond, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, s := range r.Sizes {
		got = append(got, s.Agents)
		if s.Durable.PerSecond <= 0 || s.Bare.PerSecond <= 0 || s.Bytes < 100 || s.Heap == 0 || s.Start.Took <= 0 || s.Replay.Took <= 0 {
			t.Errorf("got %+v, want figures", s)
		}
	}
	if len(got) < 4 || got[0] != 70 || got[len(got)-1] != 500 {
		t.Errorf("got sizes with %v agents", got)
	}
	for i := range r.Sizes[1:] {
		if a, b := &r.Sizes[i], &r.Sizes[i+1]; a.Agents == b.Agents && b.Entries <= a.Entries {
			t.Errorf("got %d entries after %d", b.Entries, a.Entries)
		}
	}
	svg := string(r.SVG())
	if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
		t.Errorf("the picture: %v", err)
	}
	if n := strings.Count(svg, "<polyline"); n != 2*len(growthCharts) {
		t.Errorf("got %d lines, want %d", n, 2*len(growthCharts))
	}
}
