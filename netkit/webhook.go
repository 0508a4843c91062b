package netkit

import "context"

// SetWebhook keeps the address that the caller's notices are to be sent to; an
// empty one removes it. Nothing is delivered to it yet.
type SetWebhook struct {
	URL string `json:"url" doc:"http or https; empty removes it"`
}

// WebhookReceipt is the receipt of setting a webhook. It does not repeat the
// address, which may hold a secret.
type WebhookReceipt struct {
	Set      bool   `json:"set" doc:"whether an address is kept"`
	Delivers bool   `json:"delivers" doc:"whether notices are sent to the address; always false for now"`
	Seq      uint64 `json:"seq"`
	At       Millis `json:"at"`
}

type setWebhook struct{ SetWebhook }

func (*setWebhook) route() string { return "webhook" }

func (c *setWebhook) decide(s *state, call *call) error {
	_, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	call.add(&webhookSet{p.slug, c.URL != ""})
	return nil
}

func (c *setWebhook) unchanged(_ *state, x *secrets, e *Entry) bool {
	h, set := x.hooks.get(e.Actor)
	return set == (c.URL != "") && h.address == c.URL
}

func (c *setWebhook) fields(k *codec) { str(k, "url", &c.URL) }

// webhookSet records that an agent has a webhook or has none; the address
// stands in the private part.
type webhookSet struct {
	Agent string
	Set   bool
}

func (*webhookSet) kind() Kind { return "agent.webhook" }

func (f *webhookSet) asked(*hindsight) (command, error) {
	c := new(setWebhook)
	if f.Set {
		c.URL = unknownText
	}
	return c, nil
}

func (f *webhookSet) fields(c *codec) {
	str(c, "agent", &f.Agent)
	c.flag("set", &f.Set)
}

func (*webhookSet) apply(*state, *Entry) {}

func (f *webhookSet) applySecret(x *secrets, e *Entry, p *private) {
	var t setWebhook
	if f.Set && p != nil && len(p.text) > 0 && p.read(&t) == nil {
		x.hooks.put(f.Agent, hook{t.URL, e.Seq})
		return
	}
	x.hooks.drop(f.Agent)
}

// SetWebhook sets or removes the caller's webhook.
func (n *Network) SetWebhook(ctx context.Context, by Caller, in SetWebhook) (WebhookReceipt, error) {
	if in.URL != "" && !webAddress(in.URL) {
		return WebhookReceipt{}, invalid("url", "address_malformed", "is not an http or https address", "give an absolute address of at most 2000 characters without user and password")
	}
	c := &setWebhook{in}
	return run(ctx, n, by, c, c, func(e *Entry) WebhookReceipt {
		return WebhookReceipt{Set: e.Fact.(*webhookSet).Set, Seq: e.Seq, At: e.At}
	})
}
