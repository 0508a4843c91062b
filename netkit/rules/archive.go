package rules

import (
	"cmp"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// What is finished leaves memory. Once enough rows wait, an entry of the kind
// rows.archived takes them over as they are, and the state keeps one page, which
// says where they stand. Whoever asks for an old row gets it from that entry.

const (
	// ArchiveRows is how many finished rows wait in memory for an entry, and how
	// many it takes at most.
	ArchiveRows = 128
	// archiveBytes bounds the rows of an entry, whose public part is limited.
	archiveBytes = 32 << 10
	// MaxPages bounds the archived pages that one page of a list reads.
	MaxPages = 24
)

// Page is an entry that holds archived rows.
type Page struct{ first, Last, Entry uint64 } // least and greatest number among them

func (p *Page) Fields(c *wire.Codec) {
	wire.Num(c, "first", &p.first)
	wire.Num(c, "last", &p.Last)
	wire.Num(c, "entry", &p.Entry)
}

// shelves is the part of the state that knows of archived rows.
type shelves struct {
	ended          line // contracts that are finished and wait, in the order of their ends
	contractPages  undo.Table[Page]
	settled        line // cases that are final, in the order in which they became so
	casePages      undo.Table[Page]
	admitted       line // admissions that are over and wait, in the order of their ends
	admissionPages undo.Table[Page]
}

// archiveTables registers the pages and the lines that wait for one.
func (s *State) archiveTables() []table {
	return []table{
		storedLine("ended", &s.ended),
		stored(s, "contract_pages", &s.contractPages),
		storedLine("settled", &s.settled),
		stored(s, "case_pages", &s.casePages),
		storedLine("admitted", &s.admitted),
		stored(s, "admission_pages", &s.admissionPages),
	}
}

// archiveStep returns the next entry that takes finished rows over, nil while
// few wait.
func (s *State) archiveStep() Fact {
	switch {
	case len(s.ended.Ids) >= ArchiveRows:
		contracts, _ := gathered(&s.contracts, s.ended.Ids, contractID, nil)
		return &RowsArchived{Contracts: contracts}
	case len(s.settled.Ids) > 0 && s.old(s.settled.Ids[0]):
		old := slices.IndexFunc(s.settled.Ids, func(id uint64) bool { return !s.old(id) })
		if old < 0 {
			old = len(s.settled.Ids)
		}
		f := new(RowsArchived)
		f.Cases, f.Kept = gathered(&s.cases, s.settled.Ids[:old], caseID, func(cs *ReviewCase) bool { return cs.binds })
		return f
	case len(s.admitted.Ids) >= ArchiveRows:
		admissions, _ := gathered(&s.admissions, s.admitted.Ids, admissionID, nil)
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
func (s *State) old(id uint64) bool {
	cs, ok := s.cases.Get(id)
	if !ok || s.law.Review.ReportDays == 0 {
		return false
	}
	days := max(s.law.Review.ReportDays, s.law.Review.RevocationDays+1, s.law.Detectors.CirculationCaseDays, s.law.Scores.FullDays, s.law.Scores.HalfDays)
	for k := range s.law.Badges {
		days = max(days, s.law.Badges[k].CleanDays)
	}
	return int(s.root.At.Day()-cs.ended.Day()) >= days
}

// gathered returns the rows that come first in a line, as many as one entry
// takes, in the order of their numbers, and apart from them those that stay.
// Without stays none does.
func gathered[T any, P interface {
	*T
	Fields(*wire.Codec)
}](from *undo.Rows[T], ids []uint64, number func(*T) uint64, stays func(*T) bool) (all []T, kept []uint64) {
	var c wire.Codec
	for _, id := range ids[:min(len(ids), ArchiveRows)] {
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
	Contracts  []Contract
	Cases      []ReviewCase
	Kept       []uint64   // cases of that age that agents' standings rest on
	Dispatches []Dispatch // of one line of the feed
	Admissions []Admission
}

func (*RowsArchived) Kind() netkit.Kind { return netkit.KindRowsArchived }

func (*RowsArchived) CommandOf(*PastView) (Command, error) { return nil, nil }

func (f *RowsArchived) Fields(c *wire.Codec) {
	wire.List(c, "contracts", &f.Contracts, object[Contract])
	wire.List(c, "cases", &f.Cases, object[ReviewCase])
	wire.List(c, "kept", &f.Kept, wire.Number)
	wire.List(c, "dispatches", &f.Dispatches, object[Dispatch])
	wire.List(c, "admissions", &f.Admissions, object[Admission])
}

func (f *RowsArchived) Apply(s *State, e *Entry) {
	ContractShelf.take(s, f, e.Seq)
	s.ended.Ids = s.ended.Ids[len(f.Contracts):]
	for k := range f.Cases {
		cs := &f.Cases[k]
		for key := range cs.keys() {
			if latest, _ := s.judged.Get(key); latest == cs.id {
				s.judged.Drop(key)
			}
		}
		if key, ok := s.complaintOf(cs); ok {
			if latest, _ := s.complaints.Get(key); latest == cs.id {
				s.complaints.Drop(key)
			}
		}
		s.roots.Edit(s.root).judged = max(s.root.judged, cs.Earned.Day)
		for _, x := range cs.executions() {
			s.root.judged = max(s.root.judged, x.Day)
		}
	}
	CaseShelf.take(s, f, e.Seq)
	s.settled.Ids = s.settled.Ids[len(f.Cases)+len(f.Kept):]
	AdmissionShelf.take(s, f, e.Seq)
	s.admitted.Ids = s.admitted.Ids[len(f.Admissions):]
	s.archiveDispatches(f.Dispatches, e.Seq)
}

// Shelf is where the rows of one kind stand: in memory, or in entries.
type Shelf[T any] struct {
	live   func(*State) *undo.Rows[T]
	pages  func(*State) *undo.Table[Page]
	rows   func(*RowsArchived) []T
	Number func(*T) uint64
}

var ContractShelf = Shelf[Contract]{
	live:   func(s *State) *undo.Rows[Contract] { return &s.contracts },
	pages:  func(s *State) *undo.Table[Page] { return &s.contractPages },
	rows:   func(f *RowsArchived) []Contract { return f.Contracts },
	Number: contractID,
}

var CaseShelf = Shelf[ReviewCase]{
	live:   func(s *State) *undo.Rows[ReviewCase] { return &s.cases },
	pages:  func(s *State) *undo.Table[Page] { return &s.casePages },
	rows:   func(f *RowsArchived) []ReviewCase { return f.Cases },
	Number: caseID,
}

var AdmissionShelf = Shelf[Admission]{
	live:   func(s *State) *undo.Rows[Admission] { return &s.admissions },
	pages:  func(s *State) *undo.Table[Page] { return &s.admissionPages },
	rows:   func(f *RowsArchived) []Admission { return f.Admissions },
	Number: admissionID,
}

// take drops the rows that an entry holds and notes the page.
func (x *Shelf[T]) take(s *State, f *RowsArchived, seq uint64) {
	all := x.rows(f)
	if len(all) == 0 {
		return
	}
	for k := range all {
		x.live(s).Drop(x.Number(&all[k]))
	}
	x.pages(s).Add(Page{x.Number(&all[0]), x.Number(&all[len(all)-1]), seq})
}

// Pick returns rows in memory; see pickRows.
func (x *Shelf[T]) Pick(s *State, before uint64, size int, match func(*T) bool) (rows []*T, floor uint64) {
	return pickRows(x.live(s), before, size, match)
}

// Archived returns the rows that an entry holds.
func (x *Shelf[T]) Archived(e *Entry) []T { return x.rows(e.Fact.(*RowsArchived)) }

// Find reads the page of a row among some; nil where none has it.
func (x *Shelf[T]) Find(pages []Page, id uint64, read func(uint64) (*Entry, error)) (*T, error) {
	for _, p := range pages {
		if id < p.first || id > p.Last {
			continue
		}
		e, err := read(p.Entry)
		if err != nil {
			return nil, err
		}
		all := x.Archived(e)
		if k := slices.IndexFunc(all, func(row T) bool { return x.Number(&row) == id }); k >= 0 {
			return &all[k], nil
		}
	}
	return nil, nil
}

// Below lists the pages with rows below a number, the latest rows first.
func (x *Shelf[T]) Below(s *State, before uint64) (pages []Page) {
	for _, p := range x.pages(s).All() {
		if p.first < before {
			pages = append(pages, *p)
		}
	}
	slices.SortFunc(pages, func(a, b Page) int { return cmp.Compare(b.Last, a.Last) })
	return pages
}
