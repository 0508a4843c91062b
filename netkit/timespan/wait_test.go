package timespan

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestWait(t *testing.T) {
	for _, c := range []struct {
		name          string
		span, timeout time.Duration
		held          bool
		took          time.Duration
	}{
		{"passes", time.Minute, time.Hour, true, time.Minute},
		{"ends early", time.Hour, time.Minute, false, time.Minute},
		{"is over", -time.Second, time.Minute, true, 0},
		{"is over, as the context", 0, 0, false, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), c.timeout)
			defer cancel()
			begun := time.Now()
			if held := Wait(ctx, c.span); held != c.held || time.Since(begun) != c.took {
				t.Errorf("%s: got %t after %s, want %t after %s", c.name, held, time.Since(begun), c.held, c.took)
			}
		})
	}
}
