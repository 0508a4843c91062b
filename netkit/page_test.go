package netkit

import (
	"strings"
	"testing"
)

func TestPageSize(t *testing.T) {
	for limit, want := range map[int]int{0: 50, 1: 1, 200: 200, 201: 0, -1: 0} {
		got, err := Page{Limit: limit}.Size()
		if got != want || (err != nil) != (want == 0) {
			t.Errorf("limit %d: got %d, %v; want %d", limit, got, err, want)
		}
	}
}

func TestCursorIsReadBack(t *testing.T) {
	for _, id := range []uint64{0, 1, 35, 36, ^uint64(0)} {
		if got, err := (Page{Cursor: CursorBelow(id)}).Before(); got != id || err != nil {
			t.Errorf("got %d, %v; want %d", got, err, id)
		}
	}
	for _, c := range []string{"-1", "?", " ", "zzzzzzzzzzzzzzzzzzzz", "a", "abc", "999999999999", strings.ToUpper(CursorBelow(^uint64(0)))} {
		_, err := Page{Cursor: c}.Before()
		refused(t, err, ErrInvalid, "cursor_malformed")
	}
}
