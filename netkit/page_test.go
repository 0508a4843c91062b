package netkit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit/internal/undo"
)

func TestPageSize(t *testing.T) {
	for limit, want := range map[int]int{0: 50, 1: 1, 200: 200, 201: 0, -1: 0} {
		got, err := Page{Limit: limit}.size()
		if got != want || (err != nil) != (want == 0) {
			t.Errorf("limit %d: got %d, %v; want %d", limit, got, err, want)
		}
	}
}

func TestCursorIsReadBack(t *testing.T) {
	for _, id := range []uint64{0, 1, 35, 36, ^uint64(0)} {
		if got, err := (Page{Cursor: cursorBelow(id)}).before(); got != id || err != nil {
			t.Errorf("got %d, %v; want %d", got, err, id)
		}
	}
	for _, c := range []string{"-1", "?", " ", "zzzzzzzzzzzzzzzzzzzz", "a", "abc", "999999999999", strings.ToUpper(cursorBelow(^uint64(0)))} {
		_, err := Page{Cursor: c}.before()
		refused(t, err, ErrInvalid, "cursor_malformed")
	}
}

// Pages put together are the list of all that match, newest first, whatever
// is added while they are read.
func TestPagesAreTheList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tab undo.Table[uint64]
		id := uint64(0)
		add := func(n int) {
			for range n {
				id += uint64(rapid.IntRange(1, 9).Draw(t, "step"))
				tab.Add(id)
			}
		}
		add(rapid.IntRange(0, 40).Draw(t, "rows"))
		even := func(_ uint32, v *uint64) bool { return *v%2 == 0 }
		var want, got []uint64
		for i := int(tab.Len()) - 1; i >= 0; i-- {
			if v := tab.At(uint32(i)); even(0, v) {
				want = append(want, *v)
			}
		}
		page := Page{Limit: rapid.IntRange(1, 7).Draw(t, "limit")}
		for {
			before, _ := page.before()
			rows, next := pick(&tab, func(v *uint64) uint64 { return *v }, before, page.Limit, even)
			for _, r := range rows {
				got = append(got, *tab.At(r))
			}
			if page.Cursor = next; next == "" {
				break
			}
			add(2)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// A filter that matches nothing still ends, a bounded stretch at a time.
func TestPickIsBounded(t *testing.T) {
	var tab undo.Table[uint64]
	for i := range uint64(maxScan*2 + 5) {
		tab.Add(i + 1)
	}
	page, pages := Page{}, 0
	for {
		before, _ := page.before()
		looked := 0
		rows, next := pick(&tab, func(v *uint64) uint64 { return *v }, before, 50, func(_ uint32, v *uint64) bool { looked++; return *v == 1 })
		pages++
		if looked > maxScan {
			t.Fatalf("page %d looked at %d rows, at most %d are allowed", pages, looked, maxScan)
		}
		if page.Cursor = next; next == "" {
			if len(rows) != 1 || pages != 3 {
				t.Errorf("got %d rows on page %d, want 1 on page 3", len(rows), pages)
			}
			return
		}
	}
}
