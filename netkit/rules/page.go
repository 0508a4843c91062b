package rules

import (
	"sort"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/undo"
)

// AsOf returns what an answer of now rests on.
func (s *State) AsOf(now netkit.Millis) netkit.AsOf {
	return netkit.AsOf{Seq: s.root.Next - 1, Date: s.today(now), At: s.Moment(now)}
}

// Moment returns the time that an answer of now is of: a journal ahead of the clock
// wins, as it does for the time of entries.
func (s *State) Moment(now netkit.Millis) netkit.Millis { return max(now, s.root.At) }

// today returns the date that look-backs end on when asked now. A journal
// ahead of the clock wins, as it does for the time of entries.
func (s *State) today(now netkit.Millis) netkit.Day { return s.Moment(now).Day() }

// reader returns the row of the caller, whatever its standing: a suspended
// agent may read.
func (s *State) reader(by netkit.Caller) (uint32, *Party, error) {
	c := Call{By: by}
	return c.standing(s)
}

const (
	// maxScan bounds the rows that one page looks at, so that a filter that
	// matches hardly anything does not keep the clerk out for long.
	maxScan = 10_000
)

// pick returns the numbers of up to size rows that match, newest first, among
// those whose id is below before, and the cursor of what follows. Rows must
// stand in the order of their ids.
func pick[T any](t *undo.Table[T], id func(*T) uint64, before uint64, size int, match func(uint32, *T) bool) (rows []uint32, next string) {
	from := sort.Search(int(t.Len()), func(i int) bool { return id(t.At(uint32(i))) >= before })
	for i, looked := from-1, 0; i >= 0; i, looked = i-1, looked+1 {
		row := uint32(i)
		if looked == maxScan {
			return rows, netkit.CursorBelow(id(t.At(row)) + 1)
		}
		if !match(row, t.At(row)) {
			continue
		}
		if len(rows) == size {
			return rows, netkit.CursorBelow(id(t.At(row)) + 1)
		}
		rows = append(rows, row)
	}
	return rows, ""
}

// pickRows is pick for rows by number. It returns below which number the rows
// are of the next page, 0 where this is the last.
func pickRows[T any](all *undo.Rows[T], before uint64, size int, match func(*T) bool) (rows []*T, floor uint64) {
	looked := 0
	for id, row := range all.Below(before) {
		fits := match(row)
		if looked == maxScan || fits && len(rows) == size {
			return rows, id + 1
		}
		if looked++; fits {
			rows = append(rows, row)
		}
	}
	return rows, 0
}

// find returns the number of the row with that id. Rows must stand in the
// order of their ids.
func find[T any](t *undo.Table[T], id func(*T) uint64, want uint64) (uint32, bool) {
	i := sort.Search(int(t.Len()), func(i int) bool { return id(t.At(uint32(i))) >= want })
	return uint32(i), i < int(t.Len()) && id(t.At(uint32(i))) == want
}
