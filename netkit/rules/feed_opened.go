package rules

import (
	"slices"
	"sort"

	"github.com/agentnet/netctl/netkit/internal/wire"
)

// openedRun is a part of a line without gaps: the numbers [from, to).
type openedRun struct {
	line     uint8
	from, to uint32
}

func (r *openedRun) Fields(c *wire.Codec) {
	wire.Num(c, "line", &r.line)
	wire.Num(c, "from", &r.from)
	wire.Num(c, "to", &r.to)
}

// openedRuns are what one reader has opened, sorted by line and number, with a gap
// between any two of a line. They are never changed in place, since the image of
// a row keeps the list that it had.
type openedRuns []openedRun

// find returns the index of the first run that ends behind a place.
func (r openedRuns) find(at feedPlace) int {
	return sort.Search(len(r), func(i int) bool {
		return r[i].line > at.line || r[i].line == at.line && r[i].to > at.nth
	})
}

// has reports whether a place is within a run.
func (r openedRuns) has(at feedPlace) bool {
	i := r.find(at)
	return i < len(r) && r[i].line == at.line && r[i].from <= at.nth
}

// with returns the runs with a place added.
func (r openedRuns) with(at feedPlace) openedRuns {
	if r.has(at) {
		return r
	}
	i := r.find(at)
	added := openedRun{at.line, at.nth, at.nth + 1}
	from, to := i, i // of the runs that the new one takes in
	if i > 0 && r[i-1].line == at.line && r[i-1].to == at.nth {
		from, added.from = i-1, r[i-1].from
	}
	if i < len(r) && r[i].line == at.line && r[i].from == at.nth+1 {
		to, added.to = i+1, r[i].to
	}
	return slices.Concat(r[:from], openedRuns{added}, r[to:])
}

// hasOpened reports whether a reader has opened a paid dispatch.
func (x *Extra) hasOpened(d *Dispatch) bool { return x.read.has(d.place()) }

// closed counts what a reader has not opened of a line.
func (s *State) closed(x *Extra, l uint8) int {
	n := s.lineLength(l)
	for _, r := range x.read {
		if r.line == l {
			n -= r.to - r.from
		}
	}
	return int(n)
}

// everything returns runs of all that was ever published.
func (s *State) everything() (all openedRuns) {
	for l := range uint8(lineCount) {
		if n := s.lineLength(l); n > 0 {
			all = append(all, openedRun{l, 0, n})
		}
	}
	return all
}
