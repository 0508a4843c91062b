package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/webhook"
)

// WebhookAttempts is the log of a webhook.
type WebhookAttempts struct {
	Items []webhook.Attempt `json:"items"`
}

// webhookRoutes are what an agent does with its webhook.
func (s *Server) webhookRoutes() []route {
	h := s.hooks
	return []route{
		get(catalog.GetWebhook, func(_ context.Context, v *request, _ *none) (webhook.View, error) { return h.View(v.caller.Slug) }),
		act(catalog.SetWebhook, s.setWebhook),
		get(catalog.RotateWebhookSecret, func(ctx context.Context, v *request, _ *none) (webhook.Rotated, error) {
			return h.Rotate(v.caller.Slug, netkit.KeyOf(ctx))
		}),
		get(catalog.TestWebhook, func(ctx context.Context, v *request, _ *none) (webhook.Attempt, error) {
			return h.Test(ctx, v.caller.Slug)
		}),
		get(catalog.ListWebhookAttempts, func(_ context.Context, v *request, _ *none) (WebhookAttempts, error) {
			items, err := h.Log(v.caller.Slug)
			return WebhookAttempts{items}, err
		}),
		get(catalog.ResendWebhookAttempt, func(ctx context.Context, v *request, p *byID) (webhook.Attempt, error) {
			return h.Resend(ctx, v.caller.Slug, p.ID)
		}),
		act(catalog.ReplayWebhook, func(_ context.Context, v *request, _ *none, in webhook.Replay) (webhook.View, error) {
			return h.Replay(v.caller.Slug, in.From)
		}),
	}
}

// setWebhook sets an address, and shows the secret where one was made for it.
// Whoever may not read may not have events sent either.
func (s *Server) setWebhook(ctx context.Context, v *request, _ *none, in netkit.SetWebhook) (netkit.WebhookReceipt, error) {
	if in.URL != "" && !v.principal.Allows(netkit.ScopeRead) {
		return netkit.WebhookReceipt{}, scopeMissing(netkit.ScopeRead)
	}
	if in.URL != "" && !s.hooks.Reaches(in.URL) {
		return netkit.WebhookReceipt{}, wrong("url", code.AddressMalformed, "is not an address of the public internet", "give a host name or a public address, with a port from 1 to 65535 if any")
	}
	out, err := v.as().SetWebhook(ctx, in)
	if err != nil {
		return out, err
	}
	out.Delivers = out.Set
	out.Secret, err = s.hooks.Set(v.caller.Slug)
	return out, err
}

// Close closes the file of the webhooks, once Serve or Upkeep has returned.
func (s *Server) Close() error { return s.hooks.Close() }
