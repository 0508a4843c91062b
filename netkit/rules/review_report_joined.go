package rules

import (
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// ReportJoined records a report about what an undecided case is about; it is
// judged with that. The evidence stands in the private part.
type ReportJoined struct {
	Case     uint64
	Reporter string
	State    netkit.CaseState // where the case stands
	Bond     netkit.Credits   // held in the escrow account of this entry
}

func (*ReportJoined) Kind() netkit.Kind { return netkit.KindCaseJoined }

func (f *ReportJoined) CommandOf(h *PastView) (Command, error) {
	cs, err := h.S.reviewCase(f.Case)
	if err != nil {
		return nil, err
	}
	e, err := h.earlier(cs.subject)
	if err != nil {
		return nil, err
	}
	c := &Report{Report: netkit.Report{Subject: cs.subject, Law: lawNames[cs.law]}}
	return c, c.Settle(e, h.earlier)
}

func (f *ReportJoined) Fields(c *wire.Codec) {
	wire.Num(c, "case", &f.Case)
	wire.Str(c, "reporter", &f.Reporter)
	enum(c, "state", &f.State, netkit.CaseStateNames)
	wire.Amount(c, "bond", &f.Bond)
}

func (f *ReportJoined) Apply(s *State, e *Entry) {
	cs, err := s.reviewCase(f.Case)
	i, known := s.slugs.Get(f.Reporter)
	if err != nil || !known {
		return
	}
	s.cases.Edit(cs)
	cs.joined = append(slices.Clip(cs.joined), joinedReport{entry: e.Seq, reporter: i, bond: f.Bond})
	s.changeExtra(i).Reports++
	s.holdPay(cs, e.At)
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
