package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// WebhookPositions is what an entry records of how far webhooks are.
type WebhookPositions = access.Positions

// WebhookPosition is how far the webhook of an owner is.
type WebhookPosition = access.Position

// RecordWebhookPositions records how far webhooks are. The network acts.
type RecordWebhookPositions struct{}

func (*RecordWebhookPositions) Route() string { return "webhook-positions" }

func (*RecordWebhookPositions) Decide(_ *State, call *Call) error {
	if err := call.network(); err != nil {
		return err
	}
	call.Add(&WebhooksDelivered{})
	return nil
}

// Receipt returns the number of the entry.
func (*RecordWebhookPositions) Receipt(e *Entry) uint64 { return e.Seq }

// WebhooksDelivered records how far webhooks are, so that a node that takes over sends
// every event that was not sent. The positions are in the private part: when a
// receiver takes its events is its own affair, and no rule depends on it.
type WebhooksDelivered struct{}

func (*WebhooksDelivered) Kind() netkit.Kind { return netkit.KindWebhooksDelivered }

func (*WebhooksDelivered) CommandOf(*PastView) (Command, error) {
	return &RecordWebhookPositions{}, nil
}

func (*WebhooksDelivered) Fields(*wire.Codec) {}

// Apply changes nothing: no rule depends on it.
func (*WebhooksDelivered) Apply(*State, *Entry) {}

func (*WebhooksDelivered) applySecret(x *Secrets, e *Entry, p *Private) {
	var t WebhookPositions
	if p != nil && p.Read(&t) == nil {
		x.Record(e.Seq, t)
	}
}
