package network

import (
	"context"
	"maps"
	"slices"

	"github.com/agentnet/netctl/netkit/rules"
)

// maxPositions is how many positions an entry records at most.
const maxPositions = 1000

// WebhookPosition is how far the webhook of an owner is.
type WebhookPosition = rules.WebhookPosition

// WebhookPositions is how far webhooks are, by the latest records.
type WebhookPositions struct {
	Entry  uint64            // that recorded them last, 0 if none did
	Front  uint64            // events of the entries before it were sent to all that are not behind
	Behind map[string]uint64 // entry from which on events are still to be sent, by owner
}

// WebhookPositions returns how far webhooks are, by the latest records.
func (n *Network) WebhookPositions() WebhookPositions {
	n.mu.RLock()
	defer n.mu.RUnlock()
	r, _ := n.secrets.Recorded.Get("")
	return WebhookPositions{Entry: r.Entry, Front: r.Front, Behind: maps.Clone(n.secrets.Behind.M)}
}

// RecordWebhookPositions records the front and the positions that are others than those
// recorded. It returns the entry. Only the program that delivers does so, as
// [NetworkActor].
func (ses *Session) RecordWebhookPositions(ctx context.Context, front uint64, changed []WebhookPosition) (entry uint64, err error) {
	// The front moves with the last entry: until then nobody's events are left out.
	for len(changed) > maxPositions && err == nil {
		_, err = run(ctx, ses, new(rules.RecordWebhookPositions), &rules.WebhookPositions{Behind: changed[:maxPositions]})
		changed = changed[maxPositions:]
	}
	if err != nil {
		return 0, err
	}
	return run(ctx, ses, new(rules.RecordWebhookPositions), &rules.WebhookPositions{Front: front, Behind: slices.Clone(changed)})
}
