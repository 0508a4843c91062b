package score

import (
	"testing"
)

func TestInWindow(t *testing.T) {
	for _, c := range []struct {
		today, day, n int64
		want          bool
	}{
		{100, 100, 1, true},
		{100, 99, 1, false},
		{100, 11, 90, true},
		{100, 10, 90, false},
		{100, 101, 90, false}, // after the closed date
		{-5, -6, 2, true},
		{100, 100, 0, false},
	} {
		if got := InWindow(c.today, c.day, c.n); got != c.want {
			t.Errorf("InWindow(%d, %d, %d): got %v, want %v", c.today, c.day, c.n, got, c.want)
		}
	}
}
