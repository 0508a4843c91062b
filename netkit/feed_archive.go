package netkit

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sort"

	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Each line of the feed keeps its newest dispatches in memory; the older ones are
// archived, some of one line at a time, and read from the journal. A paid read is
// a command, though, which reads nothing while it is decided: what it has to know
// of old dispatches is read before, and comes with it.

const (
	// feedRows is how many dispatches of each line stay in memory at least.
	feedRows = 32
	// feedDays is how long every dispatch stays in memory: longer than a recording
	// that no dispatch names stays on disk.
	feedDays = 2
)

// pastDispatches returns the dispatches of a line that nothing asks the state for
// any more, nil while there are few.
func (s *state) pastDispatches() []uint64 {
	for k := range s.lines {
		ids := s.lines[k].ids.ids
		if len(ids) < feedRows+archiveRows {
			continue
		}
		ids = ids[:archiveRows]
		if d, _ := s.dispatches.Get(ids[archiveRows-1]); int(s.root.at.Day()-d.day) >= feedDays && !slices.ContainsFunc(ids, s.inCrisis) {
			return ids
		}
	}
	return nil
}

// inCrisis reports whether the crisis of a dispatch runs.
func (s *state) inCrisis(id uint64) bool {
	d, _ := s.dispatches.Get(id)
	return d.priority == P0 && d.resolved == 0
}

// archiveDispatches drops the dispatches that an entry holds, the oldest of a line.
func (s *state) archiveDispatches(all []dispatch, entry uint64) {
	if len(all) == 0 {
		return
	}
	for k := range all {
		s.dispatches.Drop(all[k].id)
	}
	l := &s.lines[all[0].place().line]
	l.ids.ids = l.ids.ids[len(all):]
	l.pages.add(page{all[0].id, all[len(all)-1].id, entry})
}

// linePage is a page with its line.
type linePage struct {
	line uint8
	page
}

func (p *linePage) fields(c *wire.Codec) {
	wire.Num(c, "line", &p.line)
	p.page.fields(c)
}

// feedPages carries the pages of all lines.
func (s *state) feedPages(c *wire.Codec) {
	var all []linePage
	if !c.Reading() {
		for l := range s.lines {
			for _, p := range s.lines[l].pages.ids {
				all = append(all, linePage{uint8(l), p})
			}
		}
	}
	wire.List(c, "dispatch_pages", &all, object[linePage])
	if c.Reading() {
		for _, p := range all {
			s.lines[p.line%uint8(lineCount)].pages.add(p.page)
		}
	}
}

// dispatchRow returns the row of a dispatch, wherever it stands, or a refusal.
func (n *Network) dispatchRow(ctx context.Context, id uint64) (*dispatch, error) {
	d, err := view(ctx, n, func(s *state) (*dispatch, error) {
		d, err := s.dispatch("id", id)
		if err != nil {
			return nil, err
		}
		return new(*d), nil
	})
	if err == nil || !errors.Is(err, ErrNotFound) {
		return d, err
	}
	e, missing := n.Entry(ctx, id)
	if errors.Is(missing, ErrNotFound) {
		return nil, err
	}
	if missing != nil {
		return nil, missing
	}
	f, ok := e.Fact.(*Published)
	if !ok {
		return nil, err
	}
	p, err := view(ctx, n, func(s *state) (page, error) {
		pages := s.lines[lineOf(f.Channel, f.Priority)].pages.ids
		k := sort.Search(len(pages), func(k int) bool { return pages[k].last >= id })
		if k == len(pages) {
			return page{}, err
		}
		return pages[k], nil
	})
	if err != nil {
		return nil, err
	}
	old, err := n.oldPage(ctx, p)
	k := slices.IndexFunc(old, func(d dispatch) bool { return d.id == id })
	if err != nil || k < 0 {
		return nil, errors.Join(err, dispatchUnknown("id"))
	}
	return &old[k], nil
}

// oldPage reads a page of archived dispatches.
func (n *Network) oldPage(ctx context.Context, p page) ([]dispatch, error) {
	e, err := n.Entry(ctx, p.entry)
	if err != nil {
		return nil, err
	}
	return e.Fact.(*RowsArchived).Dispatches, nil
}

// oldDispatches calls f for each page of archived dispatches.
func (n *Network) oldDispatches(ctx context.Context, f func(iter.Seq[*dispatch]) error) error {
	pages, err := view(ctx, n, func(s *state) (all []page, _ error) {
		for k := range s.lines {
			all = append(all, s.lines[k].pages.ids...)
		}
		return all, nil
	})
	for _, p := range pages {
		var old []dispatch
		if old, err = n.oldPage(ctx, p); err == nil {
			err = f(pointers(old))
		}
		if err != nil {
			return err
		}
	}
	return err
}

// pointers returns the elements of a list in place.
func pointers[T any](all []T) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for k := range all {
			if !yield(&all[k]) {
				return
			}
		}
	}
}

// fetched are archived dispatches that were read, by the entry that holds them.
type fetched map[uint64][]dispatch

// unread is an entry without which a question about the feed has no answer.
type unread uint64

func (unread) Error() string { return "netkit: an entry is to be read first" }

// until asks until nothing is missing that the answer needs, and returns the error
// of the answer.
func (old fetched) until(read func(uint64) (*Entry, error), ask func() error) error {
	for {
		err := ask()
		var seq unread
		if !errors.As(err, &seq) {
			return err
		}
		e, err := read(uint64(seq))
		if err != nil {
			return err
		}
		old[uint64(seq)] = e.Fact.(*RowsArchived).Dispatches
	}
}

// reader returns a function that reads durable entries.
func (n *Network) reader(ctx context.Context) func(uint64) (*Entry, error) {
	return func(seq uint64) (*Entry, error) { return n.Entry(ctx, seq) }
}

// lineCursor is what a walk has not seen yet of a line, the newest last.
type lineCursor struct {
	pages []page
	read  []dispatch // of the page after these
	ids   []uint64   // in memory
}

// top returns the newest of the line, nil where a page is to be read first, and a
// number that it does not exceed, 0 at the end.
func (x *lineCursor) top(s *state) (*dispatch, uint64) {
	switch {
	case len(x.ids) > 0:
		d, _ := s.dispatches.Get(x.ids[len(x.ids)-1])
		return d, d.id
	case len(x.read) > 0:
		d := &x.read[len(x.read)-1]
		return d, d.id
	case len(x.pages) > 0:
		return nil, x.pages[len(x.pages)-1].last
	}
	return nil, 0
}

// drop goes on behind the newest.
func (x *lineCursor) drop() {
	if len(x.ids) > 0 {
		x.ids = x.ids[:len(x.ids)-1]
	} else {
		x.read = x.read[:len(x.read)-1]
	}
}

// open reads the next page.
func (x *lineCursor) open(old fetched, before uint64) error {
	last := len(x.pages) - 1
	rows, ok := old[x.pages[last].entry]
	if !ok {
		return unread(x.pages[last].entry)
	}
	x.read = rows[:sort.Search(len(rows), func(k int) bool { return rows[k].id >= before })]
	x.pages = x.pages[:last]
	return nil
}

// cursors begins a walk of some lines below a number.
func (s *state) cursors(before uint64, lines uint32) (all []lineCursor) {
	for k := range s.lines {
		if l := &s.lines[k]; lines&(1<<k) != 0 {
			pages, ids := l.pages.ids, l.ids.ids
			all = append(all, lineCursor{
				pages: pages[:sort.Search(len(pages), func(k int) bool { return pages[k].first >= before })],
				ids:   ids[:sort.Search(len(ids), func(k int) bool { return ids[k] >= before })]})
		}
	}
	return all
}

// walkFeed calls see for the dispatches of some lines with numbers below before,
// the newest first, until it returns false. A walk that has looked at much ends:
// what is below floor is then of another. The error is an [unread] where it needs
// a page that is not among old.
func (s *state) walkFeed(before uint64, lines uint32, old fetched, see func(*dispatch) bool) (floor uint64, err error) {
	all := s.cursors(before, lines)
	for looked, opened := 0, 0; ; {
		var next *lineCursor
		var d *dispatch
		var at uint64
		for k := range all {
			if row, id := all[k].top(s); id > at {
				next, d, at = &all[k], row, id
			}
		}
		switch {
		case next == nil:
			return 0, nil
		case looked == maxScan || opened == maxPages && d == nil:
			return at + 1, nil
		case d == nil:
			if err := next.open(old, before); err != nil {
				return 0, err
			}
			opened++
			continue
		case !see(d):
			return 0, nil
		}
		next.drop()
		looked++
	}
}
