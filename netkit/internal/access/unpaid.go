package access

import (
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Unpaid counts the entries of a day that cost their party nothing. It keeps one
// day: an earlier or later one begins a new table.
type Unpaid struct {
	unpaidDay
	kept unpaidDay // as of the last commit

	frozen unpaidDay // at the freeze
}

type unpaidDay struct {
	date int32
	used *undo.Index[string, uint32] // by slug
}

func newUnpaid() Unpaid {
	day := newDay(0)
	return Unpaid{unpaidDay: day, kept: day}
}

func newDay(date int32) unpaidDay {
	used := undo.NewIndex[string, uint32]()
	return unpaidDay{date, &used}
}

// Date returns the day that is counted.
func (u *Unpaid) Date() int32 { return u.date }

// Turn begins a new table if date is another day.
func (u *Unpaid) Turn(date int32) {
	if date != u.date {
		u.unpaidDay = newDay(date)
	}
}

// Count adds an entry of a party to the day.
func (u *Unpaid) Count(slug string) {
	n, _ := u.used.Get(slug)
	u.used.Put(slug, n+1)
}

// On returns how many entries of a party were counted on a date.
func (u *Unpaid) On(date int32, slug string) int {
	if date != u.date {
		return 0
	}
	n, _ := u.used.Get(slug)
	return int(n)
}

// Commit says that the open batch is durable.
func (u *Unpaid) Commit() { u.used.Commit(); u.kept = u.unpaidDay }

// Rollback undoes the open batch.
func (u *Unpaid) Rollback() { u.unpaidDay = u.kept; u.used.Rollback() }

// Freeze keeps the day as it is; nil ends that.
func (u *Unpaid) Freeze(f *undo.Freeze) {
	if u.frozen.used != nil {
		u.frozen.used.Freeze(nil)
	}
	if u.frozen = (unpaidDay{}); f != nil {
		u.frozen = u.unpaidDay
		u.used.Freeze(f)
	}
}

type storedUnpaid struct {
	slug    string
	entries uint32
}

func storedUnpaidFields(c *wire.Codec, r *storedUnpaid) {
	c.Begin()
	wire.Str(c, "slug", &r.slug)
	wire.Num(c, "entries", &r.entries)
	c.End()
}

func (u *Unpaid) fields(c *wire.Codec) {
	day := &u.unpaidDay
	if c.Freeze != nil {
		day = &u.frozen
	}
	wire.Num(c, "unpaid_date", &day.date)
	if !c.Reading() {
		row := func(p undo.Pair[string, uint32]) storedUnpaid { return storedUnpaid{p.Key, p.Value} }
		wire.EachOf(c, "unpaid", day.used.Pairs(undo.FreezeOf(c.Freeze), undo.ByKey), row, storedUnpaidFields)
		return
	}
	var all []storedUnpaid
	wire.List(c, "unpaid", &all, storedUnpaidFields)
	for _, r := range all {
		u.used.M[r.slug] = r.entries
	}
}

// Sources counts the day's unpaid entries of each source, in memory. The zero
// value counts nothing yet.
type Sources struct {
	date int32
	used map[string]int
}

// Take counts want entries of a source on a date unless that makes more than
// limit, and reports whether it did.
func (s *Sources) Take(date int32, source string, want, limit int) bool {
	if s.date != date || s.used == nil {
		*s = Sources{date, map[string]int{}}
	}
	if s.used[source]+want > limit {
		return false
	}
	s.used[source] += want
	return true
}
