package netkit

import (
	"cmp"
	"context"
	"slices"

	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// What is finished leaves memory. Once enough rows wait, an entry of the kind
// rows.archived takes them over as they are, and the state keeps one page, which
// says where they stand. Whoever asks for an old row gets it from that entry.

const (
	// archiveRows is how many finished rows wait in memory for an entry, and how
	// many it takes at most.
	archiveRows = 128
	// archiveBytes bounds the rows of an entry, whose public part is limited.
	archiveBytes = 32 << 10
	// maxPages bounds the archived pages that one page of a list reads.
	maxPages = 24
)

// page is an entry that holds archived rows.
type page struct{ first, last, entry uint64 } // least and greatest number among them

func (p *page) fields(c *wire.Codec) {
	wire.Num(c, "first", &p.first)
	wire.Num(c, "last", &p.last)
	wire.Num(c, "entry", &p.entry)
}

// shelves is the part of the state that knows of archived rows.
type shelves struct {
	ended          line // contracts that are finished and wait, in the order of their ends
	contractPages  undo.Table[page]
	settled        line // cases that are final, in the order in which they became so
	casePages      undo.Table[page]
	admitted       line // admissions that are over and wait, in the order of their ends
	admissionPages undo.Table[page]
}

// pageRows carries the pages and what waits for one.
func pageRows(c *wire.Codec, x *shelves) {
	wire.List(c, "ended", &x.ended.ids, wire.Number)
	rows(c, "contract_pages", &x.contractPages)
	wire.List(c, "settled", &x.settled.ids, wire.Number)
	rows(c, "case_pages", &x.casePages)
	wire.List(c, "admitted", &x.admitted.ids, wire.Number)
	rows(c, "admission_pages", &x.admissionPages)
}

// archiveStep returns the next entry that takes finished rows over, nil while
// few wait.
func (s *state) archiveStep() Fact {
	switch {
	case len(s.ended.ids) >= archiveRows:
		contracts, _ := gathered(&s.contracts, s.ended.ids, contractID, nil)
		return &RowsArchived{Contracts: contracts}
	case len(s.settled.ids) > 0 && s.old(s.settled.ids[0]):
		old := slices.IndexFunc(s.settled.ids, func(id uint64) bool { return !s.old(id) })
		if old < 0 {
			old = len(s.settled.ids)
		}
		f := new(RowsArchived)
		f.Cases, f.Kept = gathered(&s.cases, s.settled.ids[:old], caseID, func(cs *reviewCase) bool { return cs.binds })
		return f
	case len(s.admitted.ids) >= archiveRows:
		admissions, _ := gathered(&s.admissions, s.admitted.ids, admissionID, nil)
		return &RowsArchived{Admissions: admissions}
	}
	if ids := s.pastDispatches(); ids != nil {
		dispatches, _ := gathered(&s.dispatches, ids, dispatchID, nil)
		return &RowsArchived{Dispatches: dispatches}
	}
	return nil
}

// old reports whether no rule asks for a final case any more: nobody may report
// the same again, no penalty counts, and no revocation waits that rests on it.
func (s *state) old(id uint64) bool {
	cs, ok := s.cases.Get(id)
	if !ok || s.law.Review.ReportDays == 0 {
		return false
	}
	days := max(s.law.Review.ReportDays, s.law.Review.RevocationDays+1, s.law.Scores.FullDays, s.law.Scores.HalfDays)
	for k := range s.law.Badges {
		days = max(days, s.law.Badges[k].CleanDays)
	}
	return int(s.root.at.Day()-cs.ended.Day()) >= days
}

// gathered returns the rows that come first in a line, as many as one entry
// takes, in the order of their numbers, and apart from them those that stay.
// Without stays none does.
func gathered[T any, P interface {
	*T
	fields(*wire.Codec)
}](from *undo.Rows[T], ids []uint64, number func(*T) uint64, stays func(*T) bool) (all []T, kept []uint64) {
	var c wire.Codec
	for _, id := range ids[:min(len(ids), archiveRows)] {
		row, _ := from.Get(id)
		if stays != nil && stays(row) {
			kept = append(kept, id)
			continue
		}
		if object[T, P](&c, row); len(c.Bytes()) > archiveBytes && len(all) > 0 {
			break
		}
		all = append(all, *row)
	}
	slices.SortFunc(all, func(a, b T) int { return cmp.Compare(number(&a), number(&b)) })
	return all, kept
}

// RowsArchived holds rows of what is finished, as the state had them. Their
// form is that of a snapshot, to which fields may be added.
type RowsArchived struct {
	Contracts  []contract
	Cases      []reviewCase
	Kept       []uint64   // cases of that age that agents' standings rest on
	Dispatches []dispatch // of one line of the feed
	Admissions []admission
}

func (*RowsArchived) kind() Kind { return KindRowsArchived }

func (*RowsArchived) asked(*pastView) (command, error) { return nil, nil }

func (f *RowsArchived) fields(c *wire.Codec) {
	wire.List(c, "contracts", &f.Contracts, object[contract])
	wire.List(c, "cases", &f.Cases, object[reviewCase])
	wire.List(c, "kept", &f.Kept, wire.Number)
	wire.List(c, "dispatches", &f.Dispatches, object[dispatch])
	wire.List(c, "admissions", &f.Admissions, object[admission])
}

func (f *RowsArchived) apply(s *state, e *Entry) {
	contractShelf.take(s, f, e.Seq)
	s.ended.ids = s.ended.ids[len(f.Contracts):]
	for k := range f.Cases {
		cs := &f.Cases[k]
		if latest, _ := s.judged.Get(cs.key()); latest == cs.id {
			s.judged.Drop(cs.key())
		}
		s.roots.Edit(s.root).judged = max(s.root.judged, cs.earned.day)
	}
	caseShelf.take(s, f, e.Seq)
	s.settled.ids = s.settled.ids[len(f.Cases)+len(f.Kept):]
	admissionShelf.take(s, f, e.Seq)
	s.admitted.ids = s.admitted.ids[len(f.Admissions):]
	s.archiveDispatches(f.Dispatches, e.Seq)
}

// shelf is where the rows of one kind stand: in memory, or in entries.
type shelf[T any] struct {
	live   func(*state) *undo.Rows[T]
	pages  func(*state) *undo.Table[page]
	rows   func(*RowsArchived) []T
	number func(*T) uint64
}

var contractShelf = shelf[contract]{
	live:   func(s *state) *undo.Rows[contract] { return &s.contracts },
	pages:  func(s *state) *undo.Table[page] { return &s.contractPages },
	rows:   func(f *RowsArchived) []contract { return f.Contracts },
	number: contractID,
}

var caseShelf = shelf[reviewCase]{
	live:   func(s *state) *undo.Rows[reviewCase] { return &s.cases },
	pages:  func(s *state) *undo.Table[page] { return &s.casePages },
	rows:   func(f *RowsArchived) []reviewCase { return f.Cases },
	number: caseID,
}

var admissionShelf = shelf[admission]{
	live:   func(s *state) *undo.Rows[admission] { return &s.admissions },
	pages:  func(s *state) *undo.Table[page] { return &s.admissionPages },
	rows:   func(f *RowsArchived) []admission { return f.Admissions },
	number: admissionID,
}

// take drops the rows that an entry holds and notes the page.
func (x *shelf[T]) take(s *state, f *RowsArchived, seq uint64) {
	all := x.rows(f)
	if len(all) == 0 {
		return
	}
	for k := range all {
		x.live(s).Drop(x.number(&all[k]))
	}
	x.pages(s).Add(page{x.number(&all[0]), x.number(&all[len(all)-1]), seq})
}

// find reads the page of a row among some; nil where none has it.
func (x *shelf[T]) find(pages []page, id uint64, read func(uint64) (*Entry, error)) (*T, error) {
	for _, p := range pages {
		if id < p.first || id > p.last {
			continue
		}
		e, err := read(p.entry)
		if err != nil {
			return nil, err
		}
		all := x.rows(e.Fact.(*RowsArchived))
		if k := slices.IndexFunc(all, func(row T) bool { return x.number(&row) == id }); k >= 0 {
			return &all[k], nil
		}
	}
	return nil, nil
}

// below lists the pages with rows below a number, the latest rows first.
func (x *shelf[T]) below(s *state, before uint64) (pages []page) {
	for _, p := range x.pages(s).All() {
		if p.first < before {
			pages = append(pages, *p)
		}
	}
	slices.SortFunc(pages, func(a, b page) int { return cmp.Compare(b.last, a.last) })
	return pages
}

// archived returns a row that left memory, or the error given where there is
// none.
func archived[T any](ctx context.Context, n *Network, x shelf[T], id uint64, unknown error) (*T, error) {
	pages, err := view(ctx, n, func(s *state) ([]page, error) { return x.below(s, id+1), nil })
	if err != nil {
		return nil, err
	}
	row, err := x.find(pages, id, func(seq uint64) (*Entry, error) { return n.Entry(ctx, seq) })
	if row == nil && err == nil {
		err = unknown
	}
	return row, err
}

// listing is a page of a list whose rows may have left memory.
type listing[T, V any] struct {
	shelf[T]
	before uint64
	size   int
	old    bool // archived rows may match
	// match says which rows are wanted, and show what is shown of them.
	match func(*state) (func(*T) bool, error)
	show  func(*state, *T) V

	floor uint64 // rows below are of the next page
	found []listed[V]
	pages []page
}

type listed[V any] struct {
	id   uint64
	view V
}

// read returns what is shown of the rows, newest first, and the cursor of what
// follows.
func (l *listing[T, V]) read(ctx context.Context, n *Network) ([]V, string, error) {
	_, err := view(ctx, n, func(s *state) (struct{}, error) { return struct{}{}, l.recent(s) })
	for looked, p := range l.pages {
		if err != nil || len(l.found) >= l.size && l.found[l.size-1].id > p.last || p.last < l.floor {
			break
		}
		if looked == maxPages {
			l.cut(p.last + 1)
			break
		}
		err = l.readPage(ctx, n, p.entry)
	}
	if len(l.found) > l.size {
		l.cut(l.found[l.size-1].id)
	}
	items := make([]V, len(l.found))
	for k := range l.found {
		items[k] = l.found[k].view
	}
	if l.floor == 0 {
		return items, "", err
	}
	return items, cursorBelow(l.floor), err
}

// cut leaves the rows below a number to the next page.
func (l *listing[T, V]) cut(floor uint64) {
	l.floor = max(l.floor, floor)
	l.found = slices.DeleteFunc(l.found, func(x listed[V]) bool { return x.id < floor })
}

// recent looks through the rows in memory, as far as one page goes.
func (l *listing[T, V]) recent(s *state) error {
	match, err := l.match(s)
	if err != nil {
		return err
	}
	var rows []*T
	rows, l.floor = pickRows(l.live(s), l.before, l.size, match)
	l.found, l.pages = nil, nil
	for _, row := range rows {
		l.found = append(l.found, listed[V]{l.number(row), l.show(s, row)})
	}
	if l.old {
		l.pages = l.below(s, l.before)
	}
	return nil
}

// readPage adds the rows of an entry.
func (l *listing[T, V]) readPage(ctx context.Context, n *Network, seq uint64) error {
	e, err := n.Entry(ctx, seq)
	if err != nil {
		return err
	}
	all := l.rows(e.Fact.(*RowsArchived))
	more, err := view(ctx, n, func(s *state) (more []listed[V], err error) {
		match, err := l.match(s)
		for k := range all {
			if id := l.number(&all[k]); err == nil && id < l.before && id >= l.floor && match(&all[k]) {
				more = append(more, listed[V]{id, l.show(s, &all[k])})
			}
		}
		return more, err
	})
	l.found = append(l.found, more...)
	slices.SortFunc(l.found, func(a, b listed[V]) int { return cmp.Compare(b.id, a.id) })
	return err
}
