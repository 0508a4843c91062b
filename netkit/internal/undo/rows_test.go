package undo_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/agentnet/netctl/netkit/internal/undo"
)

// Rows are, after any changes and any rollbacks, what a plain map is.
func TestRowsAgainstMap(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	var rows undo.Rows[int]
	kept, now, next := map[uint64]int{}, map[uint64]int{}, uint64(1)
	anyOf := func() uint64 { return 1 + random.Uint64N(next) }
	for range 400 {
		for range random.IntN(60) {
			switch id := anyOf(); random.IntN(5) {
			case 0, 1:
				rows.Add(next, int(next))
				now[next] = int(next)
				next += 1 + random.Uint64N(3)
			case 2:
				if row, ok := rows.Get(id); ok {
					*rows.Edit(row) += 1000
					now[id] += 1000
				}
			default:
				rows.Drop(id)
				delete(now, id)
			}
		}
		if random.IntN(3) == 0 {
			rows.Rollback()
			now = maps.Clone(kept)
		} else {
			rows.Commit()
			kept = maps.Clone(now)
		}
		want := slices.Sorted(maps.Keys(now))
		var got []uint64
		for id, row := range rows.All() {
			if got = append(got, id); *row != now[id] {
				t.Fatalf("row %d: got %d, want %d", id, *row, now[id])
			}
		}
		if !slices.Equal(got, want) || rows.Len() != len(want) {
			t.Fatalf("got rows %v, want %v", got, want)
		}
		before := anyOf()
		got = nil
		for id := range rows.Below(before) {
			got = append(got, id)
		}
		slices.Reverse(got)
		if k, _ := slices.BinarySearch(want, before); !slices.Equal(got, want[:k]) {
			t.Fatalf("below %d: got %v, want %v", before, got, want[:k])
		}
	}
}

// Dropped rows leave no gap behind, and the order stays whole.
func TestRowsClosesGaps(t *testing.T) {
	var rows undo.Rows[int]
	for id := range uint64(5000) {
		rows.Add(id, int(id))
	}
	rows.Commit()
	for id := range uint64(4990) {
		rows.Drop(id)
		if id%7 == 0 {
			rows.Commit()
		}
	}
	rows.Commit()
	rows.Drop(4990)
	rows.Rollback()
	var got []int
	for _, row := range rows.Below(math.MaxUint64) {
		got = append(got, *row)
	}
	if want := []int{4999, 4998, 4997, 4996, 4995, 4994, 4993, 4992, 4991, 4990}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
