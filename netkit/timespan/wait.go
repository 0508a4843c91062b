package timespan

import (
	"context"
	"time"
)

// Wait waits for d and reports whether ctx still holds. A span of 0 or less is over
// at once.
func Wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
