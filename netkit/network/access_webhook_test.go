package network

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

func TestWebhookIsSetAndRemoved(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	f.admit("acme", netkit.Credit)
	const first, second = "https://example.org/hook?secret=1", "https://example.org/2"
	for _, owner := range []string{"ada", "acme"} {
		for _, url := range []string{first, second, ""} {
			r := must[netkit.WebhookReceipt](t)(f.As(owner).SetWebhook(t.Context(), netkit.SetWebhook{URL: url}))
			if got, _ := f.secrets.Hooks.Get(owner); got.Address != url || r.Set != (url != "") {
				t.Errorf("%s: got %v and %+v, want %q", owner, got, r, url)
			}
			f.restarts(t)
		}
	}
}

// The entry says whose webhook it is: an agent's in the field of earlier
// versions, a sponsor's in one of its own.
func TestWebhookEntryNamesItsOwner(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	f.admit("acme", netkit.Credit)
	for owner, want := range map[string]rules.WebhookSet{"ada": {Agent: "ada", Set: true}, "acme": {Sponsor: "acme", Set: true}} {
		r := must[netkit.WebhookReceipt](t)(f.As(owner).SetWebhook(t.Context(), netkit.SetWebhook{URL: "https://example.org/"}))
		if diff := cmp.Diff(&want, must[*rules.Entry](t)(f.Entry(t.Context(), r.Seq)).Fact); diff != "" {
			t.Errorf("%s: %s", owner, diff)
		}
	}
}

func TestWebhookRefused(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	f.Unchanged(t, func() {
		for _, url := range []string{"example.org", "ftp://example.org", "http://example.org", "https://", "https://user:pass@example.org/"} {
			_, err := f.As("ada").SetWebhook(t.Context(), netkit.SetWebhook{URL: url})
			refused(t, err, netkit.ErrInvalid, "address_malformed")
		}
		_, err := f.op().SetWebhook(t.Context(), netkit.SetWebhook{URL: "https://example.org/"})
		refused(t, err, netkit.ErrForbidden, "webhook_operator")
	})
}

// A webhook that the network switched off stays known, tells its owner, and is
// switched on by being set again, to the same address too.
func TestWebhookIsStopped(t *testing.T) {
	for _, owner := range []string{"ada", "acme"} {
		t.Run(owner, func(t *testing.T) {
			f := start(t, journal.NewMemory())
			f.agents("ada")
			f.admit("acme", netkit.Credit)
			f.stopsWebhook(owner)
		})
	}
}

func (f *fixture) stopsWebhook(owner string) {
	t, ctx := f.t, f.t.Context()
	in := netkit.SetWebhook{URL: "https://example.org/hook", Types: []string{netkit.EventNotice, netkit.EventExecution}}
	set := must[netkit.WebhookReceipt](t)(f.As(owner).SetWebhook(ctx, in)).Seq
	refused(t, f.As(owner).StopWebhook(ctx, owner, set), netkit.ErrForbidden, "network_only")
	refused(t, f.As(netkit.NetworkActor).StopWebhook(ctx, owner, set+1), netkit.ErrConflict, "webhook_missing")
	refused(t, f.As(netkit.NetworkActor).StopWebhook(ctx, "nobody", set), netkit.ErrConflict, "webhook_missing")
	if err := f.As(netkit.NetworkActor).StopWebhook(ctx, owner, set); err != nil {
		t.Fatal(err)
	}
	refused(t, f.As(netkit.NetworkActor).StopWebhook(ctx, owner, set), netkit.ErrConflict, "webhook_missing")
	for range 2 {
		got := f.Webhook(owner)
		if diff := cmp.Diff(in, got.SetWebhook); diff != "" || got.Entry != set || !got.Off {
			t.Errorf("got %+v set by entry %d, off %v", got.SetWebhook, got.Entry, got.Off)
		}
		f.restarts(t)
	}
	notices := must[netkit.List[netkit.Notice]](t)(f.As(owner).Notices(ctx, netkit.Page{})).Items
	if len(notices) != 2 || notices[0].Kind != "webhook.stopped" || notices[1].Kind != "webhook.set" {
		t.Errorf("got %+v, want notices that it was set and stopped", notices)
	}
	if again := must[netkit.WebhookReceipt](t)(f.As(owner).SetWebhook(ctx, in)).Seq; again == set {
		t.Error("got no entry for setting it again")
	}
	if f.Webhook(owner).Off {
		t.Error("got it switched off, want on")
	}
}

func TestWebhookOfUnknownTypes(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	_, err := f.As("ada").SetWebhook(t.Context(), netkit.SetWebhook{URL: "https://example.org/", Types: []string{"no.such"}})
	refused(t, err, netkit.ErrInvalid, "type_unknown")
	_, err = f.As("ada").SetWebhook(t.Context(), netkit.SetWebhook{URL: "https://example.org/", Types: make([]string, 21)})
	refused(t, err, netkit.ErrInvalid, "too_many")
}
