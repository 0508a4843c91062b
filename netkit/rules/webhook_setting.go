package rules

import (
	"cmp"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// SetWebhook is a SetWebhook with the webhook before it and the private part of its
// entry.
type SetWebhook struct {
	netkit.SetWebhook
	Before WebhookBefore `json:"-"`
	Text   WebhookText   `json:"-"`
}

func (*SetWebhook) Route() string { return "webhook" }

func (c *SetWebhook) Decide(s *State, call *Call) error {
	_, p, err := call.Actor(s)
	if err != nil {
		return err
	}
	return call.addWebhook(p, WebhookSet{Set: c.URL != ""})
}

// Permitted refuses a private part that was made of a webhook that has changed since.
func (c *SetWebhook) Permitted(_ *State, x *Secrets, _ netkit.Millis) error { return c.Before.check(x) }

// Receipt returns the receipt of the command from its entry, without the secret.
func (*SetWebhook) Receipt(e *Entry) netkit.WebhookReceipt {
	return netkit.WebhookReceipt{Set: e.Fact.(*WebhookSet).Set, Seq: e.Seq, At: e.At}
}

// addWebhook records what becomes of a party's webhook.
func (c *Call) addWebhook(p *Party, f WebhookSet) error {
	switch p.Kind {
	case netkit.AgentParty:
		f.Agent = p.Slug
	case netkit.SponsorParty:
		f.Sponsor = p.Slug
	default:
		return netkit.NoOperatorWebhook()
	}
	c.Add(&f)
	return nil
}

// Unchanged reports whether the webhook is as asked. One without a secret gets one by
// being set again.
func (c *SetWebhook) Unchanged(_ *State, x *Secrets, e *Entry, _ netkit.Millis) bool {
	h, set := x.Hooks.Get(e.Actor)
	return set == (c.URL != "") && (!set || h.Secret != "") && h.Address == c.URL && !h.Stopped && h.Types == strings.Join(c.Types, ",")
}

// WebhookSet records that an agent or a sponsor has a webhook or has none; the
// address and the secrets stand in the private part.
type WebhookSet struct {
	Agent   string // "" if it is a sponsor's
	Sponsor string
	Set     bool
	Stopped bool // the network switched it off, since its receiver failed
	Rotated bool // only its secrets were replaced
}

func (f *WebhookSet) owner() string { return cmp.Or(f.Agent, f.Sponsor) }

func (*WebhookSet) Kind() netkit.Kind { return netkit.KindAgentWebhook }

func (f *WebhookSet) CommandOf(h *PastView) (Command, error) {
	switch {
	case f.Stopped:
		return &StopWebhook{Owner: f.owner()}, nil
	case f.Rotated:
		c := new(RotateWebhook)
		if h.E.Actor == netkit.NetworkActor {
			c.Owner = f.owner()
		}
		return c, nil
	}
	c := new(SetWebhook)
	if f.Set {
		c.URL = unknownText
	}
	return c, nil
}

func (f *WebhookSet) Fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "sponsor", &f.Sponsor)
	c.Flag("set", &f.Set)
	c.Flag("stopped", &f.Stopped)
	c.Flag("rotated", &f.Rotated)
}

func (f *WebhookSet) Apply(s *State, e *Entry) {
	s.recent.Changes++
	i, _, ok := s.party(f.owner())
	switch {
	case !ok:
	case f.Stopped:
		s.notify(i, e.Seq, noticeWebhookStopped)
	case f.Set && !f.Rotated:
		s.notify(i, e.Seq, noticeWebhookSet)
	}
}

func (f *WebhookSet) applySecret(x *Secrets, e *Entry, p *Private) {
	if f.Stopped {
		if h, set := x.Hooks.Get(f.owner()); set {
			h.Stopped = true
			x.Hooks.Put(f.owner(), h)
		}
		return
	}
	var t WebhookText
	held := f.Set && p != nil && len(p.Text) > 0 && p.Read(&t) == nil
	h, set := x.Hooks.Get(f.owner())
	switch {
	case f.Rotated && !set: // the webhook was erased
	case f.Rotated:
		h.Secret, h.Former, h.Signed = t.Secret, t.Former, e.Seq
		x.Hooks.Put(f.owner(), h)
	case held:
		h = access.Hook{Address: t.URL, Types: strings.Join(t.Types, ","), Seq: e.Seq, Secret: t.Secret, Former: t.Former, Since: t.Since}
		if t.Secret != "" {
			h.Signed = e.Seq
		}
		x.Hooks.Put(f.owner(), h)
	default:
		x.Hooks.Drop(f.owner())
	}
}
