package rules

import (
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// ReportFiled records a report and the panel that was drawn by its seed; with
// Panel empty an operator decides. The evidence is in the private part.
type ReportFiled struct {
	Subject   uint64
	Law       netkit.Status
	Reporter  string
	Reported  string
	Execution bool
	Sponsor   string         // of the execution
	Day       netkit.Day     // of the subject
	Counted   netkit.Credits // what diversity counted of the execution
	pay       Earned         // of an execution that clears later
	Bond      netkit.Credits // held in the escrow account of this entry
	Follows   uint64         // the case about the same that was dismissed before, 0 is none
	After     uint64         // the case of the sponsor about the agent that is decided before, or 0

	MarketTime bool // deadlines of the case count in market time
	netkit.Ticks
	Draw
}

func (*ReportFiled) Kind() netkit.Kind { return netkit.KindCaseFiled }

func (f *ReportFiled) CommandOf(h *PastView) (Command, error) {
	e, err := h.earlier(f.Subject)
	if err != nil {
		return nil, err
	}
	c := &Report{Report: netkit.Report{Subject: f.Subject, Law: lawNames[f.Law], Ticks: f.Ticks}}
	return c, c.Settle(e, h.earlier)
}

func (f *ReportFiled) Fields(c *wire.Codec) {
	wire.Num(c, "subject", &f.Subject)
	enum(c, "law", &f.Law, lawNames)
	wire.Str(c, "reporter", &f.Reporter)
	wire.Str(c, "reported", &f.Reported)
	c.Flag("execution", &f.Execution)
	wire.Str(c, "sponsor", &f.Sponsor)
	wire.Num(c, "day", &f.Day)
	wire.Amount(c, "counted", &f.Counted)
	f.pay.uncleared(c)
	wire.Amount(c, "bond", &f.Bond)
	wire.Num(c, "follows", &f.Follows)
	c.Flag("market_time", &f.MarketTime)
	wire.Num(c, "after", &f.After)
	ticksFields(c, &f.Ticks)
	f.Draw.Fields(c)
}

func (f *ReportFiled) Cite(s *State, e *Entry, _, tree netkit.TreeHead) {
	i, known := s.slugs.Get(f.Reporter)
	j, ok := s.slugs.Get(f.Reported)
	if known && ok && !f.Waits {
		f.by(s, tree, PanelSeed(tree.Root, e.Seq, 0), s.Eligible([]uint32{i, j}, nil), e.At, f.MarketTime)
	}
}

func (f *ReportFiled) Apply(s *State, e *Entry) {
	i, known := s.slugs.Get(f.Reporter)
	j, ok := s.slugs.Get(f.Reported)
	if !known || !ok {
		return
	}
	sponsor, _ := s.slugs.Get(f.Sponsor)
	pay := f.pay
	pay.Id, pay.Agent, pay.Day, pay.Counted = f.Subject, f.Reported, f.Day, f.Counted
	cs := s.cases.Add(e.Seq, ReviewCase{id: e.Seq, subject: f.Subject, law: f.Law, reporter: i, Reported: j,
		execution: f.Execution, Sponsor: sponsor, Earned: pay, filed: e.At, bond: f.Bond, follows: f.Follows, after: f.After, marketTime: f.MarketTime})
	s.judged.Put(cs.key(), cs.id)
	if key, ok := s.complaintOf(cs); ok {
		s.complaints.Put(key, cs.id)
	}
	s.countReport(i, f.Bond)
	s.recordTicks(f.Subject, j, &f.Ticks)
	s.holdReported(cs, cs.subject, e.At)
	s.convene(cs, &f.Draw, e)
	s.notify(j, e.Seq, noticeReported)
}

func (f *ReportFiled) notice(kind noticeKind, _ string) (uint64, string) {
	if kind == noticePanelDrawn {
		return 0, fmt.Sprintf("You were drawn to review a report under %s; give your verdict by %s.", f.Law.Law(), f.Ends)
	}
	return f.Subject, fmt.Sprintf("Entry %d of yours was reported under %s%s.", f.Subject, f.Law.Law(), unmetNote(&f.Ticks))
}
