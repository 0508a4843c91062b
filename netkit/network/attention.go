package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// SendAttention sends an attention request.
//
// Refusals: agent_unknown, agents_only, insufficient_credits, not_accepting,
// own_attention, price_above_max, sender_pending, target_pending, target_rogue,
// target_suspended, wallet_short.
func (ses *Session) SendAttention(ctx context.Context, in netkit.SendAttention) (netkit.AttentionReceipt, error) {
	c := &rules.SendAttention{SendAttention: in}
	if err := c.Check(); err != nil {
		return netkit.AttentionReceipt{}, err
	}
	return run(ctx, ses, c, c)
}

// Inbox lists the requests to the caller, newest first: all that are pending,
// and those settled within 30 days.
func (ses *Session) Inbox(ctx context.Context, q netkit.AttentionQuery) (netkit.List[netkit.Attention], error) {
	return ses.requests(ctx, q, false)
}

// Sent lists the requests of the caller, newest first: all that are pending,
// and those settled within 30 days.
func (ses *Session) Sent(ctx context.Context, q netkit.AttentionQuery) (netkit.List[netkit.Attention], error) {
	return ses.requests(ctx, q, true)
}

func (ses *Session) requests(ctx context.Context, q netkit.AttentionQuery, sent bool) (netkit.List[netkit.Attention], error) {
	out := netkit.List[netkit.Attention]{Items: []netkit.Attention{}}
	size, before, err := q.Window()
	if err != nil {
		return out, err
	}
	now := ses.n.Now()
	rows, err := view(ctx, ses.n, func(s *rules.State) (rows []rules.FiledRequest, err error) {
		rows, out.NextCursor, err = s.Mailbox(ses.by, sent, q.State, before, size, now)
		out.AsOf = s.AsOf(now)
		return rows, err
	})
	if err != nil {
		return out, err
	}
	for i := range rows {
		a, err := ses.n.attention(ctx, &rows[i])
		if err != nil {
			return out, err
		}
		out.Items = append(out.Items, a)
	}
	return out, nil
}

// Attention returns one request. To anyone but its two parties it does not
// exist.
//
// Refusals: attention_unknown.
func (ses *Session) Attention(ctx context.Context, id uint64) (netkit.Attention, error) {
	now := ses.n.Now()
	row, err := view(ctx, ses.n, func(s *rules.State) (rules.FiledRequest, error) { return s.OwnRequest(ses.by, id, now) })
	if err != nil {
		return netkit.Attention{}, err
	}
	return ses.n.attention(ctx, &row)
}

// attention reads a request's texts. Those erased since come back empty.
func (n *Network) attention(ctx context.Context, r *rules.FiledRequest) (netkit.Attention, error) {
	a := r.Attention
	var sent rules.SendAttention
	if _, err := n.text(ctx, a.ID, &sent); err != nil {
		return a, err
	}
	a.Subject, a.Body = sent.Subject, sent.Body
	var err error
	switch a.State {
	case netkit.Answered:
		var t rules.AnswerAttention
		_, err = n.text(ctx, r.Last, &t)
		a.Answer = t.Body
	case netkit.Declined:
		var t rules.DeclineAttention
		_, err = n.text(ctx, r.Last, &t)
		a.Reason = t.Reason
	}
	return a, err
}
