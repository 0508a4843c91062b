package netkit

import (
	"slices"
	"sort"

	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Which dispatches a reader has opened. A dispatch has a place: its line, which is
// its channel and priority, and its number within that. A paid read opens the
// newest of the lines that it asks for, so what somebody has opened of a line is
// a few runs of numbers, however much that is.

// lineCount is the number of lines: every channel has one for each priority.
const lineCount = 6 * (int(P2) + 1)

// feedPlace is where a dispatch stands.
type feedPlace struct {
	line uint8
	nth  uint32 // within the line, from 0
}

// lineOf returns the line of a channel and priority.
func lineOf(ch Niche, p Priority) uint8 { return uint8((int(ch)-1)*(int(P2)+1) + int(p)) }

// fileDispatch adds a new dispatch to its line and returns its place.
func (s *state) fileDispatch(d *dispatch) feedPlace {
	l := lineOf(d.channel, d.priority)
	s.lines[l].add(d.id)
	return feedPlace{l, uint32(len(s.lines[l].ids) - 1)}
}

// placeInFeed returns the place of a dispatch.
func (s *state) placeInFeed(d *dispatch) feedPlace {
	l := lineOf(d.channel, d.priority)
	return feedPlace{l, uint32(s.lines[l].below(d.id))}
}

// below returns how many of a line come before an id.
func (l *line) below(id uint64) int {
	return sort.Search(len(l.ids), func(i int) bool { return l.ids[i] >= id })
}

// openedRun is a part of a line without gaps: the numbers [from, to).
type openedRun struct {
	line     uint8
	from, to uint32
}

func (r *openedRun) fields(c *wire.Codec) {
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

// has reports whether a place is within a run, and where that run begins.
func (r openedRuns) has(at feedPlace) (from uint32, ok bool) {
	i := r.find(at)
	if i == len(r) || r[i].line != at.line || r[i].from > at.nth {
		return 0, false
	}
	return r[i].from, true
}

// with returns the runs with a place added.
func (r openedRuns) with(at feedPlace) openedRuns {
	if _, ok := r.has(at); ok {
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
func (s *state) hasOpened(x *extra, d *dispatch) bool {
	if d.id <= x.opened {
		return true
	}
	_, ok := x.read.has(s.placeInFeed(d))
	return ok
}

// closed counts what a reader has not opened of a line.
func (s *state) closed(x *extra, l uint8) int {
	all := s.lines[l].ids
	free := uint32(s.lines[l].below(x.opened + 1)) // opened by reads of before
	n := len(all) - int(free)
	for _, r := range x.read {
		if r.line == l && r.to > free {
			n -= int(r.to - max(r.from, free))
		}
	}
	return n
}

// newestClosed returns the newest dispatches of some lines with ids below before
// that a reader has not opened, at most that many.
func (s *state) newestClosed(x *extra, lines []uint8, before uint64, most int) (ids []uint64) {
	next := make([]int, len(lines)) // of each line, the number of its newest that may be taken
	for k, l := range lines {
		next[k] = s.lastClosed(x, l, s.lines[l].below(before)-1)
	}
	for len(ids) < most {
		best := -1
		for k, l := range lines {
			if next[k] >= 0 && (best < 0 || s.lines[l].ids[next[k]] > s.lines[lines[best]].ids[next[best]]) {
				best = k
			}
		}
		if best < 0 {
			break
		}
		l := lines[best]
		ids = append(ids, s.lines[l].ids[next[best]])
		next[best] = s.lastClosed(x, l, next[best]-1)
	}
	return ids
}

// lastClosed returns the last number of a line up to nth that a reader has not
// opened, -1 if there is none.
func (s *state) lastClosed(x *extra, l uint8, nth int) int {
	for nth >= 0 && s.lines[l].ids[nth] > x.opened {
		from, ok := x.read.has(feedPlace{l, uint32(nth)})
		if !ok {
			return nth
		}
		nth = int(from) - 1
	}
	return -1
}
