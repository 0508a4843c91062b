package rules

import (
	"errors"
	"slices"
	"sort"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Each line of the feed keeps its newest dispatches in memory; the older ones are
// archived, some of one line at a time, and read from the journal. A paid read is
// a command, though, which reads nothing while it is decided: what it has to know
// of old dispatches is read before, and comes with it.

const (
	// FeedRows is how many dispatches of each line stay in memory at least.
	FeedRows = 32
	// FeedDays is how long every dispatch stays in memory: longer than a recording
	// that no dispatch names stays on disk.
	FeedDays = 2
)

// pastDispatches returns the dispatches of a line that nothing asks the state for
// any more, nil while there are few.
func (s *State) pastDispatches() []uint64 {
	for k := range s.lines {
		ids := s.lines[k].ids.Ids
		if len(ids) < FeedRows+ArchiveRows {
			continue
		}
		ids = ids[:ArchiveRows]
		if d, _ := s.dispatches.Get(ids[ArchiveRows-1]); int(s.root.At.Day()-d.day) >= FeedDays && !slices.ContainsFunc(ids, s.inCrisis) {
			return ids
		}
	}
	return nil
}

// inCrisis reports whether the crisis of a dispatch runs.
func (s *State) inCrisis(id uint64) bool {
	d, _ := s.dispatches.Get(id)
	return d.Priority == netkit.P0 && d.resolved == 0
}

// archiveDispatches drops the dispatches that an entry holds, the oldest of a line.
func (s *State) archiveDispatches(all []Dispatch, entry uint64) {
	if len(all) == 0 {
		return
	}
	for k := range all {
		s.dispatches.Drop(all[k].Id)
	}
	l := &s.lines[all[0].place().line]
	l.ids.Ids = l.ids.Ids[len(all):]
	l.Pages.add(Page{all[0].Id, all[len(all)-1].Id, entry})
}

// linePage is a page with its line.
type linePage struct {
	line uint8
	Page
}

func (p *linePage) Fields(c *wire.Codec) {
	wire.Num(c, "line", &p.line)
	p.Page.Fields(c)
}

// feedPages carries the pages of all lines.
func (s *State) feedPages(c *wire.Codec) {
	var all []linePage
	if !c.Reading() {
		for l := range s.lines {
			for _, p := range s.lines[l].Pages.then(undo.FreezeOf(c.Freeze)) {
				all = append(all, linePage{uint8(l), p})
			}
		}
	}
	wire.List(c, "dispatch_pages", &all, object[linePage])
	if c.Reading() {
		for _, p := range all {
			s.lines[p.line%uint8(lineCount)].Pages.add(p.Page)
		}
	}
}

// Fetched are archived dispatches that were read, by the entry that holds them.
type Fetched map[uint64][]Dispatch

// unread is an entry without which a question about the feed has no answer.
type unread uint64

func (unread) Error() string { return "netkit: an entry is to be read first" }

// Until asks until nothing is missing that the answer needs, and returns the error
// of the answer.
func (old Fetched) Until(read func(uint64) (*Entry, error), ask func() error) error {
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

// lineCursor is what a walk has not seen yet of a line, the newest last.
type lineCursor struct {
	pages []Page
	read  []Dispatch // of the page after these
	ids   []uint64   // in memory
}

// top returns the newest of the line, nil where a page is to be read first, and a
// number that it does not exceed, 0 at the end.
func (x *lineCursor) top(s *State) (*Dispatch, uint64) {
	switch {
	case len(x.ids) > 0:
		d, _ := s.dispatches.Get(x.ids[len(x.ids)-1])
		return d, d.Id
	case len(x.read) > 0:
		d := &x.read[len(x.read)-1]
		return d, d.Id
	case len(x.pages) > 0:
		return nil, x.pages[len(x.pages)-1].Last
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
func (x *lineCursor) open(old Fetched, before uint64) error {
	last := len(x.pages) - 1
	rows, ok := old[x.pages[last].Entry]
	if !ok {
		return unread(x.pages[last].Entry)
	}
	x.read = rows[:sort.Search(len(rows), func(k int) bool { return rows[k].Id >= before })]
	x.pages = x.pages[:last]
	return nil
}

// cursors begins a walk of some lines below a number.
func (s *State) cursors(before uint64, lines uint32) (all []lineCursor) {
	for k := range s.lines {
		if l := &s.lines[k]; lines&(1<<k) != 0 {
			pages, ids := l.Pages.Ids, l.ids.Ids
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
func (s *State) walkFeed(before uint64, lines uint32, old Fetched, see func(*Dispatch) bool) (floor uint64, err error) {
	all := s.cursors(before, lines)
	for looked, opened := 0, 0; ; {
		var next *lineCursor
		var d *Dispatch
		var at uint64
		for k := range all {
			if row, id := all[k].top(s); id > at {
				next, d, at = &all[k], row, id
			}
		}
		switch {
		case next == nil:
			return 0, nil
		case looked == maxScan || opened == MaxPages && d == nil:
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

// ID returns the entry that published the dispatch.
func (d *Dispatch) ID() uint64 { return d.Id }

// ArchivedDispatches returns the dispatches that an entry holds.
func (e *Entry) ArchivedDispatches() []Dispatch { return e.Fact.(*RowsArchived).Dispatches }

// DispatchPage returns the page of a dispatch that left memory, from the entry that
// published it.
func (s *State) DispatchPage(e *Entry) (Page, bool) {
	f, ok := e.Fact.(*Published)
	if !ok {
		return Page{}, false
	}
	pages := s.lines[lineOf(f.Channel, f.Priority)].Pages.Ids
	k := sort.Search(len(pages), func(k int) bool { return pages[k].Last >= e.Seq })
	if k == len(pages) {
		return Page{}, false
	}
	return pages[k], true
}

// DispatchPages returns the pages of all archived dispatches.
func (s *State) DispatchPages() (all []Page) {
	for k := range s.lines {
		all = append(all, s.lines[k].Pages.Ids...)
	}
	return all
}
