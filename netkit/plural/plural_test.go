package plural

import "testing"

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n    int
		want string
	}{{0, "0 entries"}, {1, "1 entry"}, {2, "2 entries"}, {-7, "-7 entries"}, {1200, "1200 entries"}} {
		if got := Count(c.n, "entry", "entries"); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	if got := Count(uint64(1), "time", "times"); got != "1 time" {
		t.Errorf("got %q, want 1 time", got)
	}
}
