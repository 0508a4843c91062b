package netkit

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/journal"
)

func TestWebhookIsSetAndRemoved(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	const first, second = "https://example.org/hook?secret=1", "https://example.org/2"
	for _, url := range []string{first, second, ""} {
		r := must[WebhookReceipt](t)(f.As("ada").SetWebhook(t.Context(), SetWebhook{URL: url}))
		if got, _ := f.secrets.Hooks.Get("ada"); got.Address != url || r.Set != (url != "") {
			t.Errorf("got %v and %+v, want %q", got, r, url)
		}
		f.restarts(t)
	}
}

func TestWebhookRefused(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	f.unchanged(t, func() {
		for _, url := range []string{"example.org", "ftp://example.org", "http://example.org", "https://", "https://user:pass@example.org/"} {
			_, err := f.As("ada").SetWebhook(t.Context(), SetWebhook{URL: url})
			refused(t, err, ErrInvalid, "address_malformed")
		}
		_, err := f.op().SetWebhook(t.Context(), SetWebhook{})
		refused(t, err, ErrForbidden, "agents_only")
	})
}

// A webhook that the network switched off stays known, tells its agent, and is
// switched on by being set again, to the same address too.
func TestWebhookIsStopped(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	in := SetWebhook{URL: "https://example.org/hook", Types: []string{EventNotice, EventExecution}}
	set := must[WebhookReceipt](t)(f.As("ada").SetWebhook(t.Context(), in)).Seq
	refused(t, f.As("ada").StopWebhook(t.Context(), "ada", set), ErrForbidden, "network_only")
	refused(t, f.As(NetworkActor).StopWebhook(t.Context(), "ada", set+1), ErrConflict, "webhook_missing")
	if err := f.As(NetworkActor).StopWebhook(t.Context(), "ada", set); err != nil {
		t.Fatal(err)
	}
	refused(t, f.As(NetworkActor).StopWebhook(t.Context(), "ada", set), ErrConflict, "webhook_missing")
	for range 2 {
		got, entry, off := f.Webhook("ada")
		if diff := cmp.Diff(in, got); diff != "" || entry != set || !off {
			t.Errorf("got %+v set by entry %d, off %v", got, entry, off)
		}
		f.restarts(t)
	}
	notices := must[List[Notice]](t)(f.As("ada").Notices(t.Context(), Page{})).Items
	if len(notices) != 2 || notices[0].Kind != "webhook.stopped" || notices[1].Kind != "webhook.set" {
		t.Errorf("got %+v, want notices that it was set and stopped", notices)
	}
	if again := must[WebhookReceipt](t)(f.As("ada").SetWebhook(t.Context(), in)).Seq; again == set {
		t.Error("got no entry for setting it again")
	}
	if _, _, off := f.Webhook("ada"); off {
		t.Error("got it switched off, want on")
	}
}

func TestWebhookOfUnknownTypes(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	_, err := f.As("ada").SetWebhook(t.Context(), SetWebhook{URL: "https://example.org/", Types: []string{"no.such"}})
	refused(t, err, ErrInvalid, "type_unknown")
	_, err = f.As("ada").SetWebhook(t.Context(), SetWebhook{URL: "https://example.org/", Types: make([]string, 21)})
	refused(t, err, ErrInvalid, "too_many")
}

// The schema of a request names every type that there is.
func TestWebhookSchemaNamesEveryType(t *testing.T) {
	field, _ := reflect.TypeFor[SetWebhook]().FieldByName("Types")
	if diff := cmp.Diff(strings.Join(EventTypes(), ","), field.Tag.Get("enum")); diff != "" {
		t.Error(diff)
	}
}
