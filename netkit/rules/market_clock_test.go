package rules

import (
	"container/heap"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
)

// Whatever falls due on either clock comes in the order of real time, then of
// sequence numbers.
func TestDueOnBothClocksComesInOneOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := NewState()
		at := netkit.Millis(netkit.FullDay)
		for range rapid.IntRange(0, 5).Draw(rt, "crises") {
			at += netkit.Millis(rapid.IntRange(0, 9).Draw(rt, "light")) * netkit.Hour
			s.clock.follow(at, at+netkit.Millis(rapid.IntRange(0, 9).Draw(rt, "dark"))*netkit.Hour)
			at += 3 * netkit.Hour // a crisis may be cut short by the next change
		}
		type item struct {
			at netkit.Millis
			id uint64
		}
		var want []item
		for id := range uint64(rapid.IntRange(0, 40).Draw(rt, "items")) {
			d := deadline{real: netkit.Millis(netkit.FullDay) + netkit.Millis(rapid.IntRange(0, 60).Draw(rt, "real"))*netkit.Hour}
			if rapid.Bool().Draw(rt, "market") {
				d = deadline{market: s.clock.Market(d.real)}
			}
			s.deadlines.planDeadline(panelEnds, d, id)
			want = append(want, item{s.expected(d, 0), id})
		}
		slices.SortFunc(want, func(a, b item) int {
			if (dueItem{at: a.at, id: a.id}).before(dueItem{at: b.at, id: b.id}) {
				return -1
			}
			return 1
		})
		until := netkit.Millis(netkit.FullDay) + netkit.Millis(rapid.IntRange(0, 80).Draw(rt, "until"))*netkit.Hour
		want = slices.DeleteFunc(want, func(x item) bool { return x.at > until })
		var got []item
		for s.Waits(until) {
			it, from, _ := s.firstDue(until)
			got = append(got, item{it.at, it.id})
			heap.Pop(from)
		}
		if !slices.Equal(got, want) {
			rt.Fatalf("got %v, want %v", got, want)
		}
	})
}
