package network

import (
	"context"
	"errors"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/rules"
	"github.com/agentnet/netctl/netkit/webhook"
)

const maxWebhookTypes = 20

// SetWebhook sets or removes the webhook of an agent or a sponsor. Setting one
// that was switched off switches it on. The receipt has the secret where the webhook
// had none, and again where the idempotency key repeats that.
//
// Refusals: type_unknown, webhook_operator.
func (ses *Session) SetWebhook(ctx context.Context, in netkit.SetWebhook) (netkit.WebhookReceipt, error) {
	if in.URL != "" && !netkit.WebAddress(in.URL, "https") {
		return netkit.WebhookReceipt{}, netkit.Invalid("url", code.AddressMalformed, "is not an https address", "give an absolute address of at most 2000 characters without user and password")
	}
	if len(in.Types) > maxWebhookTypes {
		return netkit.WebhookReceipt{}, netkit.Invalid("types", code.TooMany, "has more than 20 items", "name each type once, or leave it out for all")
	}
	if _, err := rules.TypesOf("types", in.Types); err != nil {
		return netkit.WebhookReceipt{}, err
	}
	secret, err := webhook.NewSecret(ses.n.rand)
	if err != nil {
		return netkit.WebhookReceipt{}, err
	}
	c := &rules.SetWebhook{SetWebhook: in}
	var out netkit.WebhookReceipt
	var kept rules.WebhookText
	err = ses.replaceWebhook(ctx, ses.by.Slug, &c.Before, &c.Text, func() error {
		if c.Text = c.Text.Addressed(in, c.Before.Stopped); in.URL != "" && c.Text.Secret == "" {
			c.Text.Secret, c.Text.Made = secret.String(), true
		}
		out, kept, err = sealedReceipt(ctx, ses, c, &c.Text)
		return err
	})
	if kept.Made {
		out.Secret = kept.Secret
	}
	return out, err
}

// RotateWebhook replaces the secret of the caller's webhook. Deliveries are signed with
// the former one as well for a day. The same idempotency key gives the same secret
// again.
//
// Refusals: too_many, webhook_missing, webhook_operator.
func (ses *Session) RotateWebhook(ctx context.Context) (webhook.Rotated, error) {
	secret, err := webhook.NewSecret(ses.n.rand)
	if err != nil {
		return webhook.Rotated{}, err
	}
	c := new(rules.RotateWebhook)
	var kept rules.WebhookText
	err = ses.replaceWebhook(ctx, ses.by.Slug, &c.Before, &c.Text, func() error {
		c.Text = c.Text.Rotated(secret.String(), ses.n.Now())
		_, kept, err = sealedReceipt(ctx, ses, c, &c.Text)
		return err
	})
	if err == nil && kept.Secret == "" { // the entry of that idempotency key was erased
		err = rules.WebhookGone
	}
	out := webhook.Rotated{Secret: kept.Secret}
	if n := len(kept.Former); n > 0 {
		out.FormerUntil = netkit.Millis(kept.Former[n-1].Until)
	}
	return out, err
}

// AdoptWebhookSecrets records the secrets of a webhook that an earlier release kept
// beside the journal. Only the program that keeps them does so, as [NetworkActor].
func (ses *Session) AdoptWebhookSecrets(ctx context.Context, owner, secret string, former []FormerSecret) error {
	c := &rules.RotateWebhook{Owner: owner}
	return ses.replaceWebhook(ctx, owner, &c.Before, &c.Text, func() error {
		c.Text = rules.WebhookText{Secret: secret, Former: former}
		_, err := run(ctx, ses, c, &c.Text)
		return err
	})
}

// replaceWebhook calls do with the webhook of an owner as it is, again where another
// command changed that meanwhile.
func (ses *Session) replaceWebhook(ctx context.Context, owner string, before *rules.WebhookBefore, text *rules.WebhookText, do func() error) error {
	for {
		ses.n.mu.RLock()
		*before, *text = ses.n.secrets.WebhookNow(owner, ses.n.Now())
		ses.n.mu.RUnlock()
		if err := do(); !errors.Is(err, rules.WebhookMoved) || ctx.Err() != nil {
			return err
		}
	}
}

// sealedReceipt is run for a command whose answer is in the private part of its
// entry. It returns that of the entry that recorded the command, which is an earlier one
// where the idempotency key repeats it, and none where nothing was recorded.
func sealedReceipt[R any](ctx context.Context, ses *Session, cmd receipted[R], text *rules.WebhookText) (out R, kept rules.WebhookText, err error) {
	j, err := ses.submit(ctx, cmd, text)
	if err != nil {
		return out, kept, err
	}
	e, p := &j.first, j.private
	if j.replayed {
		e, p, err = ses.n.entry(ctx, j.replay)
	}
	if err == nil && p != nil && e.Private != [32]byte{} {
		err = p.Read(&kept)
	}
	if err != nil {
		return out, rules.WebhookText{}, err
	}
	return cmd.Receipt(e), kept, nil
}

// FormerSecret is a secret that was replaced, and signs for a while.
type FormerSecret = rules.FormerSecret

// Webhook is a webhook as its server needs it: address and secrets are for nobody else.
type Webhook struct {
	netkit.SetWebhook
	Entry  uint64 // that set it, 0 without a webhook
	Since  uint64 // entry after which its events are sent: when it was set first, or switched on
	Off    bool   // it is switched off
	Secret string // "" where an earlier release kept it beside the journal
	Former []FormerSecret
}

// Webhook returns the webhook of an agent or a sponsor.
func (n *Network) Webhook(owner string) Webhook {
	n.mu.RLock()
	defer n.mu.RUnlock()
	b, t := n.secrets.WebhookNow(owner, n.Now())
	return Webhook{SetWebhook: netkit.SetWebhook{URL: t.URL, Types: t.Types}, Entry: b.Entry, Since: t.Since, Off: b.Stopped, Secret: t.Secret, Former: t.Former}
}

// WebhookOwners lists those who have a webhook that is not switched off, sorted.
func (n *Network) WebhookOwners() []string {
	n.mu.RLock()
	defer n.mu.RUnlock()
	owners := rules.SortedKeys(n.secrets.Hooks.M)
	return slices.DeleteFunc(owners, func(owner string) bool { return n.secrets.Hooks.M[owner].Stopped })
}

// StopWebhook switches off the webhook that an entry set, and tells its owner.
// Only whoever delivers does so, as [NetworkActor].
func (ses *Session) StopWebhook(ctx context.Context, owner string, entry uint64) error {
	err := do(ctx, ses, &rules.StopWebhook{Owner: owner, Entry: entry})
	return err
}
