package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// refuseSettled returns the refusal of an act on an execution that is not pending:
// it was undone, a case holds its pay, or it has cleared. It returns nil for one that
// is pending.
func (s *State) refuseSettled(x *Earned, at netkit.Millis) error {
	i, _ := s.slugs.Get(x.Agent)
	switch {
	case s.undone(x.Id):
		return conflict(code.ExecutionReturned, "the pay of the execution went back, or a case overturned it", "{getExecution} shows its state")
	case s.waitsForCase(i, x.Id):
		return conflict(code.ExecutionHeld, "a case holds the pay of the execution", "{listCases} shows the case; its judgement decides")
	case !s.uncleared(x, at):
		return conflict(code.ExecutionCleared, "the execution has cleared, and cleared pay stays with the agent", "return a signal that you cannot use before it clears; {reportSubject} reports a breach of a law")
	}
	return nil
}

// AcceptExecution accepts one execution and, unlike AcceptExecutions, refuses one
// that is not pending.
type AcceptExecution struct{ AcceptExecutions }

func (c *AcceptExecution) Decide(s *State, call *Call) error {
	if err := c.AcceptExecutions.Decide(s, call); err != nil || len(call.Facts) > 0 {
		return err
	}
	return s.refuseSettled(&c.All[0], call.At)
}

// SettlementOf returns the amount that the entry of an acceptance, a return or a
// report moves, with the case of a report.
func SettlementOf(e *Entry) (amount netkit.Credits, caseID uint64, resold bool) {
	switch f := e.Fact.(type) {
	case *ExecutionsAccepted:
		return (*AcceptExecutions)(nil).Receipt(e).Pay, 0, false
	case *ExecutionReturnedFact:
		return (*ReturnExecution)(nil).Receipt(e).Pay, 0, f.Resold
	}
	r := (*Report)(nil).Receipt(e)
	return r.Bond, r.CaseID, false
}

// CountBefore has a preview count returns that will be made before this one, which
// will name the criteria that are unmet.
func (c *ReturnExecution) CountBefore(returns uint64) { c.before, c.criteria = returns, 0 }

// CountBefore has a preview count reports that will be filed before this one.
func (c *Report) CountBefore(reports uint64) { c.before = int(min(reports, netkit.MaxBulkItems)) }

// FitsSettlement reports whether an entry is an execution of a sponsor that a query of
// its asks for, but for the state and the marks.
func FitsSettlement(q *netkit.SettlementQuery, sponsor string, e *Entry) bool {
	wants := netkit.ExecutionQuery{CampaignID: q.CampaignID, Agent: q.Agent, Sponsor: sponsor}
	return WantsExecution(&wants, e) && (q.Before == 0 || e.At < q.Before)
}

// RefuseUnlessSponsor refuses a caller that is no sponsor, and so has bought nothing.
func (s *State) RefuseUnlessSponsor(by netkit.Caller) error {
	_, p, err := s.reader(by)
	if err == nil && p.Kind != netkit.SponsorParty {
		err = netkit.Forbidden("", code.SponsorsOnly, "only a sponsor settles the executions that it bought", "{asSponsor}")
	}
	return err
}
