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

// webhookRoutes registers the operations of an owner on its webhook.
func (s *Server) webhookRoutes() []route {
	h := s.hooks
	return []route{
		get(catalog.GetWebhook, ofWebhook(func(_ context.Context, v *request, _ *none) (webhook.View, error) { return h.View(v.caller.Slug) })),
		act(catalog.SetWebhook, s.setWebhook),
		get(catalog.RotateWebhookSecret, ofWebhook(func(ctx context.Context, v *request, _ *none) (webhook.Rotated, error) {
			return v.as().RotateWebhook(ctx)
		})),
		get(catalog.TestWebhook, ofWebhook(func(ctx context.Context, v *request, _ *none) (webhook.Attempt, error) {
			return h.Test(ctx, v.caller.Slug)
		})),
		get(catalog.ListWebhookAttempts, ofWebhook(func(_ context.Context, v *request, _ *none) (WebhookAttempts, error) {
			items, err := h.Log(v.caller.Slug)
			return WebhookAttempts{items}, err
		})),
		get(catalog.ResendWebhookAttempt, ofWebhook(func(ctx context.Context, v *request, p *byID) (webhook.Attempt, error) {
			return h.Resend(ctx, v.caller.Slug, p.ID)
		})),
		act(catalog.ReplayWebhook, func(_ context.Context, v *request, _ *none, in webhook.Replay) (webhook.View, error) {
			if err := v.mayHaveWebhook(); err != nil {
				return webhook.View{}, err
			}
			return h.Replay(v.caller.Slug, in.From)
		}),
	}
}

// ofWebhook refuses an operation to those who can have no webhook.
func ofWebhook[P, Out any](do func(context.Context, *request, *P) (Out, error)) func(context.Context, *request, *P) (Out, error) {
	return func(ctx context.Context, v *request, p *P) (out Out, err error) {
		if err := v.mayHaveWebhook(); err != nil {
			return out, err
		}
		return do(ctx, v, p)
	}
}

// mayHaveWebhook refuses an operator, so that none is advised to set what it then
// cannot.
func (v *request) mayHaveWebhook() error {
	if v.principal.Kind == netkit.OperatorParty {
		return netkit.NoOperatorWebhook()
	}
	return nil
}

// setWebhook sets an address. The receipt shows the secret where one was made for it.
// Whoever may not read may not have events sent either.
func (s *Server) setWebhook(ctx context.Context, v *request, _ *none, in netkit.SetWebhook) (netkit.WebhookReceipt, error) {
	if err := v.mayHaveWebhook(); err != nil {
		return netkit.WebhookReceipt{}, err
	}
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
	return out, s.hooks.Set(v.caller.Slug, address(v.r))
}

// Close closes the file of the webhooks, once Serve or Upkeep has returned.
func (s *Server) Close() error { return s.hooks.Close() }
