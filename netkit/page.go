package netkit

import (
	"hash/crc32"
	"sort"
	"strconv"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/undo"
)

// Page asks for a part of a list. The cursor is opaque: it comes from the
// answer before.
type Page struct {
	Cursor string `json:"cursor,omitempty" doc:"next_cursor of the answer before"`
	Limit  int    `json:"limit,omitempty" doc:"items wanted, at most 200; default: 50"`
}

// List is a part of a list. Items is never null.
type List[T any] struct {
	Items      []T    `json:"items"`
	NextCursor string `json:"next_cursor,omitempty" doc:"absent on the last page"`
	AsOf       AsOf   `json:"as_of"`
}

// AsOf says what an answer rests on: tiers, scores and what can be spent depend on
// the time as well as on the journal.
type AsOf struct {
	Seq  uint64 `json:"seq" doc:"latest journal entry that was taken into account"`
	Date Day    `json:"date"`
	At   Millis `json:"at,omitzero" doc:"when it was asked, or the time of the latest entry if that is later"`
}

// asOf returns what an answer of now rests on.
func (s *state) asOf(now Millis) AsOf { return AsOf{s.root.next - 1, s.today(now), s.moment(now)} }

// moment returns the time that an answer of now is of: a journal ahead of the clock
// wins, as it does for the time of entries.
func (s *state) moment(now Millis) Millis { return max(now, s.root.at) }

// today returns the date that look-backs end on when asked now. A journal
// ahead of the clock wins, as it does for the time of entries.
func (s *state) today(now Millis) Day { return s.moment(now).Day() }

// reader returns the row of whoever asks, whatever its standing: a suspended
// agent may read.
func (s *state) reader(by Caller) (uint32, *party, error) {
	c := call{by: by}
	return c.standing(s)
}

const (
	pageLimit = 50
	maxPage   = 200
	// maxScan bounds the rows that one page looks at, so that a filter that
	// matches hardly anything does not keep the clerk out for long.
	maxScan = 10_000
)

// window returns what a page of a list in id order, newest first, covers: how
// many items, and the id that all of them stay below.
func (p Page) window() (size int, before uint64, err error) {
	if size, err = p.size(); err == nil {
		before, err = p.before()
	}
	return size, before, err
}

// size returns how many items are wanted.
func (p Page) size() (int, error) {
	switch {
	case p.Limit == 0:
		return pageLimit, nil
	case p.Limit < 0 || p.Limit > maxPage:
		return 0, invalid("limit", code.LimitOutOfRange, "must be 1 to 200", "")
	}
	return p.Limit, nil
}

// before returns the id that a page of a list in id order, newest first, stays
// below; the greatest there is on the first page.
func (p Page) before() (uint64, error) {
	if p.Cursor == "" {
		return ^uint64(0), nil
	}
	at := max(0, len(p.Cursor)-cursorCheck)
	id, err := strconv.ParseUint(p.Cursor[:at], 36, 64)
	if err != nil || cursorBelow(id) != p.Cursor {
		return 0, invalid("cursor", code.CursorMalformed, "is not a cursor of this network", "use next_cursor as it came, or leave it out to begin again")
	}
	return id, nil
}

// cursorCheck is how many characters at the end of a cursor tell one that the
// network gave from one that somebody made up.
const cursorCheck = 3

// cursorBelow makes the cursor of a page that stays below id.
func cursorBelow(id uint64) string {
	const values = 36 * 36 * 36
	number := strconv.FormatUint(id, 36)
	sum := uint64(crc32.ChecksumIEEE([]byte(number))) % values
	return number + strconv.FormatUint(values+sum, 36)[1:]
}

// pick returns the numbers of up to size rows that match, newest first, among
// those whose id is below before, and the cursor of what follows. Rows must
// stand in the order of their ids.
func pick[T any](t *undo.Table[T], id func(*T) uint64, before uint64, size int, match func(uint32, *T) bool) (rows []uint32, next string) {
	from := sort.Search(int(t.Len()), func(i int) bool { return id(t.At(uint32(i))) >= before })
	for i, looked := from-1, 0; i >= 0; i, looked = i-1, looked+1 {
		row := uint32(i)
		if looked == maxScan {
			return rows, cursorBelow(id(t.At(row)) + 1)
		}
		if !match(row, t.At(row)) {
			continue
		}
		if len(rows) == size {
			return rows, cursorBelow(id(t.At(row)) + 1)
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
