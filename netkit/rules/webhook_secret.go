package rules

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

const (
	// FormerSecretHolds is how long a webhook's secret signs after it was replaced.
	FormerSecretHolds = 24 * time.Hour
	maxFormerSecrets  = 4 // at the same time
)

// FormerSecret is a secret that was replaced and signs until a moment.
type FormerSecret = access.FormerSecret

// WebhookText is the private part of an entry that sets a webhook, with its secrets, or
// that replaces the secrets alone. Erasing the entry that set a webhook erases the
// webhook; erasing the one that replaced its secrets leaves it without.
type WebhookText struct {
	URL    string
	Types  []string
	Secret string // "" in entries of earlier releases
	Former []FormerSecret
	Made   bool   // the secret came with this entry, and its receipt shows it
	Since  uint64 // entry of the webhook from which on events are sent, 0 for this one
}

func (t *WebhookText) Fields(k *wire.Codec) {
	wire.Str(k, "url", &t.URL)
	wire.Strs(k, "types", &t.Types)
	wire.Str(k, "secret", &t.Secret)
	access.FormerFields(k, &t.Former)
	k.Flag("made", &t.Made)
	wire.Num(k, "since", &t.Since)
}

// WebhookBefore is a webhook as it was when the private part of a command was made.
// The owner is the actor's, unless the network acts.
type WebhookBefore struct {
	Owner   string
	Entry   uint64 // that set it, 0 without one
	Signed  uint64 // that brought its secrets
	Stopped bool
}

// WebhookMoved is the refusal of a command whose webhook was changed while its private
// part was made. Make it again.
var WebhookMoved = &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.Busy, What: "your webhook was changed at the same moment, and nothing of this was kept", Next: "try again", After: time.Second}

func (b *WebhookBefore) check(x *Secrets) error {
	if h, _ := x.Hooks.Get(b.Owner); h.Seq != b.Entry || h.Signed != b.Signed || h.Stopped != b.Stopped {
		return WebhookMoved
	}
	return nil
}

// WebhookNow returns what there is of an owner's webhook, and the private part of an
// entry that sets it as it is. Former secrets that no longer sign are left out.
func (x *Secrets) WebhookNow(owner string, at netkit.Millis) (WebhookBefore, WebhookText) {
	h, set := x.Hooks.Get(owner)
	t := WebhookText{URL: h.Address, Secret: h.Secret, Since: cmp.Or(h.Since, h.Seq),
		Former: slices.DeleteFunc(slices.Clone(h.Former), func(f access.FormerSecret) bool { return netkit.Millis(f.Until) <= at })}
	if set && h.Types != "" {
		t.Types = strings.Split(h.Types, ",")
	}
	return WebhookBefore{owner, h.Seq, h.Signed, h.Stopped}, t
}

// Addressed returns the private part of an entry that sets the webhook to in: the
// secrets stay, and go with the address. What happened while the webhook was switched
// off is not sent.
func (t *WebhookText) Addressed(in netkit.SetWebhook, off bool) WebhookText {
	if in.URL == "" {
		return WebhookText{}
	}
	out := WebhookText{URL: in.URL, Types: in.Types, Secret: t.Secret, Former: t.Former, Since: t.Since}
	if off {
		out.Since = 0
	}
	return out
}

// Rotated returns the private part of an entry that replaces the secret; the one before
// it signs for a while.
func (t *WebhookText) Rotated(secret string, at netkit.Millis) WebhookText {
	former := append(t.Former, FormerSecret{Secret: t.Secret, Until: int64(at) + FormerSecretHolds.Milliseconds()})
	return WebhookText{Secret: secret, Former: former, Made: true}
}

// RotateWebhook replaces the secrets of a webhook. The network acts where it takes over
// secrets that an earlier release kept beside the journal.
type RotateWebhook struct {
	Owner  string        `json:"-"` // of the webhook, if the network acts
	Before WebhookBefore `json:"-"`
	Text   WebhookText   `json:"-"`
}

func (*RotateWebhook) Route() string { return "webhook-secret" }

func (c *RotateWebhook) Decide(s *State, call *Call) error {
	if c.Owner != "" {
		if err := call.network(); err != nil {
			return err
		}
		_, p, ok := s.party(c.Owner)
		if !ok {
			return WebhookGone
		}
		return call.addWebhook(p, WebhookSet{Set: true, Rotated: true})
	}
	_, p, err := call.Actor(s)
	if err != nil {
		return err
	}
	return call.addWebhook(p, WebhookSet{Set: true, Rotated: true})
}

// Permitted refuses to replace the secret of no webhook, too many in a row, and to take
// over a secret where the journal has one.
func (c *RotateWebhook) Permitted(_ *State, x *Secrets, at netkit.Millis) error {
	h, _ := x.Hooks.Get(c.Before.Owner)
	if h.Seq == 0 || (h.Secret == "") != (c.Owner != "") {
		return webhookNone
	}
	if err := c.Before.check(x); err != nil {
		return err
	}
	if former := c.Text.Former; c.Owner == "" && len(former) > maxFormerSecrets {
		return &netkit.Refusal{Kind: netkit.ErrLimit, Code: code.TooMany, What: "four former secrets of your webhook still sign", Next: "use the one that you have until one of them ended",
			After: time.Duration(max(1, former[0].Until-int64(at))) * time.Millisecond}
	}
	return nil
}

// Receipt returns the entry's number: the secret is in its private part.
func (*RotateWebhook) Receipt(e *Entry) uint64 { return e.Seq }

var webhookNone = conflict(code.WebhookMissing, "you have no webhook that delivers", "set its address with {setWebhook}")
