package rules

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// ReportJoined records a report about a subject of an undecided case, or about a
// further execution of the agent that its sponsor reported; it is judged with that.
// The private part holds the evidence.
type ReportJoined struct {
	Case     uint64
	Reporter string
	State    netkit.CaseState // where the case stands
	Bond     netkit.Credits   // held in the escrow account of this entry
	Subject  uint64           // 0 is the subject of the case

	// of an execution that the case was not about before
	Day     netkit.Day
	Counted netkit.Credits // the part that diversity counted
	pay     Earned         // of one that clears later
	Follows uint64         // the case about it that was dismissed before, or 0

	netkit.Ticks
}

func (*ReportJoined) Kind() netkit.Kind { return netkit.KindCaseJoined }

func (f *ReportJoined) CommandOf(h *PastView) (Command, error) {
	cs, err := h.S.reviewCase(f.Case)
	if err != nil {
		return nil, err
	}
	subject := cmp.Or(f.Subject, cs.subject)
	e, err := h.earlier(subject)
	if err != nil {
		return nil, err
	}
	c := &Report{Report: netkit.Report{Subject: subject, Law: lawNames[cs.law], Ticks: f.Ticks}}
	return c, c.Settle(e, h.earlier)
}

func (f *ReportJoined) Fields(c *wire.Codec) {
	wire.Num(c, "case", &f.Case)
	wire.Str(c, "reporter", &f.Reporter)
	enum(c, "state", &f.State, netkit.CaseStateNames)
	wire.Amount(c, "bond", &f.Bond)
	wire.Num(c, "subject", &f.Subject)
	wire.Num(c, "day", &f.Day)
	wire.Amount(c, "counted", &f.Counted)
	f.pay.uncleared(c)
	wire.Num(c, "follows", &f.Follows)
	ticksFields(c, &f.Ticks)
}

func (f *ReportJoined) Apply(s *State, e *Entry) {
	cs, err := s.reviewCase(f.Case)
	i, known := s.slugs.Get(f.Reporter)
	if err != nil || !known {
		return
	}
	s.cases.Edit(cs)
	row := joinedReport{entry: e.Seq, reporter: i, bond: f.Bond, subject: f.Subject, follows: f.Follows}
	if f.Subject != 0 && !slices.ContainsFunc(cs.executions(), func(x *Earned) bool { return x.Id == f.Subject }) {
		row.earned = f.pay
		row.earned.Id, row.earned.Agent, row.earned.Day, row.earned.Counted = f.Subject, s.parties.At(cs.Reported).Slug, f.Day, f.Counted
		s.judged.Put(judgedKey{f.Subject, cs.law}, cs.id)
		s.notify(cs.Reported, e.Seq, noticeReported)
	}
	cs.joined = append(slices.Clip(cs.joined), row)
	s.countReport(i, f.Bond)
	s.recordTicks(cmp.Or(f.Subject, cs.subject), cs.Reported, &f.Ticks)
	s.holdReported(cs, cmp.Or(f.Subject, cs.subject), e.At)
}

// countReport adds a report to those of party i that are not final, and a sponsor's
// bond to those that are held.
func (s *State) countReport(i uint32, bond netkit.Credits) {
	x := s.changeExtra(i)
	x.Reports++
	if s.parties.At(i).Kind == netkit.SponsorParty {
		x.bought.bonds += bond
	}
}

func (f *ReportJoined) notice(noticeKind, string) (uint64, string) {
	return f.Subject, fmt.Sprintf("Entry %d of yours was reported too%s; case %d judges it.", f.Subject, unmetNote(&f.Ticks), f.Case)
}

// state is who has a case after a draw.
func (d *Draw) state() netkit.CaseState {
	switch {
	case d.Waits:
		return netkit.CaseDrawing
	case len(d.Panel) == 0:
		return netkit.CaseWithOperator
	}
	return netkit.CaseWithPanel
}

// joinedReport is a report that joined a case.
type joinedReport struct {
	entry    uint64
	reporter uint32
	bond     netkit.Credits // in the escrow account of the entry
	subject  uint64         // 0 is that of the case
	earned   Earned         // of an execution that the case was not about before
	follows  uint64         // the case about that execution that was dismissed before, or 0
}

func (r *joinedReport) Fields(c *wire.Codec) {
	wire.Num(c, "entry", &r.entry)
	wire.Num(c, "reporter", &r.reporter)
	wire.Amount(c, "bond", &r.bond)
	wire.Num(c, "subject", &r.subject)
	c.Member("earned", r.earned.Fields)
	wire.Num(c, "follows", &r.follows)
}
