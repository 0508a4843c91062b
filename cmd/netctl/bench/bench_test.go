package bench

import (
	"testing"
	"time"
)

// A short run measures something for every figure; how much says nothing.
func TestRun(t *testing.T) {
	for _, keys := range []bool{false, true} {
		r, err := Run(t.Context(), Config{Connections: 4, Rounds: 1, Span: 50 * time.Millisecond, Keys: keys, Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		for _, rate := range []Rate{r.Bare, r.Durable, r.InProcess} {
			if rate.PerSecond <= 0 || rate.P99 < rate.P50 || rate.P50 <= 0 {
				t.Errorf("got %+v, want figures", rate)
			}
		}
		if r.Ratio <= 0 || r.Replay <= 0 || r.Entries < 10 {
			t.Errorf("got %+v, want figures", r)
		}
	}
}

// The same of open streams, which receive what the load makes.
func TestRunStreams(t *testing.T) {
	r, err := RunStreams(t.Context(), Streams{Streams: 8, Rate: 200, Rounds: 1, Span: 300 * time.Millisecond, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if r.Without.PerSecond <= 0 || r.With.PerSecond <= 0 || r.Ratio <= 0 || r.Delivered <= 0 {
		t.Errorf("got %+v, want figures", r)
	}
	if asked := float64(r.Asked) * 1.1; r.Without.PerSecond > asked {
		t.Errorf("got %.0f executions a second, want no more than %d", r.Without.PerSecond, r.Asked)
	}
}
