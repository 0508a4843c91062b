package rules

import (
	"cmp"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

type SetWebhook struct{ netkit.SetWebhook }

func (*SetWebhook) Route() string { return "webhook" }

func (c *SetWebhook) Decide(s *State, call *Call) error {
	_, p, err := call.Actor(s)
	if err != nil {
		return err
	}
	return call.addWebhook(p, WebhookSet{Set: c.URL != ""})
}

// Receipt returns the receipt of the command from its entry.
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

func (c *SetWebhook) Unchanged(_ *State, x *Secrets, e *Entry, _ netkit.Millis) bool {
	h, set := x.Hooks.Get(e.Actor)
	return set == (c.URL != "") && h.Address == c.URL && !h.Stopped && h.Types == strings.Join(c.Types, ",")
}

func (c *SetWebhook) Fields(k *wire.Codec) {
	wire.Str(k, "url", &c.URL)
	wire.Strs(k, "types", &c.Types)
}

// WebhookSet records that an agent or a sponsor has a webhook or has none; the
// address stands in the private part.
type WebhookSet struct {
	Agent   string // "" if it is a sponsor's
	Sponsor string
	Set     bool
	Stopped bool // the network switched it off, since its receiver failed
}

func (f *WebhookSet) owner() string { return cmp.Or(f.Agent, f.Sponsor) }

func (*WebhookSet) Kind() netkit.Kind { return netkit.KindAgentWebhook }

func (f *WebhookSet) CommandOf(*PastView) (Command, error) {
	if f.Stopped {
		return &StopWebhook{Owner: f.owner()}, nil
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
}

func (f *WebhookSet) Apply(s *State, e *Entry) {
	s.recent.Changes++
	i, _, ok := s.party(f.owner())
	switch {
	case !ok:
	case f.Stopped:
		s.notify(i, e.Seq, noticeWebhookStopped)
	case f.Set:
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
	var t SetWebhook
	if f.Set && p != nil && len(p.Text) > 0 && p.Read(&t) == nil {
		x.Hooks.Put(f.owner(), access.Hook{Address: t.URL, Types: strings.Join(t.Types, ","), Seq: e.Seq})
		return
	}
	x.Hooks.Drop(f.owner())
}
