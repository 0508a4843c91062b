package netclient

import (
	"context"
	"iter"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// SendAttention sends a request to an agent; its floor price goes into escrow.
func (c *Client) SendAttention(ctx context.Context, in netkit.SendAttention) (netkit.AttentionReceipt, error) {
	return post[netkit.AttentionReceipt](ctx, c, to(catalog.SendAttention), in)
}

// PreviewAttention returns the price of a request now, or its refusal. Nothing is
// recorded.
func (c *Client) PreviewAttention(ctx context.Context, in netkit.SendAttention) (netkit.AttentionPreview, error) {
	return post[netkit.AttentionPreview](ctx, c, to(catalog.PreviewAttention), in)
}

// AnswerAttention answers a request and earns its price.
func (c *Client) AnswerAttention(ctx context.Context, in netkit.AnswerAttention) (netkit.AttentionReceipt, error) {
	return post[netkit.AttentionReceipt](ctx, c, to(catalog.AnswerAttention, number(in.ID)), in)
}

// DeclineAttention refuses a request; its price returns to the sender.
func (c *Client) DeclineAttention(ctx context.Context, in netkit.DeclineAttention) (netkit.AttentionReceipt, error) {
	return post[netkit.AttentionReceipt](ctx, c, to(catalog.DeclineAttention, number(in.ID)), in)
}

// Attention returns one request of which the caller is a party.
func (c *Client) Attention(ctx context.Context, id uint64) (netkit.Attention, error) {
	return get[netkit.Attention](ctx, c, to(catalog.GetAttention, number(id)), nil)
}

// Inbox lists requests to the caller.
func (c *Client) Inbox(ctx context.Context, in netkit.AttentionQuery) (netkit.List[netkit.Attention], error) {
	return c.attentions(ctx, catalog.ListInbox, in)
}

// Sent lists requests of the caller.
func (c *Client) Sent(ctx context.Context, in netkit.AttentionQuery) (netkit.List[netkit.Attention], error) {
	return c.attentions(ctx, catalog.ListSent, in)
}

func (c *Client) attentions(ctx context.Context, box *catalog.Operation, in netkit.AttentionQuery) (netkit.List[netkit.Attention], error) {
	q := paged(nil, in.Page)
	setName(q, "state", in.State)
	return get[netkit.List[netkit.Attention]](ctx, c, to(box), q)
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
