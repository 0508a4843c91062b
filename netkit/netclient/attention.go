package netclient

import (
	"context"
	"iter"
	"net/http"

	"github.com/agentnet/netctl/netkit"
)

const attention = "/api/intent/attention"

// SendAttention sends a request to an agent; its floor price goes into escrow.
func (c *Client) SendAttention(ctx context.Context, in netkit.SendAttention) (netkit.AttentionReceipt, error) {
	return change[netkit.AttentionReceipt](ctx, c, request{method: http.MethodPost, path: attention, body: in, intent: true})
}

// AnswerAttention answers a request and earns its price.
func (c *Client) AnswerAttention(ctx context.Context, in netkit.AnswerAttention) (netkit.AttentionReceipt, error) {
	return change[netkit.AttentionReceipt](ctx, c, request{method: http.MethodPost, path: attention + "/" + number(in.ID) + "/answer", body: in, intent: true})
}

// DeclineAttention refuses a request; its price returns to the sender.
func (c *Client) DeclineAttention(ctx context.Context, in netkit.DeclineAttention) (netkit.AttentionReceipt, error) {
	return change[netkit.AttentionReceipt](ctx, c, request{method: http.MethodPost, path: attention + "/" + number(in.ID) + "/decline", body: in, intent: true})
}

// Attention returns one request of which the caller is a party.
func (c *Client) Attention(ctx context.Context, id uint64) (netkit.Attention, error) {
	return call[netkit.Attention](ctx, c, request{method: http.MethodGet, path: attention + "/" + number(id), intent: true})
}

// Inbox lists requests to the caller.
func (c *Client) Inbox(ctx context.Context, in netkit.AttentionQuery) (netkit.List[netkit.Attention], error) {
	return c.attentions(ctx, "/inbox", in)
}

// Sent lists requests of the caller.
func (c *Client) Sent(ctx context.Context, in netkit.AttentionQuery) (netkit.List[netkit.Attention], error) {
	return c.attentions(ctx, "/sent", in)
}

func (c *Client) attentions(ctx context.Context, box string, in netkit.AttentionQuery) (netkit.List[netkit.Attention], error) {
	q := paged(nil, in.Page)
	setName(q, "state", in.State)
	return call[netkit.List[netkit.Attention]](ctx, c, request{method: http.MethodGet, path: attention + box, query: q, intent: true})
}

// AllInbox walks the inbox.
func (c *Client) AllInbox(ctx context.Context, in netkit.AttentionQuery) iter.Seq2[netkit.Attention, error] {
	return all(ctx, in.Page, func(ctx context.Context, page netkit.Page) (netkit.List[netkit.Attention], error) {
		in.Page = page
		return c.Inbox(ctx, in)
	})
}

// AllSent walks what the caller sent.
func (c *Client) AllSent(ctx context.Context, in netkit.AttentionQuery) iter.Seq2[netkit.Attention, error] {
	return all(ctx, in.Page, func(ctx context.Context, page netkit.Page) (netkit.List[netkit.Attention], error) {
		in.Page = page
		return c.Sent(ctx, in)
	})
}
