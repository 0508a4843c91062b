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
