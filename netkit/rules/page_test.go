package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/undo"
)

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
		page := netkit.Page{Limit: rapid.IntRange(1, 7).Draw(t, "limit")}
		for {
			before, _ := page.Before()
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
	page, pages := netkit.Page{}, 0
	for {
		before, _ := page.Before()
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
