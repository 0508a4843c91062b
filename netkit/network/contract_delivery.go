package network

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/rules"
)

// Delivery returns one execution, with its signal if the caller may read it.
//
// Refusals: entry_unknown, execution_unknown.
func (ses *Session) Delivery(ctx context.Context, id uint64) (netkit.ExecutionView, error) {
	e, err := ses.n.Entry(ctx, id)
	if err != nil {
		return netkit.ExecutionView{}, err
	}
	if e.Kind != netkit.KindExecution {
		return netkit.ExecutionView{}, &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.ExecutionUnknown, Field: "id", What: "names no execution", Next: "{listExecutions} lists them"}
	}
	return ses.delivered(ctx, e)
}

// delivered shows an execution to the caller. The private part is read for those
// alone who may read the signal.
func (ses *Session) delivered(ctx context.Context, e *rules.Entry) (netkit.ExecutionView, error) {
	now := ses.n.Now()
	readable := false
	v, err := view(ctx, ses.n, func(s *rules.State) (v netkit.ExecutionView, err error) {
		v, readable = s.ExecutionView(ses.by, e, s.Moment(now))
		return v, nil
	})
	if err == nil && v.Suppressed {
		v.Suppressed, err = rules.Commercial(v.CampaignID, ses.n.reader(ctx))
	}
	if err != nil || !readable || v.Suppressed {
		return v, err
	}
	signal := new(netkit.Signal)
	there, err := ses.n.text(ctx, e.Seq, (*signalText)(signal))
	if err != nil || !there {
		return v, err
	}
	if v.Signal = signal; ses.by.Slug == v.Agent {
		return v, nil
	}
	return v, ses.markDuplicate(ctx, e, &v)
}

// markDuplicate marks a signal that is nearly the same as an earlier one. A sponsor
// sees which of its own it resembles, and of those of others that there is one.
func (ses *Session) markDuplicate(ctx context.Context, e *rules.Entry, v *netkit.ExecutionView) error {
	d, err := ses.n.nearDuplicate(ctx, e.Seq)
	if err != nil {
		return err
	}
	_, err = view(ctx, ses.n, func(s *rules.State) (_ struct{}, _ error) {
		v.NearDuplicateOf, v.Resold = d.same, s.Resold(e.At, d.elsewhere)
		if s.MarksResale() && ses.by.Slug == v.Sponsor {
			v.NearDuplicateOf = d.own
		}
		return
	})
	return err
}

// Deliveries lists executions, newest first: those of a contract, of an agent, or
// all. Each page reads a bounded part of the journal, so that it may be short or
// empty and still name a next one.
//
// Refusals: agent_unknown, contract_unknown, sponsor_pending, sponsor_unknown.
func (ses *Session) Deliveries(ctx context.Context, q netkit.ExecutionQuery) (netkit.List[netkit.ExecutionView], error) {
	now := ses.n.Now()
	out := netkit.List[netkit.ExecutionView]{Items: []netkit.ExecutionView{}}
	size, before, err := q.Window()
	if err != nil {
		return out, err
	}
	src, err := ses.n.executions(ctx, &q, before)
	if err != nil {
		return out, err
	}
	out.AsOf, err = view(ctx, ses.n, func(s *rules.State) (netkit.AsOf, error) { return s.AsOf(now), nil })
	for looked := 0; err == nil && src.next != 0 && looked < maxReads && len(out.Items) < size; looked++ {
		var e *rules.Entry
		if e, err = src.entry(ctx, ses.n); err != nil || e == nil || !rules.WantsExecution(&q, e) {
			continue
		}
		var v netkit.ExecutionView
		if v, err = ses.delivered(ctx, e); err == nil && (q.State == nil || *q.State == v.State) {
			out.Items = append(out.Items, v)
		}
	}
	if err == nil && src.next != 0 {
		out.NextCursor = netkit.CursorBelow(src.next + 1)
	}
	return out, err
}

// maxReads bounds the entries that one page of executions reads.
const maxReads = 300

// maxAccepted is how many executions one entry accepts.
const maxAccepted = 200

// Accept accepts executions before they clear by themselves. What has cleared is
// left out, so that asking again changes nothing.
//
// Refusals: account_unknown, agent_unknown, contract_missing, contract_unknown,
// criterion_unknown, entry_unknown, execution_unknown, executions_mixed.
func (ses *Session) Accept(ctx context.Context, in netkit.AcceptExecutions) (netkit.AcceptedReceipt, error) {
	if err := in.Check(); err != nil {
		return netkit.AcceptedReceipt{}, err
	}
	if len(in.ExecutionIDs) > maxAccepted {
		return netkit.AcceptedReceipt{}, netkit.Invalid("execution_ids", code.TooMany, "has more than 200 numbers", "accept them in parts")
	}
	if len(in.ExecutionIDs) == 0 {
		return ses.acceptAll(ctx, in.CampaignID, in.Ticks.Sorted())
	}
	c := new(rules.AcceptExecutions)
	for _, id := range slices.Compact(slices.Sorted(slices.Values(in.ExecutionIDs))) {
		e, err := ses.n.Entry(ctx, id)
		if err == nil {
			err = c.About(e, in.CampaignID)
		}
		if err != nil {
			return netkit.AcceptedReceipt{}, err
		}
	}
	if err := c.TickOff(in.Ticks.Sorted(), ses.n.reader(ctx)); err != nil {
		return netkit.AcceptedReceipt{}, err
	}
	return ses.accept(ctx, c)
}

func (ses *Session) accept(ctx context.Context, c *rules.AcceptExecutions) (netkit.AcceptedReceipt, error) {
	return run(ctx, ses, c, nil)
}

// acceptAll accepts what of a contract has not cleared, an entry for up to
// maxAccepted. Each entry accepts something else, so no key is kept for it. Who
// may not accept is refused even if there is nothing to accept.
func (ses *Session) acceptAll(ctx context.Context, campaign uint64, ticks netkit.Ticks) (netkit.AcceptedReceipt, error) {
	n, ctx := ses.n, netkit.WithKey(ctx, "")
	out := netkit.AcceptedReceipt{Accepted: []uint64{}}
	sponsor, err := n.sponsorOf(ctx, campaign)
	if err != nil {
		return out, err
	}
	src, err := n.executions(ctx, &netkit.ExecutionQuery{CampaignID: campaign}, math.MaxUint64)
	for more := true; more && err == nil; {
		c := &rules.AcceptExecutions{Sponsor: sponsor}
		if more, err = n.gather(ctx, &src, c, campaign); err == nil {
			err = c.TickOff(ticks, n.reader(ctx))
		}
		if err != nil {
			break
		}
		var r netkit.AcceptedReceipt
		if r, err = ses.accept(ctx, c); r.Seq != 0 {
			out.Accepted, out.Pay, out.Ticks, out.Seq, out.At = append(out.Accepted, r.Accepted...), out.Pay+r.Pay, r.Ticks, r.Seq, r.At
		}
	}
	return out, err
}

// sponsorOf returns the sponsor that opened a contract.
func (n *Network) sponsorOf(ctx context.Context, campaign uint64) (string, error) {
	if campaign == 0 {
		return "", netkit.Invalid("campaign_id", code.ContractMissing, "is required", "name the contract, or the executions")
	}
	if e, err := n.Entry(ctx, campaign); err == nil {
		if sponsor, ok := e.OpenedBy(); ok {
			return sponsor, nil
		}
	} else if !errors.Is(err, netkit.ErrNotFound) {
		return "", err
	}
	return "", rules.ContractUnknown("campaign_id")
}

// gather collects up to maxAccepted executions that may not have cleared, and
// reports whether there may be more.
func (n *Network) gather(ctx context.Context, src *executionSource, c *rules.AcceptExecutions, campaign uint64) (more bool, err error) {
	now, oldest := rules.Instant{}, netkit.Millis(0)
	_, err = view(ctx, n, func(s *rules.State) (_ struct{}, _ error) {
		now, oldest = s.OldestPendingAt(n.Now())
		return
	})
	for err == nil && src.next != 0 && len(c.All) < maxAccepted {
		e, readErr := src.entry(ctx, n)
		if err = readErr; err != nil || e.At < oldest {
			return false, err
		}
		if e.Clears(now) {
			err = c.About(e, campaign)
		}
	}
	return src.next != 0, err
}
