package network

import (
	"cmp"
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/rules"
)

// settlement is one act on an execution, as a command of a bulk. Asked is exported, so
// that an idempotency key is bound to it.
type settlement struct {
	rules.Command `json:"-"`
	Asked         netkit.Settle
	agent         string
	count         func(before uint64) // has a preview count acts before this one
}

// Receipt returns the receipt of the act from its entry.
func (c *settlement) Receipt(e *rules.Entry) netkit.Settlement {
	amount, caseID, resold := rules.SettlementOf(e)
	return netkit.Settlement{ExecutionID: c.Asked.ExecutionID, Action: c.Asked.Action, Agent: c.agent, Amount: amount, CaseID: caseID, Resold: resold, Seq: e.Seq, At: e.At}
}

// settle returns the command of an act on the execution that an entry records.
func (ses *Session) settle(ctx context.Context, in netkit.Settle, e *rules.Entry) (*settlement, error) {
	f, ok := e.Fact.(*rules.Executed)
	if !ok {
		return nil, &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.ExecutionUnknown, Field: "execution_id", What: "names no execution", Next: "{listExecutions} lists them"}
	}
	c := &settlement{Asked: in, agent: f.Agent, count: func(uint64) {}}
	switch in.Action {
	case netkit.SettleAccept:
		accept := new(rules.AcceptExecution)
		c.Command = accept
		if err := accept.About(e, 0); err != nil {
			return c, err
		}
		return c, accept.TickOff(in.Ticks.Sorted(), ses.n.reader(ctx))
	case netkit.SettleReturn:
		back, err := ses.returning(ctx, e, in.Ticks)
		if err == nil {
			c.Command, c.count = back, back.CountBefore
		}
		return c, err
	}
	report := &rules.Report{Report: netkit.Report{Subject: in.ExecutionID, Law: in.Law, Evidence: in.Evidence, Ticks: in.Ticks.Sorted()}}
	c.Command, c.count = report, report.CountBefore
	return c, report.Settle(e, ses.n.reader(ctx))
}

// SettleBulk accepts, returns and reports executions of the caller in order, and
// returns one outcome for each item, when it is durable. An item that is refused
// undoes none of the others. Items carry their own idempotency keys; that of the
// context is not used.
//
// Refusals: case_exists, criteria_missing, criterion_unknown, entry_unknown,
// execution_cleared, execution_held,
// execution_returned, execution_unknown, foreign_contract, foreign_subject,
// law_unknown, on_panel, own_subject, reported_already, reporter_tier, reports_open,
// returns_used, sponsor_funds, sponsor_stopped, subject_no_agents, subject_too_old,
// wallet_short.
func (ses *Session) SettleBulk(ctx context.Context, in []netkit.BulkSettle) []netkit.Outcome[netkit.Settlement] {
	b := newBulk[netkit.Settlement](ctx, ses, len(in))
	for i := range in {
		c, err := ses.settleItem(ctx, &in[i].Settle)
		if err != nil {
			b.refuse(err)
			continue
		}
		var text rules.Content
		if in[i].Action == netkit.SettleReport {
			text = &caseText{in[i].Evidence}
		}
		b.add(in[i].Key, in[i].Fingerprint, c, text)
	}
	outcomes := b.finish()
	for i := range outcomes {
		if in[i].Action == netkit.SettleReport && outcomes[i].Err == nil {
			ses.n.followUp(ctx, nil) // draws the panels of all cases that wait
			break
		}
	}
	return outcomes
}

// settleItem checks an item and returns its command.
func (ses *Session) settleItem(ctx context.Context, in *netkit.Settle) (*settlement, error) {
	if err := in.Check(); err != nil {
		return nil, err
	}
	if in.Action == netkit.SettleReport {
		if err := ses.n.drawable(); err != nil {
			return nil, err
		}
	}
	e, err := ses.n.Entry(ctx, in.ExecutionID)
	if err != nil {
		return nil, err
	}
	return ses.settle(ctx, *in, e)
}

// PreviewSettlement returns a page of the executions of the caller that an act would
// settle, with the amount that it would move, and records nothing. Each page reads a
// bounded part of the journal, so that it may be short or empty and still name a next
// one.
//
// Refusals: agent_unknown, contract_unknown, sponsor_pending, sponsors_only.
func (ses *Session) PreviewSettlement(ctx context.Context, q netkit.SettlementQuery) (netkit.SettlementPreview, error) {
	out := netkit.SettlementPreview{Action: q.Action, ExecutionIDs: []uint64{}, Items: []netkit.SettlementItem{}, Taken: q.Taken}
	if err := netkit.CheckAction(q.Action); err != nil {
		return out, err
	}
	if _, err := view(ctx, ses.n, func(s *rules.State) (_ struct{}, err error) { return struct{}{}, s.RefuseUnlessSponsor(ses.by) }); err != nil {
		return out, err
	}
	size, before, err := q.Window()
	if err != nil {
		return out, err
	}
	wants := netkit.ExecutionQuery{CampaignID: q.CampaignID, Agent: q.Agent, Sponsor: ses.by.Slug}
	src, err := ses.n.executions(ctx, &wants, before)
	if err != nil {
		return out, err
	}
	now, state, oldest := ses.n.Now(), netkit.ExecutionPending, netkit.Millis(0)
	if q.State != nil {
		state = *q.State
	}
	out.AsOf, err = view(ctx, ses.n, func(s *rules.State) (netkit.AsOf, error) {
		if state == netkit.ExecutionPending {
			_, oldest = s.OldestPendingAt(s.Moment(now))
		}
		return s.AsOf(now), nil
	})
	for looked := 0; err == nil && src.next != 0 && looked < maxReads && len(out.Items) < size; looked++ {
		var e *rules.Entry
		if e, err = src.entry(ctx, ses.n); err != nil || e == nil {
			continue
		}
		if e.At < oldest {
			return out, nil
		}
		if rules.FitsSettlement(&q, ses.by.Slug, e) {
			err = ses.previewItem(ctx, &q, state, e, &out)
		}
	}
	if err == nil && src.next != 0 {
		out.NextCursor = netkit.CursorBelow(src.next + 1)
	}
	return out, err
}

// previewItem adds an execution to a preview if it has the state and the marks that
// the query asks for.
func (ses *Session) previewItem(ctx context.Context, q *netkit.SettlementQuery, state netkit.ExecutionState, e *rules.Entry, out *netkit.SettlementPreview) error {
	v, err := ses.delivered(ctx, e)
	if err != nil || v.State != state || q.NearDuplicate && v.NearDuplicateOf == 0 || q.Resold && !v.Resold {
		return err
	}
	x := netkit.SettlementItem{ExecutionID: e.Seq, CampaignID: v.CampaignID, Agent: v.Agent, State: v.State, At: v.At, NearDuplicateOf: v.NearDuplicateOf, Resold: v.Resold}
	c, err := ses.settle(ctx, netkit.Settle{ExecutionID: e.Seq, Action: q.Action, Law: cmp.Or(q.Law, "L1")}, e)
	if err != nil {
		return err
	}
	c.count(out.Taken)
	would, _, err := preview(ctx, ses, c.Command)
	if err != nil {
		x.Problem = new(netkit.ProblemOf(err))
		if x.Problem.Status >= 500 {
			return err
		}
	} else {
		amount, _, free := rules.SettlementOf(would)
		if x.Amount = amount; !free {
			out.Taken++
		}
		out.ExecutionIDs, out.Amount = append(out.ExecutionIDs, e.Seq), out.Amount+x.Amount
	}
	out.Items = append(out.Items, x)
	return nil
}
