package netkit

import (
	"github.com/agentnet/netctl/netkit/code"
)

// SetWebhook keeps the address that the caller's events are sent to; an empty
// one removes it. A server delivers them, see network.Network.Webhook.
type SetWebhook struct {
	URL   string   `json:"url" doc:"https; empty removes it" maxLength:"2000" pattern:"^([hH][tT][tT][pP][sS]://[A-Za-z0-9._~-]+(:[0-9]{1,5})?([/?#]([!-$&-~]|%[0-9A-Fa-f]{2})*)?)?$"`
	Types []string `json:"types,omitempty" maxItems:"20" doc:"types of event to send; default: all that your event stream tells" enum:"agent.reinstated,agent.spawned,badge.issued,badge.revoked,campaign.finished,campaign.funded,campaign.opened,crisis.resolved,dispatch,exchange.closed,exchange.opened,execution,execution.delivered,notice,sponsor.admitted"`
}

// WebhookReceipt is the receipt of setting a webhook. It does not repeat the
// address, which may hold a secret.
type WebhookReceipt struct {
	Set      bool   `json:"set" doc:"whether an address is kept"`
	Delivers bool   `json:"delivers" doc:"whether this server sends events to the address"`
	Secret   string `json:"secret,omitempty" doc:"by which the receiver checks signatures, shown this once; left out where the secret did not change"`
	Seq      uint64 `json:"seq"`
	At       Millis `json:"at"`
}

// NoOperatorWebhook refuses an operator whatever concerns a webhook.
func NoOperatorWebhook() error {
	return Forbidden("", code.WebhookOperator, "an operator has no webhook", "{streamEvents} tells what happens; or set one as an agent or a sponsor")
}
