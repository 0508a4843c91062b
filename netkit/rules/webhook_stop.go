package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// StopWebhook switches a webhook off whose receiver fails.
type StopWebhook struct {
	Owner string `json:"-"`
	Entry uint64 `json:"-"` // that set it
}

func (*StopWebhook) Route() string { return "webhook-stop" }

func (c *StopWebhook) Decide(s *State, call *Call) error {
	if err := call.network(); err != nil {
		return err
	}
	_, p, ok := s.party(c.Owner)
	if !ok {
		return WebhookGone
	}
	return call.addWebhook(p, WebhookSet{Set: true, Stopped: true})
}

// WebhookGone is the refusal of what concerns a webhook that was removed or erased.
var WebhookGone = conflict(code.WebhookMissing, "there is no such webhook any more", "{getWebhook} shows the one that is set")

// Permitted refuses to switch off what was set again, or removed, meanwhile.
func (c *StopWebhook) Permitted(_ *State, x *Secrets, _ netkit.Millis) error {
	if h, set := x.Hooks.Get(c.Owner); !set || h.Stopped || h.Seq != c.Entry {
		return WebhookGone
	}
	return nil
}
