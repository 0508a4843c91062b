package network

import (
	"context"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/rules"
)

const maxWebhookTypes = 20

// SetWebhook sets or removes the webhook of an agent or a sponsor. Setting one
// that was switched off switches it on.
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
	c := &rules.SetWebhook{SetWebhook: in}
	return run(ctx, ses, c, c)
}

// Webhook returns what the webhook of an agent or a sponsor was set to, the entry
// that set it, 0 if it has none, and whether it is switched off. It is for whoever delivers,
// and shows the address.
func (n *Network) Webhook(owner string) (set netkit.SetWebhook, entry uint64, off bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	h, ok := n.secrets.Hooks.Get(owner)
	if !ok {
		return netkit.SetWebhook{}, 0, false
	}
	set.URL = h.Address
	if h.Types != "" {
		set.Types = strings.Split(h.Types, ",")
	}
	return set, h.Seq, h.Stopped
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
