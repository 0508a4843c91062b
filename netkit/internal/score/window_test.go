package score

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestDay(t *testing.T) {
	for _, c := range []struct{ ms, want int64 }{
		{0, 0}, {86_399_999, 0}, {86_400_000, 1}, {-1, -1}, {-86_400_000, -1}, {-86_400_001, -2},
	} {
		if got := Day(c.ms); got != c.want {
			t.Errorf("Day(%d): got %d, want %d", c.ms, got, c.want)
		}
	}
}

func TestDayIsTheCalendarDay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := rapid.Int64Range(-1<<45, 1<<45).Draw(t, "ms")
		y, m, d := time.UnixMilli(ms).UTC().Date()
		y2, m2, d2 := time.Unix(Day(ms)*86_400, 0).UTC().Date()
		if y != y2 || m != m2 || d != d2 {
			t.Fatalf("got %d-%d-%d, want %d-%d-%d", y2, m2, d2, y, m, d)
		}
	})
}

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
