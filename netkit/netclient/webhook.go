package netclient

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/webhook"
)

// Webhook tells how the caller's webhook fares.
func (c *Client) Webhook(ctx context.Context) (webhook.View, error) {
	return get[webhook.View](ctx, c, to(catalog.GetWebhook), nil)
}

// SetWebhook sets the address that events are delivered to; "" removes it. The
// secret is in the answer, the first time.
func (c *Client) SetWebhook(ctx context.Context, in netkit.SetWebhook) (netkit.WebhookReceipt, error) {
	return post[netkit.WebhookReceipt](ctx, c, to(catalog.SetWebhook), in)
}

// RotateWebhook makes a new secret.
func (c *Client) RotateWebhook(ctx context.Context) (webhook.Rotated, error) {
	return post[webhook.Rotated](ctx, c, to(catalog.RotateWebhookSecret), nil)
}

// TestWebhook sends a test event and tells what came of it.
func (c *Client) TestWebhook(ctx context.Context) (webhook.Attempt, error) {
	return post[webhook.Attempt](ctx, c, to(catalog.TestWebhook), nil)
}

// WebhookAttempts lists the latest attempts to deliver, newest first.
func (c *Client) WebhookAttempts(ctx context.Context) ([]webhook.Attempt, error) {
	list, err := get[netkit.List[webhook.Attempt]](ctx, c, to(catalog.ListWebhookAttempts), nil)
	return list.Items, err
}

// ResendWebhook sends the event of an attempt again and tells what came of it.
func (c *Client) ResendWebhook(ctx context.Context, attempt uint64) (webhook.Attempt, error) {
	return post[webhook.Attempt](ctx, c, to(catalog.ResendWebhookAttempt, number(attempt)), nil)
}

// ReplayWebhook sends again what events tell from an entry on.
func (c *Client) ReplayWebhook(ctx context.Context, in webhook.Replay) (webhook.View, error) {
	return post[webhook.View](ctx, c, to(catalog.ReplayWebhook), in)
}
