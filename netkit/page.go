package netkit

import (
	"hash/crc32"
	"strconv"

	"github.com/agentnet/netctl/netkit/code"
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

const (
	pageLimit = 50
	MaxPage   = 200
)

// Window returns what a page of a list in id order, newest first, covers: how
// many items, and the id that all of them stay below.
func (p Page) Window() (size int, before uint64, err error) {
	if size, err = p.Size(); err == nil {
		before, err = p.Before()
	}
	return size, before, err
}

// Size returns how many items are wanted.
func (p Page) Size() (int, error) {
	switch {
	case p.Limit == 0:
		return pageLimit, nil
	case p.Limit < 0 || p.Limit > MaxPage:
		return 0, Invalid("limit", code.LimitOutOfRange, "must be 1 to 200", "")
	}
	return p.Limit, nil
}

// Before returns the id that a page of a list in id order, newest first, stays
// below; the greatest there is on the first page.
func (p Page) Before() (uint64, error) {
	if p.Cursor == "" {
		return ^uint64(0), nil
	}
	at := max(0, len(p.Cursor)-cursorCheck)
	id, err := strconv.ParseUint(p.Cursor[:at], 36, 64)
	if err != nil || CursorBelow(id) != p.Cursor {
		return 0, Invalid("cursor", code.CursorMalformed, "is not a cursor of this network", "use next_cursor as it came, or leave it out to begin again")
	}
	return id, nil
}

// cursorCheck is how many characters at the end of a cursor tell one that the
// network gave from one that somebody made up.
const cursorCheck = 3

// CursorBelow makes the cursor of a page that stays below id.
func CursorBelow(id uint64) string {
	const values = 36 * 36 * 36
	number := strconv.FormatUint(id, 36)
	sum := uint64(crc32.ChecksumIEEE([]byte(number))) % values
	return number + strconv.FormatUint(values+sum, 36)[1:]
}
